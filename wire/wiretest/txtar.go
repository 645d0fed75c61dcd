package wiretest

import (
	"fmt"
	"strings"
)

// archive is a txtar file: prose, then named sections.
type archive struct {
	comment  string
	sections []section
}

type section struct{ name, data string }

func parseArchive(text string) archive {
	var a archive
	var cur *section
	for line := range strings.Lines(text) {
		if name, ok := marker(line); ok {
			a.sections = append(a.sections, section{name: name})
			cur = &a.sections[len(a.sections)-1]
			continue
		}
		if cur == nil {
			a.comment += line
		} else {
			cur.data += line
		}
	}
	return a
}

func marker(line string) (string, bool) {
	line = strings.TrimRight(line, "\r\n")
	name, ok := strings.CutPrefix(line, "-- ")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, " --")
	return strings.TrimSpace(name), ok && name != ""
}

func (a archive) get(name string) (string, bool) {
	for _, s := range a.sections {
		if s.name == name {
			return s.data, true
		}
	}
	return "", false
}

func (a *archive) set(name, data string) {
	for i := range a.sections {
		if a.sections[i].name == name {
			a.sections[i].data = data
			return
		}
	}
	a.sections = append(a.sections, section{name, data})
}

func (a archive) String() string {
	var b strings.Builder
	b.WriteString(a.comment)
	for _, s := range a.sections {
		fmt.Fprintf(&b, "-- %s --\n%s", s.name, s.data)
		if s.data != "" && !strings.HasSuffix(s.data, "\n") {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// source is what the prose names after "source:", "" where the file is our own.
func (a archive) source() string {
	for line := range strings.Lines(a.comment) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), "source:"); ok {
			return strings.TrimSpace(s)
		}
	}
	return ""
}
