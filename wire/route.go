package wire

import (
	"net/url"
	"strings"
)

// Route finds the endpoint that claims a request, and the values in its path. Of several, the one with the most literal
// text in its suffix wins, then the one that comes first. It is nil where none does.
func Route(endpoints []Endpoint, p *Probe) (*Endpoint, map[string]string) {
	var best *Endpoint
	var vars map[string]string
	most := -1
	for i := range endpoints {
		e := &endpoints[i]
		if e.Method != p.Method {
			continue
		}
		v, literal, ok := matchSuffix(e.Suffix, p.Path)
		if !ok || literal <= most || e.Claims != nil && !e.Claims(p) {
			continue
		}
		best, vars, most = e, v, literal
	}
	return best, vars
}

// Methods lists the methods under which a path is claimed: where there are any, another method is the wrong one.
func Methods(endpoints []Endpoint, p *Probe) []string {
	var methods []string
	for i := range endpoints {
		if _, _, ok := matchSuffix(endpoints[i].Suffix, p.Path); ok {
			methods = append(methods, endpoints[i].Method)
		}
	}
	return methods
}

// matchSuffix matches a pattern on the path's end, whole segments at a time. literal is how much of the pattern is text.
func matchSuffix(pattern, path string) (vars map[string]string, literal int, ok bool) {
	path = strings.TrimSuffix(path, "/")
	if !strings.Contains(pattern, "{") {
		return nil, len(pattern), strings.HasSuffix(path, pattern)
	}
	want := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	have := strings.Split(strings.TrimPrefix(path, "/"), "/")
	vars = map[string]string{}
	i, j := len(want)-1, len(have)-1
	for i >= 0 {
		if j < 0 {
			return nil, 0, false
		}
		w := want[i]
		if name, rest, greedy := greedyVar(w); greedy {
			last, okRest := strings.CutSuffix(have[j], rest)
			if !okRest || i == 0 {
				return nil, 0, false
			}
			// The segments up to the last one that is the literal before.
			before := want[i-1]
			k := j - 1
			for k >= 0 && have[k] != before {
				k--
			}
			if k < 0 || last == "" && k == j-1 {
				return nil, 0, false
			}
			value := strings.Join(append(append([]string(nil), have[k+1:j]...), last), "/")
			vars[name] = unescape(value)
			literal += len(rest)
			j = k
			i--
			continue
		}
		n, okSegment := matchSegment(w, have[j], vars)
		if !okSegment {
			return nil, 0, false
		}
		literal += n + 1
		i--
		j--
	}
	return vars, literal, true
}

// greedyVar reads "{id...}" and what follows it in the same segment.
func greedyVar(segment string) (name, rest string, ok bool) {
	if !strings.HasPrefix(segment, "{") {
		return "", "", false
	}
	name, rest, ok = strings.Cut(segment[1:], "...}")
	return name, rest, ok
}

// matchSegment matches one segment with at most one {x} in it.
func matchSegment(want, have string, vars map[string]string) (literal int, ok bool) {
	before, tail, ok := strings.Cut(want, "{")
	if !ok {
		return len(want), want == have
	}
	name, after, _ := strings.Cut(tail, "}")
	value, ok := strings.CutPrefix(have, before)
	if !ok {
		return 0, false
	}
	value, ok = strings.CutSuffix(value, after)
	if !ok || value == "" {
		return 0, false
	}
	vars[name] = unescape(value)
	return len(before) + len(after), true
}

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
