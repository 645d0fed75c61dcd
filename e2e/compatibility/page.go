package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

const head = `# Which SDKs work with mimus, and how far

<!-- Written by make compatibility from the results of make check; changes here are lost. -->

Each official SDK plays the cases of [e2e/cases.yaml](../e2e/cases.yaml) against mimus, whole and streamed, and sees what the
case says. A cell says **passes**, or **cannot** where the SDK itself, or the provider's API, has no such thing. A number leads
to the reason below the table; behind *passes* it tells where this SDK shows the same answer in another way than most do.
*Other endpoints* marks a case that is about other endpoints only. [e2e/README.md](../e2e/README.md) tells how to play a case again.
`

var titles = map[string]string{"go": "Go", "node": "Node", "python": "Python", "java": "Java"}

// pageOf is the whole page.
func pageOf(languages []string, all []result) []byte {
	var cases []string
	for _, r := range all {
		if !slices.Contains(cases, r.Case) {
			cases = append(cases, r.Case)
		}
	}
	var b bytes.Buffer
	b.WriteString(head)
	for _, language := range languages {
		title := titles[language]
		if title == "" {
			title = language
		}
		fmt.Fprintf(&b, "\n## %s\n", title)
		for _, t := range tablesOf(language, all) {
			t.write(&b, cases)
		}
	}
	return b.Bytes()
}

// table is that of one SDK.
type table struct {
	sdk, version string
	endpoints    []string
	variants     []string
	cells        map[[2]string][]result // by case and endpoint
	notes        []string
}

// tablesOf are the tables of a language, in the order of their results.
func tablesOf(language string, all []result) []*table {
	var tables []*table
	for _, r := range all {
		if r.Language != language {
			continue
		}
		name, variant := r.client()
		i := slices.IndexFunc(tables, func(t *table) bool { return t.sdk == name && t.version == r.Version })
		if i < 0 {
			i = len(tables)
			tables = append(tables, &table{sdk: name, version: r.Version, cells: map[[2]string][]result{}})
		}
		t := tables[i]
		if !slices.Contains(t.endpoints, r.Endpoint) {
			t.endpoints = append(t.endpoints, r.Endpoint)
		}
		if variant != "" && !slices.Contains(t.variants, variant) {
			t.variants = append(t.variants, variant)
		}
		at := [2]string{r.Case, r.Endpoint}
		t.cells[at] = append(t.cells[at], r)
	}
	return tables
}

func (t *table) write(b *bytes.Buffer, cases []string) {
	fmt.Fprintf(b, "\n### %s %s\n\n", t.sdk, t.version)
	if len(t.variants) > 0 {
		fmt.Fprintf(b, "Clients: %s.\n\n", strings.Join(t.variants, ", "))
	}
	fmt.Fprintf(b, "| case | %s |\n", strings.Join(t.endpoints, " | "))
	fmt.Fprintf(b, "| --- |%s\n", strings.Repeat(" --- |", len(t.endpoints)))
	for _, name := range cases {
		fmt.Fprintf(b, "| %s |", name)
		for _, endpoint := range t.endpoints {
			fmt.Fprintf(b, " %s |", t.cell(t.cells[[2]string{name, endpoint}]))
		}
		b.WriteString("\n")
	}
	if len(t.notes) > 0 {
		b.WriteString("\n")
	}
	for i, note := range t.notes {
		fmt.Fprintf(b, "%d. %s\n", i+1, note)
	}
}

// cell tells of the runs of a case on an endpoint: once where all agree, else by mode, else each.
func (t *table) cell(runs []result) string {
	if len(runs) == 0 {
		return "other endpoints"
	}
	for _, label := range []func(result) string{
		func(result) string { return "" },
		func(r result) string { return r.Mode },
		func(r result) string { _, variant := r.client(); return variant },
		func(r result) string { _, variant := r.client(); return variant + " " + r.Mode },
	} {
		if text, ok := t.grouped(runs, label); ok {
			return text
		}
	}
	return t.said(runs[0]) // never: two runs with the same names
}

// grouped tells of groups of runs, unless those in one do not agree.
func (t *table) grouped(runs []result, label func(result) string) (string, bool) {
	var labels []string
	first := map[string]result{}
	for _, r := range runs {
		l := label(r)
		f, ok := first[l]
		switch {
		case !ok:
			labels = append(labels, l)
			first[l] = r
		case f.Result != r.Result || f.Why != r.Why:
			return "", false
		}
	}
	texts := make([]string, len(labels))
	for i, l := range labels {
		texts[i] = t.said(first[l])
		if l != "" {
			texts[i] = l + ": " + texts[i]
		}
	}
	return strings.Join(texts, "; "), true
}

// said is the word for a result, with the number of its reason.
func (t *table) said(r result) string {
	word := "passes"
	if r.Result == "cannot" {
		word = "cannot"
	}
	if r.Why == "" {
		return word
	}
	why := strings.Join(strings.Fields(r.Why), " ")
	i := slices.Index(t.notes, why)
	if i < 0 {
		i = len(t.notes)
		t.notes = append(t.notes, why)
	}
	return fmt.Sprintf("%s (%d)", word, i+1)
}
