package wire

// Kind says what an endpoint is for, and so who answers it.
type Kind uint8

// The kinds of endpoint.
const (
	Chat       Kind = iota // stubs answer
	Embeddings             // stubs answer
	Models                 // a stub's models or the usual list
	Resource               // state of the provider: a stored response, files, a token count
	Session                // a long-lived two-way connection
)

// String is the word that a stub file's `endpoint` condition uses.
func (k Kind) String() string {
	switch k {
	case Chat:
		return "chat"
	case Embeddings:
		return "embeddings"
	case Models:
		return "models"
	case Resource:
		return "resource"
	case Session:
		return "session"
	}
	return "unknown"
}

// Endpoint is one route of a provider. Exactly one of Codec and Serve is set.
type Endpoint struct {
	// Name is "openai.chat": what `when.wire`, the journal and reports call it.
	Name   string
	Kind   Kind
	Method string
	// Suffix is matched on the escaped path from its end, whole segments at a time: "/chat/completions",
	// "/models/{id...}", "/models/{model}:rawPredict". {x} is one segment or a part of one, {x...} one or more segments.
	// Of several matching endpoints the one with more literal text wins.
	Suffix string
	// Claims may refuse a request by its headers, query, host, dialect or body. Nil claims all.
	Claims func(*Probe) bool
	Codec  Codec
	// Serve answers from the provider's state, without a stub.
	Serve func(*Call) Response
}

// Provider is what a folder under wire/ exports: one value.
type Provider interface {
	// Name is the provider's short name: "openai".
	Name() string
	Endpoints() []Endpoint
	// Owns says how sure the provider is that a request that no endpoint claimed is meant for it. 0 is no; higher wins.
	Owns(*Probe) int
	// Refuse speaks for the provider where no endpoint does: an unknown path, a wrong method, a body too large.
	Refuse(*Probe, *Failure) Response
}

// Gatekeeper is a provider that looks at credentials and API version before it reads a body. Gate says why a request
// must not pass; nil lets it pass. The call's request may not be read yet.
type Gatekeeper interface{ Gate(*Call) *Failure }

// Lister is a provider that knows the names of a model list that nobody gave.
type Lister interface {
	// UsualModels are the provider's models that code asks for most, newest first.
	UsualModels() []string
}

// Dialecter is a provider whose paths others speak too. Dialect names the speaker, from host, path, headers and query;
// "" is the provider itself or somebody unknown.
type Dialecter interface {
	Dialect(*Probe) string
	// Dialects lists the names that Dialect may give, and that a prefix /as/NAME or an option may ask for.
	Dialects() []string
}
