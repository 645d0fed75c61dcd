package captures

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
)

// Body is a response whose shape can be compared. Only Data need be set.
type Body struct {
	Data   []byte
	Status int // 0: unknown, and not compared
	Header Header
	// PayloadLines says that Data has the payloads of a stream, one a line.
	PayloadLines bool
}

// The forms of a body.
const (
	EventStream = "eventstream" // AWS frames
	Payloads    = "payloads"    // the payloads of any stream, one a line
	SSE         = "sse"
	JSON        = "json"
	Array       = "array" // a stream as one JSON array
	NDJSON      = "ndjson"
	Text        = "text"
)

// content is what a body holds: named JSON values, and facts about what is
// around them.
type content struct {
	form    string
	events  []event
	framing set // nil: not known
}

type event struct {
	name  string // "" for the one value of a plain JSON body
	value any
}

type set map[string]bool

func (c *content) fact(format string, args ...any) { c.framing[fmt.Sprintf(format, args...)] = true }

// add decodes an event. An empty name is replaced by one found in the value.
func (c *content) add(name, data string) error {
	v, err := decode([]byte(data))
	if err != nil {
		return err
	}
	if name == "" {
		name = nameOf(v)
	}
	c.events = append(c.events, event{name, v})
	return nil
}

var (
	sseStart     = regexp.MustCompile(`^\x{feff}?(?:data|event|id|retry)?:`)
	indented     = regexp.MustCompile(`^\s*[\[{]\r?\n`)
	jsonString   = regexp.MustCompile(`"(?:\\.|[^"\\])*"`)
	spaced       = regexp.MustCompile(`[,:] `)
	blankLine    = regexp.MustCompile(`\r?\n\r?\n`)
	lineEnd      = regexp.MustCompile(`\r?\n`)
	digits       = regexp.MustCompile(`\d+`)
	paddedBrace  = regexp.MustCompile(`\s\}$`)
	afterTheName = regexp.MustCompile(`:.*`)
)

// look finds the form of a body and takes it apart.
func look(b Body) (*content, error) {
	data := b.Data
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(z); err != nil {
			return nil, err
		}
	}
	c := &content{framing: set{}}
	if len(data) > 16 && data[0] == 0 {
		frames, err := splitFrames(data)
		if err != nil {
			return nil, err
		}
		return c, c.readFrames(frames)
	}
	text := strings.ToValidUTF8(string(data), "\ufffd")
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	switch {
	case b.PayloadLines:
		c.readPayloads(text)
		c.framing = nil
	case sseStart.MatchString(trimmed):
		c.readSSE(text)
	default:
		v, err := decode([]byte(text))
		switch {
		case err == nil:
			c.readJSON(text, v)
		case strings.HasPrefix(trimmed, "{"):
			c.readNDJSON(text)
		default:
			c.form = Text
			t := begin(strings.TrimSpace(text), 40)
			if t == "" {
				t = "(empty)"
			}
			c.fact("text: %s", t)
		}
	}
	return c, nil
}

func (c *content) readPayloads(text string) {
	c.form = Payloads
	for l := range strings.SplitSeq(text, "\n") {
		if l = strings.TrimSpace(l); l == "" || l == "[DONE]" {
			continue
		}
		if c.add("", l) != nil {
			c.events = append(c.events, event{name: "line that is no JSON: " + begin(l, 30)})
		}
	}
}

func (c *content) readSSE(text string) {
	c.form = SSE
	if strings.Contains(text, "\r\n") {
		c.fact("line end CRLF")
	} else {
		c.fact("line end LF")
	}
	blocks := blankLine.Split(text, -1)
	if blocks[len(blocks)-1] == "" {
		c.fact("last event ends with a blank line")
	} else {
		c.fact("no blank line after the last event")
	}
	for _, b := range blocks {
		if b != "" {
			c.readSSEEvent(lineEnd.Split(b, -1))
		}
	}
}

func (c *content) readSSEEvent(lines []string) {
	name := ""
	var data []string
	for _, l := range lines {
		if strings.HasPrefix(l, ":") {
			c.fact("comment %s", begin(digits.ReplaceAllString(l, "9"), 30))
		} else if v, ok := strings.CutPrefix(l, "event:"); ok {
			name = strings.TrimSpace(v)
		} else if v, ok := strings.CutPrefix(l, "data:"); ok {
			v, space := strings.CutPrefix(v, " ")
			if space {
				c.fact(`"data:" with space`)
			} else {
				c.fact(`"data:" without space`)
			}
			data = append(data, v)
		} else if l != "" {
			c.fact("line %s", begin(afterTheName.ReplaceAllString(l, ":"), 20))
		}
	}
	if data == nil {
		return
	}
	if name != "" {
		c.fact("with event: line")
	} else {
		c.fact("without event: line")
	}
	s := strings.Join(data, "\n")
	if strings.TrimSpace(s) == "[DONE]" {
		c.fact("[DONE]")
		return
	}
	if paddedBrace.MatchString(s) {
		c.fact("spaces before the last brace")
	}
	if len(data) > 1 {
		c.fact("several data: lines in one event")
	}
	if c.add(name, s) != nil {
		c.fact("data that is no JSON")
		return
	}
	v := c.events[len(c.events)-1].value
	if name != "" && has(v, "type") && get(v, "type") != any(name) {
		c.fact("event name differs from type")
	}
}

func (c *content) readJSON(text string, v any) {
	switch {
	case indented.MatchString(text):
		c.fact("JSON indented")
	case !spaced.MatchString(jsonString.ReplaceAllString(text, `""`)):
		c.fact("JSON compact")
	default:
		c.fact("JSON with spaces")
	}
	if strings.HasSuffix(text, "\n") {
		c.fact("ends with a line end")
	}
	if f := first(v); has(f, "candidates") || has(f, "error") {
		c.form = Array
		c.fact("array of chunks")
		for _, x := range v.([]any) {
			c.events = append(c.events, event{nameOf(x), x})
		}
		return
	}
	c.form = JSON
	c.events = []event{{"", v}}
}

func (c *content) readNDJSON(text string) {
	c.form = NDJSON
	c.fact("one record per line")
	if strings.HasSuffix(text, "\n") {
		c.fact("last line ends with a line end")
	} else {
		c.fact("last line is open")
	}
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) != "" && c.add("", l) != nil {
			c.fact("line that is no JSON")
		}
	}
}

// begin returns the first n runes of s.
func begin(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
