package captures

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Shape is what can be compared of a body.
type Shape struct {
	// Form is one of the constants [SSE], [JSON] and so on.
	Form string
	// Events are the names of a stream's events in their order. A run of one
	// name, or of one sequence of names, is written once: "(a b)*".
	Events []string
	// Count is how many events there are.
	Count int

	framing set // nil: not known
	paths   map[string]*path
}

// path is what is known of all the values at one path of keys.
type path struct {
	types   set
	objects int                 // how many of them are objects
	held    int                 // as a key: how many objects have it
	parent  *path               // as a key: of these objects
	orders  map[string][]string // the orders in which the keys of objects come
}

// emptyArray is noted beside "array": its elements' types are not known.
const emptyArray = "array (empty)"

// free ends the paths whose objects a model or a caller chose freely.
var free = regexp.MustCompile(`(\.(input|args|arguments|properties|category_scores|categories|` +
	`category_applied_input_types|metadata|structured|structuredContent)|model_info)$`)

// Look returns the shape of a body. It fails where the body cannot be read:
// checksums, base64 or compression.
func Look(b Body) (*Shape, error) {
	c, err := look(b)
	if err != nil {
		return nil, err
	}
	s := &Shape{Form: c.form, Count: len(c.events), framing: c.framing, paths: map[string]*path{}}
	var names []string
	for _, e := range c.events {
		if len(names) == 0 || names[len(names)-1] != e.name {
			names = append(names, e.name)
		}
		root := e.name
		if root == "" {
			root = "$"
		}
		s.walk(e.value, root)
	}
	s.Events = collapse(names)
	return s, nil
}

func (s *Shape) at(name string) *path {
	p := s.paths[name]
	if p == nil {
		p = &path{types: set{}, orders: map[string][]string{}}
		s.paths[name] = p
	}
	return p
}

func (s *Shape) walk(v any, name string) {
	p := s.at(name)
	p.types[typeOf(v)] = true
	switch v := v.(type) {
	case *object:
		if free.MatchString(name) {
			return
		}
		p.orders[strings.Join(v.keys, "\x00")] = v.keys
		p.objects++
		for _, k := range v.keys {
			child := s.at(name + "." + k)
			child.held++
			child.parent = p
			s.walk(v.values[k], name+"."+k)
		}
	case []any:
		if len(v) == 0 {
			p.types[emptyArray] = true
		}
		for _, x := range v {
			tag, _ := get(x, "type").(string)
			s.walk(x, name+"["+tag+"]")
		}
	}
}

// always tells whether every object that could have this key has it.
func (p *path) always() bool { return p.held == p.parent.objects }

func (p *path) typeNames() string {
	return strings.Join(slices.Sorted(maps.Keys(p.types)), " or ")
}

// settledTypes leaves the note about empty arrays out.
func (p *path) settledTypes() string {
	types := maps.Clone(p.types)
	delete(types, emptyArray)
	return strings.Join(slices.Sorted(maps.Keys(types)), " or ")
}

// collapse writes a sequence of two to eight names that comes several times in
// a row only once.
func collapse(names []string) []string {
	var out []string
next:
	for i := 0; i < len(names); {
		for width := 2; width <= 8 && i+2*width <= len(names); width++ {
			unit := names[i : i+width]
			end := i + width
			for end+width <= len(names) && slices.Equal(unit, names[end:end+width]) {
				end += width
			}
			if end > i+width {
				out = append(out, "("+strings.Join(unit, " ")+")*")
				i = end
				continue next
			}
		}
		out = append(out, names[i])
		i++
	}
	return out
}
