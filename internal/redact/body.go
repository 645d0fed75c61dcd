package redact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// Body is a request's or response's body with its keys hidden. In JSON, and in streams of JSON documents, it also finds
// keys that are split over several strings of the same name, as the deltas of a stream split them, and hides members
// that are named like a credential.
func Body(body []byte) string {
	s := string(body)
	b := bodyText{groups: map[string]*group{}}
	if !b.add(s, 0) {
		at := 0
		for line := range strings.Lines(s) {
			b.line(line, at)
			at += len(line)
		}
	}
	return Text(b.replaced(s))
}

// bodyText is a text and the JSON strings in it.
type bodyText struct {
	groups map[string]*group
	edits  []edit
}

// group are strings that have the same place in their documents. Together they are one text.
type group struct {
	text   strings.Builder
	pieces []piece
}

// piece is one string: where it stands in the body, and where its text begins in the group's.
type piece struct {
	start, end, at int
	text           string
}

// edit replaces a string of the body.
type edit struct {
	start, end int
	text       string
}

// line takes the JSON of a line: of SSE behind "data:", of NDJSON and JSON arrays as it is.
func (b *bodyText) line(line string, at int) {
	trimmed := strings.TrimLeft(line, " \t,[")
	if rest, ok := strings.CutPrefix(trimmed, "data:"); ok {
		trimmed = rest
	}
	at += len(line) - len(trimmed)
	b.add(strings.TrimRight(trimmed, "\r\n,]"), at)
}

// add takes one document. It says whether it is one.
func (b *bodyText) add(doc string, at int) bool {
	if i := strings.IndexAny(doc, "{["); i < 0 || strings.TrimSpace(doc[:i]) != "" {
		return false
	}
	v, err := jsonx.Parse(doc)
	if err != nil {
		return false
	}
	b.walk(v, at, "", "")
	return true
}

// walk collects strings by their path. Numbers named index, which tell parallel parts of a stream apart, belong to it;
// the positions in an array don't.
func (b *bodyText) walk(v jsonx.Value, at int, path, name string) {
	switch v.Kind() {
	case jsonx.Object:
		path += indexes(v)
		for key, member := range v.Members() {
			b.walk(member, at, path+"."+key, key)
		}
	case jsonx.Array:
		for _, item := range v.Items() {
			b.walk(item, at, path, name)
		}
	case jsonx.String:
		start := at + v.Offset()
		end := start + len(v.Raw())
		if credentialName(name) && v.Str() != "" {
			b.edits = append(b.edits, edit{start, end, Mark})
			return
		}
		g := b.groups[path]
		if g == nil {
			g = &group{}
			b.groups[path] = g
		}
		g.pieces = append(g.pieces, piece{start, end, g.text.Len(), v.Str()})
		g.text.WriteString(v.Str())
	}
}

// indexes are the numbers of an object that tell parallel parts apart.
func indexes(v jsonx.Value) string {
	var b strings.Builder
	for key, member := range v.Members() {
		if member.Kind() == jsonx.Number && strings.HasSuffix(key, "index") {
			b.WriteString("#" + member.Raw())
		}
	}
	return b.String()
}

// credentialName says whether a JSON member of that name holds a credential.
func credentialName(name string) bool {
	switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name)) {
	case "apikey", "xapikey", "accesstoken", "refreshtoken", "clientsecret", "secretaccesskey", "authorization", "password":
		return true
	}
	return false
}

// replaced is the body without the keys in its strings.
func (b *bodyText) replaced(s string) string {
	for _, g := range b.groups {
		text := g.text.String()
		if !mayHoldKey(text) {
			continue
		}
		if found := keys.FindAllStringIndex(text, -1); found != nil {
			for _, p := range g.pieces {
				if hidden := p.without(found); hidden != p.text {
					b.edits = append(b.edits, edit{p.start, p.end, hidden})
				}
			}
		}
	}
	slices.SortFunc(b.edits, func(x, y edit) int { return cmp.Compare(x.start, y.start) })
	var out []byte
	last := 0
	for _, e := range b.edits {
		out = append(out, s[last:e.start]...)
		out = jsonx.AppendString(out, e.text)
		last = e.end
	}
	return string(append(out, s[last:]...))
}

// without is the piece without the keys that were found in the group's text: the mark stands where a key begins.
func (p piece) without(found [][]int) string {
	var out strings.Builder
	last := 0
	for _, f := range found {
		from, to := f[0]-p.at, f[1]-p.at
		if to <= 0 || from >= len(p.text) {
			continue
		}
		if from >= last {
			out.WriteString(p.text[last:from])
			out.WriteString(Mark)
		}
		last = min(to, len(p.text))
	}
	out.WriteString(p.text[last:])
	return out.String()
}
