package captures

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Options say what [Diff] compares beside keys, types, events and framing.
type Options struct {
	Order       bool // compare the order of keys inside objects
	Headers     bool // compare the names of response headers, and the content type
	NoFraming   bool // do not compare framing
	NoSometimes bool // do not report a key that only one side has always
}

// Diff returns how the shapes of two bodies differ, a line each; none if they
// are the same. A body that cannot be read always makes a difference.
func Diff(a, b Body, o Options) []string {
	var out lines
	sa, errA := Look(a)
	sb, errB := Look(b)
	if errA != nil {
		out.add("body: A cannot be read: %v", errA)
	}
	if errB != nil {
		out.add("body: B cannot be read: %v", errB)
	}
	if len(out) > 0 {
		return out
	}
	if sa.Form != sb.Form && sa.Form != Payloads && sb.Form != Payloads {
		out.add("body: A is %s, B is %s", sa.Form, sb.Form)
	}
	if a.Status != 0 && b.Status != 0 && a.Status != b.Status {
		out.add("status: A %d, B %d", a.Status, b.Status)
	}
	if !o.NoFraming && sa.framing != nil && sb.framing != nil {
		out.sets("framing", sa.framing, sb.framing)
	}
	out.paths(sa.paths, sb.paths, o)
	if !slices.Equal(sa.Events, sb.Events) && (len(sa.Events) > 1 || len(sb.Events) > 1) {
		out.add("events: A: %s", strings.Join(sa.Events, " > "))
		out.add("events: B: %s", strings.Join(sb.Events, " > "))
	}
	if o.Order {
		out.orders(sa.paths, sb.paths)
	}
	if o.Headers {
		out.sets("header", headerNames(a.Header), headerNames(b.Header))
		if ta, tb := a.Header.Get("Content-Type"), b.Header.Get("Content-Type"); ta != tb {
			out.add("header: content-type: A %q, B %q", ta, tb)
		}
	}
	return out
}

type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

func (l *lines) sets(title string, a, b set) {
	for _, x := range onlyIn(a, b) {
		l.add("%s: only in A: %s", title, x)
	}
	for _, x := range onlyIn(b, a) {
		l.add("%s: only in B: %s", title, x)
	}
}

func (l *lines) paths(a, b map[string]*path, o Options) {
	for _, x := range onlyIn(a, b) {
		l.add("key: only in A: %s (%s)", x, a[x].typeNames())
	}
	for _, x := range onlyIn(b, a) {
		l.add("key: only in B: %s (%s)", x, b[x].typeNames())
	}
	for _, x := range slices.Sorted(maps.Keys(a)) {
		pa, pb := a[x], b[x]
		if pb == nil {
			continue
		}
		if ta, tb := pa.settledTypes(), pb.settledTypes(); ta != tb {
			l.add("type: %s: A %s, B %s", x, ta, tb)
		}
		if !o.NoSometimes && pa.parent != nil && pb.parent != nil && pa.always() != pb.always() {
			l.add("presence: %s: %s in A, %s in B", x, howOften(pa), howOften(pb))
		}
	}
}

func howOften(p *path) string {
	if p.always() {
		return "always"
	}
	return "sometimes"
}

// orders reports the pairs of keys that one side always writes in one order
// and the other side always in the other.
func (l *lines) orders(a, b map[string]*path) {
	for _, x := range slices.Sorted(maps.Keys(a)) {
		if b[x] == nil {
			continue
		}
		pa, pb := pairs(a[x].orders), pairs(b[x].orders)
		var found [][2]string
		for p := range pa {
			back := [2]string{p[1], p[0]}
			if pb[back] && !pb[p] && !pa[back] {
				found = append(found, p)
			}
		}
		slices.SortFunc(found, func(p, q [2]string) int {
			return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
		})
		for _, p := range found {
			l.add("order: %s: A has %s before %s, B the reverse", x, p[0], p[1])
		}
	}
}

func pairs(orders map[string][]string) map[[2]string]bool {
	m := map[[2]string]bool{}
	for _, keys := range orders {
		for i, x := range keys {
			for _, y := range keys[i+1:] {
				m[[2]string{x, y}] = true
			}
		}
	}
	return m
}

func onlyIn[V, W any](a map[string]V, b map[string]W) []string {
	var out []string
	for x := range a {
		if _, ok := b[x]; !ok {
			out = append(out, x)
		}
	}
	slices.Sort(out)
	return out
}

func headerNames(h Header) set {
	s := set{}
	for _, f := range h {
		s[strings.ToLower(f.Name)] = true
	}
	return s
}
