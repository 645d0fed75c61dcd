package wire

import (
	"encoding/json"
	"iter"
	"time"
)

// Env is what a codec may know of the world. There is one per namespace.
type Env interface {
	// Now is the time that answers are dated with.
	Now() time.Time
	// Store keeps what the provider would keep.
	Store() Store
	// Models are the names of a model list that no stub answers.
	Models() []string
	// Ask sends a request through the whole pipeline once more, for endpoints that are made of others.
	Ask(*Probe) Response
}

// Store keeps a provider's objects: bounded in entries and bytes, the least recently used go first.
type Store interface {
	Put(kind, id string, o Object)
	Get(kind, id string) (Object, bool)
	Delete(kind, id string) bool
	List(kind string) iter.Seq2[string, Object]
}

// Object is one thing in a Store. What is there depends on its kind.
type Object struct {
	Turn *Turn // what a continued conversation reads
	Body []byte
	// Frames are the events of a stored stream.
	Frames []Frame
	// Due is when a background answer is ready: its state is a function of the time.
	Due time.Time
	// Ended is when it was cancelled, or zero.
	Ended time.Time
}

// Call is one request on its way: what came, what was read, and what the codec may know.
type Call struct {
	Probe    *Probe
	Endpoint *Endpoint
	Request  *Request
	Env      Env
	// Seed makes every id and padding of the answer: it comes from the server's seed, the namespace, the request, and
	// how often the same request came before.
	Seed uint64
	// Quirks are a stub's deviations from the provider's usual form, as JSON; a codec reads those it knows.
	Quirks json.RawMessage
	// SignaturesAny lets signatures pass that this server did not make.
	SignaturesAny bool
	// Stub is the name of the stub that answers, for the codec to say in a diagnostic; it never travels.
	Stub string
	// Speed is how fast the answer is to leave, for wires that tell how long it took. It is planned, never measured.
	Speed Speed

	// Remember is what the codec wants the store to keep once the answer leaves. The pipeline runs it.
	Remember func()
}

// Speed is how fast an answer leaves. Zero is at once, or nobody said.
type Speed struct {
	// Delay is the time before the status line, FirstToken the time from there to the first token.
	Delay, FirstToken time.Duration
	TokensPerSecond   float64
}

// Known says whether anybody said how fast the answer leaves.
func (s Speed) Known() bool { return s != Speed{} }

// After is when the answer has said so many tokens, counted from when it was asked for.
func (s Speed) After(tokens int) time.Duration {
	return s.Delay + s.FirstToken + s.Taking(tokens)
}

// Taking is how long so many tokens take.
func (s Speed) Taking(tokens int) time.Duration {
	if s.TokensPerSecond <= 0 {
		return 0
	}
	return time.Duration(float64(tokens) / s.TokensPerSecond * float64(time.Second))
}
