package cli

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// screen prints for people, in colour where that is wanted.
type screen struct {
	w       io.Writer
	colours bool
}

// The colours, as terminals know them.
const (
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	red   = "\x1b[31m"
	green = "\x1b[32m"
	plain = "\x1b[0m"
)

func (s screen) line(colour, text string) {
	if colour != "" && s.colours {
		text = colour + text + plain
	}
	fmt.Fprintln(s.w, text)
}

// block shows a text, indented.
func (s screen) block(text string) {
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		s.line(dim, "    "+strings.TrimRight(line, "\n"))
	}
}

const (
	columns    = 110
	wholeLines = 4
	headEvents = 3
	tailEvents = 2
)

// answer shows the beginning of a whole answer, or the first and last events of a stream.
func (s screen) answer(resp *http.Response, body []byte, stream bool) {
	kind := resp.Header.Get("Content-Type")
	text := strings.TrimRight(string(body), "\n")
	if !stream {
		if jsonx.Valid(text) {
			text = string(jsonx.AppendCompact(nil, text))
		}
		s.line("", fmt.Sprintf("  %d %s, %d bytes", resp.StatusCode, kind, len(body)))
		lines := wrap(text, columns)
		for _, line := range lines[:min(wholeLines, len(lines))] {
			s.line(dim, "    "+line)
		}
		if len(lines) > wholeLines {
			s.line(dim, "    …")
		}
		return
	}
	events := strings.Split(text, "\n\n")
	s.line("", fmt.Sprintf("  %d %s, %d events", resp.StatusCode, kind, len(events)))
	for i, event := range events {
		switch {
		case i < headEvents || i >= len(events)-tailEvents:
			s.line(dim, "    "+middleOut(strings.ReplaceAll(event, "\n", "  ")))
		case i == headEvents:
			s.line(dim, fmt.Sprintf("    … %d more …", len(events)-headEvents-tailEvents))
		}
	}
}

// wrap cuts a text into lines of at most n characters.
func wrap(text string, n int) []string {
	var lines []string
	for line := range strings.Lines(text) {
		runes := []rune(strings.TrimRight(line, "\n"))
		for len(runes) > n {
			lines = append(lines, string(runes[:n]))
			runes = runes[n:]
		}
		lines = append(lines, string(runes))
	}
	return lines
}

// middleOut leaves the middle of a long event out: what matters most stands at the end of it.
func middleOut(text string) string {
	const first = 36
	if runes := []rune(text); len(runes) > columns {
		return string(runes[:first]) + " … " + string(runes[len(runes)-(columns-first):])
	}
	return text
}
