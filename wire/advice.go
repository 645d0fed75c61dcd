package wire

import "time"

// Prospect says whether asking again unchanged can help.
type Prospect uint8

// The prospects.
const (
	Unknown Prospect = iota
	MayHelp
	WillNotHelp
)

// String is the prospect in words.
func (p Prospect) String() string {
	switch p {
	case MayHelp:
		return "may help"
	case WillNotHelp:
		return "will not help"
	}
	return "unknown"
}

// Advice is what a client can do about a failure. Delay is the provider's; 0 means to back off by its own rule.
type Advice struct {
	Prospect Prospect
	Delay    time.Duration
}

// Advice says whether a retry can help: by the kind where the kind alone decides, such as an exhausted quota, whatever
// status it came with; by the status of an error response; and by the provider's own code of an error inside a stream. A
// code or a status that says nothing is not guessed at.
func (f *Failure) Advice() Advice { return Advice{Prospect: f.prospect(), Delay: f.RetryAfter} }

func (f *Failure) prospect() Prospect {
	const firstError = 400
	switch f.Kind {
	case Quota, Canceled, ContentFilter, ContextLength:
		return WillNotHelp
	case Transport:
		return MayHelp
	case Unusable:
		return Unknown
	}
	if f.Status >= firstError {
		return f.prospectOfStatus()
	}
	if c, ok := codes[f.Code]; ok {
		return c.prospect
	}
	// Beside a code that nobody knows, the type of all errors that are nobody else's says nothing.
	if c, ok := codes[f.Type]; ok && (f.Code == "" || c.kind != ServerError) {
		return c.prospect
	}
	if f.Code != "" || f.Status != 0 {
		return Unknown
	}
	return f.prospectOfKind()
}

// prospectOfStatus knows the statuses that say something. 529 is Anthropic's alone.
func (f *Failure) prospectOfStatus() Prospect {
	switch f.Status {
	case 408, 429, 500, 502, 503, 504:
		return MayHelp
	case 400, 401, 403, 404, 405, 406, 410, 413, 415, 422, 501, 505:
		return WillNotHelp
	case 529:
		if f.Type == "overloaded_error" || f.Code == "overloaded_error" {
			return MayHelp
		}
	}
	return Unknown
}

// prospectOfKind is that of a failure with neither status nor code.
func (f *Failure) prospectOfKind() Prospect {
	switch f.Kind {
	case RateLimit, Overloaded, Timeout:
		return MayHelp
	case ServerError:
		// An error in a stream that says nothing else is read as this kind.
		if f.Sent != Completed {
			return MayHelp
		}
	case Auth, Permission, NotFound, Invalid, TooLarge:
		return WillNotHelp
	}
	return Unknown
}

// String is how far the request got, in words.
func (s Sent) String() string {
	switch s {
	case MaybeSent:
		return "maybe sent"
	case Completed:
		return "completed"
	}
	return "not sent"
}

// Describe is one line for a log: the failure, whose it is, and how far the request got.
func (f *Failure) Describe(provider string) string {
	return f.Error() + " (" + provider + ", " + f.Sent.String() + ")"
}

// Failure is what a client must take a whole answer for that is none: a prompt that the provider blocked, or an answer
// that its filter ended. It is nil for every other answer, a model's own refusal and one that came to its limit of tokens
// included. Anthropic has one word for a filter and a refusal; without a refusal's words, it is the filter's.
func (r Reply) Failure() *Failure {
	if r.Blocked != "" {
		return &Failure{Kind: ContentFilter, Param: "prompt", Code: r.Blocked, Message: "the provider blocked the prompt", Sent: Completed, Usage: r.Usage}
	}
	for _, a := range r.Choices {
		if a.Stop.filters() || a.Stop == StopRefusal && !a.refuses() {
			return &Failure{
				Kind: ContentFilter, Param: "output", Code: a.Stop.ownWord(), Message: "the provider's filter ended the answer", Sent: Completed,
				PartialOutput: len(a.Parts) > 0, Usage: r.Usage,
			}
		}
	}
	return nil
}

// filters says whether a reason to stop is a filter's. Gemini has a word for each of its filters
// (ai.google.dev/api/generate-content#FinishReason, Aug 2026).
func (s Stop) filters() bool { return s == StopSafety || s.ownWord() != "" }

// ownWord is the reason that a provider's filter has a word of its own for.
func (s Stop) ownWord() string {
	switch s {
	case "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT":
		return string(s)
	}
	return ""
}

func (a Answer) refuses() bool {
	for _, p := range a.Parts {
		if _, ok := p.(Refusal); ok {
			return true
		}
	}
	return false
}
