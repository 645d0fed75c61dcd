package stub

import (
	"fmt"
	"regexp"
	"strings"
)

// Text is a condition on a text. Its zero value wants nothing.
type Text struct {
	kind textKind
	text string
	re   *regexp.Regexp
}

type textKind uint8

const (
	contains textKind = iota
	equals
	matches
)

// Contains wants a case-sensitive substring.
func Contains(text string) Text { return Text{kind: contains, text: text} }

// Equals wants the whole text.
func Equals(text string) Text { return Text{kind: equals, text: text} }

// Matches wants a regular expression (RE2) to be found in the text.
func Matches(re *regexp.Regexp) Text { return Text{kind: matches, text: re.String(), re: re} }

// Match says whether a text is what is wanted.
func (t Text) Match(s string) bool {
	switch t.kind {
	case equals:
		return s == t.text
	case matches:
		return t.re.MatchString(s)
	}
	return strings.Contains(s, t.text)
}

// anchor is a text that any text that matches holds, or "".
func (t Text) anchor() string {
	if t.kind == matches {
		return ""
	}
	return t.text
}

// String says what is wanted.
func (t Text) String() string {
	switch t.kind {
	case equals:
		return fmt.Sprintf("equal to %q", t.text)
	case matches:
		return fmt.Sprintf("matching %q", t.text)
	}
	return fmt.Sprintf("%q", t.text)
}

// Glob says whether a pattern with * (any text) and ? (one character) describes all of s.
func Glob(pattern, s string) bool {
	p, t := []rune(pattern), []rune(s)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(t) {
		switch {
		case i < len(p) && (p[i] == '?' || p[i] == t[j]) && p[i] != '*':
			i++
			j++
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case star >= 0:
			i = star + 1
			mark++
			j = mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
