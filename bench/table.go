package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Goal is what a figure must be, and what it should be.
type Goal struct {
	Name      string
	Unit      string // "" for a ratio
	Must, Aim float64
	AtLeast   bool // else at most
}

// Row is a measured goal.
type Row struct {
	Goal
	Measured float64
	Note     string
	Void     string // why the figure says nothing
	Err      error  // why there is none
}

// Missed tells whether the goal was measured and is not met.
func (r Row) Missed() bool { return r.Err != nil || r.Void == "" && !r.meets(r.Must) }

func (r Row) meets(x float64) bool {
	if r.AtLeast {
		return r.Measured >= x
	}
	return r.Measured <= x
}

// verdict is the last column.
func (r Row) verdict() string {
	switch {
	case r.Err != nil:
		return "failed"
	case r.Void != "":
		return "void"
	case r.meets(r.Aim):
		return "ok, aim met"
	case r.meets(r.Must):
		return "ok"
	}
	return "MISSED"
}

// bound writes a goal's figure.
func (g Goal) bound(x float64) string {
	if g.AtLeast {
		return "≥ " + g.figure(x)
	}
	return "≤ " + g.figure(x)
}

func (g Goal) figure(x float64) string {
	s := fmt.Sprintf("%.2f", x)
	if g.Unit != "" {
		s = fmt.Sprintf("%.1f", x)
	}
	s = strings.TrimSuffix(s, ".0")
	if strings.Trim(s, "-0.") == "" {
		s = "0"
	}
	return strings.TrimSpace(s + " " + g.Unit)
}

func printTable(w io.Writer, rows []Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "goal\tmust\taim\tmeasured\tok\t")
	for _, r := range rows {
		if r.Err != nil {
			fmt.Fprintf(t, "%s\t\t\t\t%s\t%v\n", r.Name, r.verdict(), r.Err)
			continue
		}
		note := r.Note
		if r.Void != "" {
			note = strings.TrimPrefix(note+"; "+r.Void, "; ")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", r.Name, r.bound(r.Must), r.bound(r.Aim), r.figure(r.Measured), r.verdict(), note)
	}
	t.Flush()
}
