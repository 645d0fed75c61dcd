package wire

import (
	"net/url"
	"slices"
	"strings"
)

// Router finds who answers a request. It is made once and safe for concurrent use.
type Router struct {
	// byTail holds the routes whose suffix ends in a plain segment, by that segment; open holds the others.
	byTail map[string][]route
	open   []route
}

type route struct {
	provider Provider
	endpoint *Endpoint
	pattern  pattern
	order    int
}

// NewRouter makes the router of several providers.
func NewRouter(providers ...Provider) *Router {
	r := &Router{byTail: map[string][]route{}}
	order := 0
	for _, p := range providers {
		endpoints := p.Endpoints()
		for i := range endpoints {
			rt := route{p, &endpoints[i], compile(endpoints[i].Suffix), order}
			order++
			if tail, ok := rt.pattern.tail(); ok {
				r.byTail[tail] = append(r.byTail[tail], rt)
			} else {
				r.open = append(r.open, rt)
			}
		}
	}
	return r
}

// Route finds the endpoint that claims a request, and the values in its path. Of several, the one with the most literal
// text in its suffix wins, then the one that comes first. The endpoint is nil where none does; methods then lists the
// methods under which the path is claimed, so that a wrong method can be told from an unknown path.
func (r *Router) Route(p *Probe) (provider Provider, e *Endpoint, vars map[string]string, methods []string) {
	path := colons(strings.TrimSuffix(p.Path, "/"))
	tail := path[strings.LastIndexByte(path, '/')+1:]
	most, order := -1, 0
	for _, list := range [2][]route{r.byTail[tail], r.open} {
		for _, rt := range list {
			literal := rt.pattern.literal
			if literal < most || literal == most && rt.order > order {
				continue
			}
			v, ok := rt.pattern.match(path)
			if !ok {
				continue
			}
			if rt.endpoint.Claims != nil {
				p.Vars = v
				if !rt.endpoint.Claims(p) {
					continue
				}
			}
			if rt.endpoint.Method != p.Method {
				methods = append(methods, rt.endpoint.Method)
				continue
			}
			provider, e, vars, most, order = rt.provider, rt.endpoint, v, literal, rt.order
		}
	}
	if e != nil {
		methods = nil
	}
	p.Vars = vars
	return provider, e, vars, methods
}

// colons unescapes colons, which are literal text of some suffixes: some clients send "model%3Averb".
func colons(path string) string {
	if !strings.Contains(path, "%3") {
		return path
	}
	return strings.NewReplacer("%3A", ":", "%3a", ":").Replace(path)
}

// pattern is a compiled suffix.
type pattern struct {
	text     string // of a pattern without variables
	segments []segment
	literal  int
}

type segment struct {
	before, name, after string
	greedy              bool
}

func compile(suffix string) pattern {
	if !strings.Contains(suffix, "{") {
		return pattern{text: suffix, literal: len(suffix)}
	}
	var p pattern
	for s := range strings.SplitSeq(strings.TrimPrefix(suffix, "/"), "/") {
		seg := segment{before: s}
		if before, rest, ok := strings.Cut(s, "{"); ok {
			name, after, _ := strings.Cut(rest, "}")
			name, greedy := strings.CutSuffix(name, "...")
			seg = segment{before, name, after, greedy}
		}
		p.segments = append(p.segments, seg)
		p.literal += len(seg.before) + len(seg.after) + 1
	}
	return p
}

func (p pattern) tail() (string, bool) {
	if p.segments == nil {
		return p.text[strings.LastIndexByte(p.text, '/')+1:], true
	}
	last := p.segments[len(p.segments)-1]
	return last.before, last.name == ""
}

// match matches the pattern on the path's end.
func (p pattern) match(path string) (map[string]string, bool) {
	if p.segments == nil {
		return nil, strings.HasSuffix(path, p.text)
	}
	if last := p.segments[len(p.segments)-1]; last.after != "" && !strings.HasSuffix(path, last.after) {
		return nil, false
	}
	// Values are kept aside until the whole pattern has matched: most do not.
	var names, values [maxVars]string
	n := 0
	rest := path
	for i, seg := range slices.Backward(p.segments) {
		cut := strings.LastIndexByte(rest, '/')
		if cut < 0 {
			return nil, false
		}
		if seg.greedy {
			if i == 0 {
				return nil, false
			}
			// A greedy variable reaches back to the last segment that is the literal before it.
			at := strings.LastIndex(rest, "/"+p.segments[i-1].before+"/")
			if at < 0 {
				return nil, false
			}
			at += len(p.segments[i-1].before) + 1
			cut = at
		}
		value, ok := strings.CutPrefix(rest[cut+1:], seg.before)
		if !ok {
			return nil, false
		}
		value, ok = strings.CutSuffix(value, seg.after)
		if !ok || (value == "") != (seg.name == "") {
			return nil, false
		}
		if seg.name != "" {
			names[n], values[n] = seg.name, value
			n++
		}
		rest = rest[:cut]
	}
	vars := make(map[string]string, n)
	for i, name := range names[:n] {
		vars[name] = unescape(values[i])
	}
	return vars, true
}

// maxVars is how many variables a suffix can have.
const maxVars = 8

func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// NewRequest is an empty request of the call's endpoint, for Decode to fill.
func (c *Call) NewRequest(p Provider) *Request {
	return &Request{
		Endpoint: c.Endpoint.Name, Provider: p.Name(), Kind: c.Endpoint.Kind, Dialect: c.Probe.Dialect,
		Choices: 1, Probe: c.Probe,
	}
}
