package captures

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Deviations are the differences from recordings that are known and have a reason.
type Deviations struct {
	path     string
	patterns []string
	met      map[string]bool
}

// ReadDeviations reads a list of them. A line is one difference, in which * stands for any text; a line "# reason" stands
// over the lines that it is for, and an empty line ends its reach. It fails on a line without a reason, and on one that is
// there twice.
func ReadDeviations(path string) (*Deviations, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := &Deviations{path: path, met: map[string]bool{}}
	reason, number := false, 0
	for line := range strings.Lines(string(text)) {
		number++
		switch line = strings.TrimSpace(line); {
		case line == "":
			reason = false
		case strings.HasPrefix(line, "#"):
			reason = true
		case !reason:
			return nil, fmt.Errorf("%s:%d: no reason stands over %q", path, number, line)
		case slices.Contains(d.patterns, line):
			return nil, fmt.Errorf("%s:%d: %q is there twice", path, number, line)
		default:
			d.patterns = append(d.patterns, line)
		}
	}
	return d, nil
}

// Known says whether a difference is listed, and notes that it was met.
func (d *Deviations) Known(difference string) bool {
	known := false
	for _, p := range d.patterns {
		if glob(p, difference) {
			known, d.met[p] = true, true
		}
	}
	return known
}

// Unmet are the lines that no difference has met: they are out of date.
func (d *Deviations) Unmet() []string {
	var unmet []string
	for _, p := range d.patterns {
		if !d.met[p] {
			unmet = append(unmet, p)
		}
	}
	return unmet
}

// Hold says what is wrong with a list for these differences, a line each: a difference that is not listed, and a line
// that no difference meets.
func (d *Deviations) Hold(differences []string) []string {
	var wrong []string
	for _, line := range differences {
		if !d.Known(line) {
			wrong = append(wrong, fmt.Sprintf("differs, and is not in %s:\n%s", d.path, line))
		}
	}
	for _, line := range d.Unmet() {
		wrong = append(wrong, fmt.Sprintf("is in %s, and nothing differs so:\n%s", d.path, line))
	}
	return wrong
}

// glob matches a text against a pattern in which * stands for any text.
func glob(pattern, text string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	text, ok := strings.CutPrefix(text, first)
	if !star || !ok {
		return ok && text == ""
	}
	for star {
		var piece string
		piece, rest, star = strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(text, piece)
		}
		_, after, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = after
	}
	return true
}
