package openai

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// vendorFiles are the speakers of this wire, one a file. A new one needs no code.
//
//go:embed vendors/*.json
var vendorFiles embed.FS

// vendor is one speaker.
type vendor struct {
	name string
	// hosts are exact names, or "*.example.com".
	hosts []string
	// paths are pieces that only this speaker's paths have; within names the speaker on whose hosts that counts too.
	paths   []string
	within  string
	profile *profile
}

// unknown is the speaker where nobody knows who it is: OpenAI, with reasoning in both usual fields.
const (
	unknown  = ""
	official = "openai"
	azure    = "azure"
)

// speakers are all vendors, in the order of their names, and the same by name.
type speakers struct {
	list   []vendor
	byName map[string]*vendor
	// byHost, byDomain and byPath are how a request is told to be meant for one.
	byHost   map[string]string
	byDomain []sign
	byPath   []sign
}

// sign is a piece of a host or a path that names a speaker; within is as in vendor.
type sign struct{ piece, name, within string }

// index prepares what every request is looked up in.
func (s *speakers) index() {
	s.byHost = map[string]string{}
	for i := range s.list {
		v := &s.list[i]
		for _, h := range v.hosts {
			if suffix, ok := strings.CutPrefix(h, "*"); ok {
				s.byDomain = append(s.byDomain, sign{suffix, v.name, ""})
			} else {
				s.byHost[h] = v.name
			}
		}
		for _, p := range v.paths {
			s.byPath = append(s.byPath, sign{p, v.name, v.within})
		}
	}
}

// ofHost is who answers under a host, or unknown.
func (s *speakers) ofHost(host string) string {
	if name, ok := s.byHost[host]; ok {
		return name
	}
	for _, d := range s.byDomain {
		if strings.HasSuffix(host, d.piece) {
			return d.name
		}
	}
	return unknown
}

var loadSpeakers = sync.OnceValue(func() *speakers {
	s, err := readSpeakers()
	if err != nil {
		// The files are part of the program, and a test reads them all.
		return &speakers{byName: map[string]*vendor{unknown: {profile: &profile{}}}}
	}
	s.index()
	return s
})

func readSpeakers() (*speakers, error) {
	entries, err := vendorFiles.ReadDir("vendors")
	if err != nil {
		return nil, err
	}
	docs := map[string]jsonx.Value{}
	var names []string
	for _, e := range entries {
		text, err := vendorFiles.ReadFile(path.Join("vendors", e.Name()))
		if err != nil {
			return nil, err
		}
		doc, err := jsonx.ParseBytes(text)
		if err != nil {
			return nil, fmt.Errorf("vendors/%s: %w", e.Name(), err)
		}
		name := strings.TrimSuffix(e.Name(), ".json")
		docs[name] = doc
		names = append(names, name)
	}
	s := &speakers{byName: map[string]*vendor{}}
	for _, name := range names {
		doc := docs[name]
		q, err := extend(docs, name, 0)
		if err != nil {
			return nil, err
		}
		v := vendor{name: name, hosts: texts(doc.Get("hosts")), paths: texts(doc.Get("paths")), within: doc.Get("within").Str()}
		if name == "unknown" {
			v.name = unknown
		}
		if v.profile, err = newProfile(v.name, q); err != nil {
			return nil, fmt.Errorf("vendors/%s.json: %w", name, err)
		}
		s.list = append(s.list, v)
	}
	for i := range s.list {
		s.byName[s.list[i].name] = &s.list[i]
	}
	return s, nil
}

const maxExtends = 8

// extend gives the quirks of a vendor: those of the one it extends, and its own.
func extend(docs map[string]jsonx.Value, name string, depth int) (Quirks, error) {
	doc, ok := docs[name]
	if !ok || depth > maxExtends {
		return Quirks{}, fmt.Errorf("vendors: %q extends itself or nobody", name)
	}
	var q Quirks
	if base := doc.Get("extends").Str(); base != "" {
		var err error
		if q, err = extend(docs, base, depth+1); err != nil {
			return q, err
		}
	}
	if plain, _ := doc.Get("plain").Bool(); plain {
		q.plain()
	}
	for key := range doc.Get("quirks").Members() {
		if !slices.Contains(QuirkNames(), key) {
			return q, fmt.Errorf("vendors/%s.json: there is no quirk %q", name, key)
		}
	}
	if err := q.set(doc.Get("quirks")); err != nil {
		return q, fmt.Errorf("vendors/%s.json: %w", name, err)
	}
	return q, nil
}

// plain takes from what was extended what only its own servers do: headers, indentation, dressed-up errors.
func (q *Quirks) plain() {
	q.Indent, q.LineEnd, q.Snapshots = 0, false, false
	q.Headers, q.ErrorHeaders, q.StreamHeaders, q.BodyHeaders = nil, nil, nil, nil
	rows := make([]errorWords, len(q.Errors))
	for i, w := range q.Errors {
		w.indent, w.lineEnd, w.contentType, w.bare, w.headers, w.layout = -1, false, "", false, nil, nil
		w.message = orElse(w.plain, w.message)
		rows[i] = w
	}
	q.Errors = rows
}

func texts(v jsonx.Value) []string {
	var list []string
	for _, item := range v.Items() {
		list = append(list, item.Str())
	}
	return list
}
