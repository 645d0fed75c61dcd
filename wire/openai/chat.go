package openai

import (
	"github.com/mimus-go/mimus/wire"
)

// chat is POST /chat/completions.
type chat struct{}

// Refuse is the speaker's error answer.
func (chat) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }

// Encode makes the encoder of one answer.
func (chat) Encode(c *wire.Call) wire.Encoder {
	p, a := profileOf(c), askedOf(c.Request)
	e := &chatEncoder{
		c: c, p: p, a: a, functions: p.functions(a),
		id: p.responseID(c, 0), created: c.Env.Now().Unix(),
		streams: c.Request.Stream && !p.q.IgnoreStream || p.q.ForceStream,
		model:   c.Request.Model, tier: "default",
	}
	e.family = familyOf(e.model)
	if p.q.Snapshots {
		e.model = snapshot(e.model)
	}
	switch a.tier {
	case "", "auto", "default":
	default:
		e.tier = a.tier
	}
	if p.q.Fingerprint != "" {
		e.fingerprint = p.q.Fingerprint
	} else if !e.family.noFingerprint && !e.family.search {
		e.fingerprint = fingerprint(e.model)
	}
	e.choices = make([]choiceState, max(1, c.Request.Choices))
	e.rng.Seed(c.Seed, obfuscationStream)
	return e
}

// obfuscationStream tells the padding's random numbers from others of the same seed.
const obfuscationStream = 0x6f62667573636174
