// Package wire is the vocabulary that every provider's wire format is written in, and the one driver that renders them.
//
// A request comes in as a [Probe], is claimed by an [Endpoint] of a [Provider], and is read by the endpoint's [Codec]
// into a neutral [Request]. An answer is a neutral [Reply]; [Events] turns it into a sequence of [Event] values, and the
// codec's [Encoder] turns those into unframed [Frame] values (a stream) or into one body. A [Framing] puts frames on the
// connection. Faults of content (a cut, an error inside a stream, a malformed event) happen in [Render], on unframed
// frames, so they are the same on every wire; faults of transport happen later and are no business of this package.
//
// Each codec also reads its own wire back: [Codec] Read gives the events of a response, and [Fold] makes a Reply of them.
// For every reply r that a codec accepts, Fold(Read(Render(r))) equals Fit(r); package wiretest holds any codec to that.
//
// Package wire and every package below it link the standard library only.
package wire
