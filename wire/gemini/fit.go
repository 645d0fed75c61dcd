package gemini

import (
	"fmt"

	"github.com/mimus-go/mimus/wire"
)

// Fit makes an answer of the parts that this wire has, in the order in which it can be read back.
func (generate) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	f := newFitter(c)
	r = f.shape(r)
	choices := make([]wire.Answer, len(r.Choices))
	for i, a := range r.Choices {
		a.Parts = f.parts(a.Parts)
		choices[i] = a
	}
	if r.Choices = choices; len(choices) == 0 {
		r.Choices = nil
	}
	f.ids(r.Choices)
	counted := r.Usage
	r = wire.Complete(c, r, "call_")
	for i := range r.Choices {
		a := &r.Choices[i]
		if len(a.Parts) == 0 {
			a.Parts = nil
		}
		f.anonymous(a.Parts)
		f.stop(a)
	}
	r.Usage = f.usage(r, counted)
	return r, f.lost
}

type fitter struct {
	c    *wire.Call
	q    Quirks
	s    surface
	gen  int
	lost []error
	// given are the ids of this answer; made is false where calls have none unless a stub gives one.
	given map[string]bool
	made  bool
	// nameless are calls that are to have no id, in their order.
	nameless []bool
}

func newFitter(c *wire.Call) *fitter {
	f := &fitter{c: c, q: quirksOf(c), s: surfaceOf(c), gen: generation(c.Request.Model)}
	// Recorded: models before 3 give no ids.
	f.made = (f.gen >= gen3 || f.q.CallIDs) && !f.q.NoCallIDs
	return f
}

func (f *fitter) lose(format string, args ...any) {
	f.lost = append(f.lost, fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), wire.ErrNotOnWire))
}

// shape leaves candidates, or a blocked prompt.
func (f *fitter) shape(r wire.Reply) wire.Reply {
	if r.Vectors != nil || r.Models != nil {
		f.lose("generated content has no embeddings and no models")
		r.Vectors, r.Models = nil, nil
	}
	switch {
	case r.Blocked == "":
		if len(r.Choices) == 0 {
			r.Choices = []wire.Answer{{}}
		}
		return r
	case len(r.Choices) > 0:
		f.lose("an answer to a blocked prompt")
	}
	r.Choices = nil
	if r.Blocked == "prompt" {
		r.Blocked = orElse(f.q.BlockReason, "SAFETY")
	}
	return r
}

// ids gives calls the ids that the model would give: eight characters on AI Studio, call_ and seven digits on Vertex
// (recorded 2026).
func (f *fitter) ids(choices []wire.Answer) {
	f.given = map[string]bool{}
	f.nameless = nil
	for _, a := range choices {
		for _, call := range a.Calls() {
			f.given[call.ID] = true
		}
	}
	for _, a := range choices {
		index := 0
		for i, p := range a.Parts {
			call, ok := p.(wire.ToolCall)
			if !ok {
				continue
			}
			f.nameless = append(f.nameless, call.ID == "" && !f.made)
			if call.ID == "" && f.made {
				call.ID = f.callID(call, index)
				f.given[call.ID] = true
				a.Parts[i] = call
			}
			index++
		}
	}
}

func (f *fitter) callID(call wire.ToolCall, index int) string {
	taken := func(hash string) bool {
		id := f.shorten(hash)
		return f.given[id] || f.c.Request.HoldsCall(id)
	}
	return f.shorten(wire.CallID("", call.Name, call.Arguments, index, taken))
}

// shorten makes an id of the surface's form from a hash in hexadecimal digits.
func (f *fitter) shorten(hash string) string {
	const studio, vertex = 8, 7
	alphabet, id, n := wire.Base36, "", studio
	if f.s.vertex {
		alphabet, id, n = wire.Hex[:10], "call_", vertex
	}
	bits := uint64(0)
	for i := 0; i < len(hash) && i < 16; i++ {
		c := hash[i]
		if c > '9' {
			c -= 'a' - 10 - '0'
		}
		bits = bits<<4 | uint64(c-'0')
	}
	b := []byte(id)
	for range n {
		b = append(b, alphabet[bits%uint64(len(alphabet))])
		bits /= uint64(len(alphabet))
	}
	return string(b)
}

// anonymous takes away the ids that Complete gave to calls that are to have none.
func (f *fitter) anonymous(parts []wire.Part) {
	for i, p := range parts {
		call, ok := p.(wire.ToolCall)
		if !ok {
			continue
		}
		if f.nameless[0] {
			call.ID = ""
			parts[i] = call
		}
		f.nameless = f.nameless[1:]
	}
}

func (f *fitter) stop(a *wire.Answer) {
	word := stopWord(a.Stop)
	switch a.Stop {
	case wire.StopSequence:
		f.lose("which stop sequence ended the answer")
	case wire.StopContext:
		f.lose("a full context is told as MAX_TOKENS")
	case wire.StopRefusal:
		f.lose("a refusal ends as any answer does")
	}
	a.Stop, a.Sequence = stopOf(word, len(a.Calls()) > 0), ""
}

// usage leaves what this wire counts.
func (f *fitter) usage(r wire.Reply, counted *wire.Usage) *wire.Usage {
	u := r.Usage
	if counted != nil && counted.CacheWrite > 0 {
		f.lose("the count of tokens written to a cache")
	}
	u.CacheWrite = 0
	if r.Blocked == "" {
		return u
	}
	if r.Blocked == modelArmor && f.s.vertex {
		// Recorded 2026-05: Model Armor blocks before anything is counted.
		return nil
	}
	u.Output, u.Reasoning = 0, 0
	return u
}

const modelArmor = "MODEL_ARMOR"
