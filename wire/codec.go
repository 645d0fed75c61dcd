package wire

import (
	"io"
	"iter"
	"net/http"
)

// Codec speaks one endpoint. It is stateless, and safe for concurrent use.
type Codec interface {
	// Decode fills c.Request from c.Probe. It reads and judges nothing: it fails only where no neutral request can be
	// made, because the body is no JSON object or a basic field has the wrong type.
	Decode(c *Call) *Failure
	// Check yields what the provider refuses, in the provider's order. It is pure, and runs after a stub was found.
	Check(c *Call) iter.Seq[Violation]
	// Fit gives the nearest reply that this wire can carry as the answer to this request, complete with call ids and
	// usage, and what was lost; each loss wraps ErrNotOnWire. Fit of a fitted reply changes nothing.
	Fit(c *Call, r Reply) (Reply, []error)
	// Encode makes the encoder of one fitted reply.
	Encode(c *Call) Encoder
	// Refuse is the provider's error answer.
	Refuse(c *Call, f *Failure) Response
	// Read turns one response of this wire back into events. An error status, an error inside a stream and a stream
	// without its terminal event end the sequence with a *Failure.
	Read(h *ResponseHead, body io.Reader) iter.Seq2[Event, error]
}

// Encoder speaks one reply. It is made per call, fed once and thrown away; it is not safe for concurrent use.
//
// Where the call streams, Append gives frames and the driver sends Head and frames. Where it does not, Append only takes
// note, and the driver sends Whole.
type Encoder interface {
	// Head is the status line, the header and the framing of a stream.
	Head() (status int, h Header, f Framing)
	// Append adds the frames that an event makes; none, one or several.
	Append(dst []Frame, e Event) []Frame
	// Fail adds the frames that end a stream with an error inside it, after sent frames have left; these may be fewer
	// than Append made.
	Fail(dst []Frame, f *Failure, sent int) []Frame
	// Whole is the unary answer to the events so far.
	Whole() Response
}

// ResponseHead is what came before the body of a response that is to be read.
type ResponseHead struct {
	Status int
	Header http.Header
	// Request is what was asked, where it is known: it tells a stream from a whole body when the header does not.
	Request *Request
}
