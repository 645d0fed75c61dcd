package wire

import "iter"

// Cut is what a stub wants to go wrong with the content of an answer, counted in frames as the wire counts them:
// pings, usage chunks and [DONE] included. -1 is off.
type Cut struct {
	// After ends a stream cleanly after so many frames, without its terminal event.
	After int
	// FailAfter ends a stream with Failure inside it after so many frames. After is then ignored.
	FailAfter int
	Failure   *Failure
	// Unended leaves out what ends a stream, however many frames that is: the answer breaks off, or Failure comes in its
	// place.
	Unended bool
	// Malformed halves the second frame (or the only one), or the body of a unary answer.
	Malformed bool
}

// NoCut leaves an answer whole.
func NoCut() Cut { return Cut{After: -1, FailAfter: -1} }

// Render gives the answer of one codec to one call: r is fitted, encoded as a stream or as a whole body, as the request
// asked, and cut as asked. The errors say what the wire could not carry.
//
// A Failure with FailAfter < 0, or on a request that does not stream, is the provider's error response.
func Render(c *Call, codec Codec, r Reply, s Split, cut Cut) (Response, Reply, []error) {
	if cut.Failure != nil && (cut.FailAfter < 0 || !c.Request.Stream) {
		return codec.Refuse(c, cut.Failure), Reply{}, nil
	}
	fitted, lost := codec.Fit(c, r)
	enc := codec.Encode(c)
	if !c.Request.Stream {
		s.Whole = true
		return whole(enc, Events(fitted, s), cut), fitted, lost
	}
	return stream(enc, Events(fitted, s), cut, frameCount(fitted)), fitted, lost
}

func whole(enc Encoder, events iter.Seq[Event], cut Cut) Response {
	for e := range events {
		enc.Append(nil, e)
	}
	resp := enc.Whole()
	if cut.Malformed {
		resp.Body = resp.Body[:len(resp.Body)/2]
	}
	return resp
}

// frameCount is roughly how many frames a reply takes, in words: room for them is made beforehand.
func frameCount(r Reply) int {
	const length = 5 // of a word
	n := 16
	for _, a := range r.Choices {
		for _, p := range a.Parts {
			_, text := hollow(p)
			n += len(text)/length + 4
		}
	}
	return n
}

func stream(enc Encoder, events iter.Seq[Event], cut Cut, size int) Response {
	limit := cut.After
	if cut.Failure != nil {
		limit = cut.FailAfter
	}
	frames := make([]Frame, 0, size)
	for e := range events {
		if cut.Unended && (e.Op == ChoiceEnd || e.Op == End) {
			continue
		}
		frames = enc.Append(frames, e)
	}
	if f, ok := enc.(Flusher); ok && cut.Unended {
		frames = f.Flush(frames)
	}
	if limit >= 0 && limit < len(frames) {
		frames = frames[:limit:limit]
	}
	if cut.Failure != nil {
		frames = enc.Fail(frames, cut.Failure, len(frames))
	}
	if cut.Malformed && len(frames) > 0 {
		i := min(1, len(frames)-1)
		frames[i].Data = frames[i].Data[:len(frames[i].Data)/2]
	}
	status, header, framing := enc.Head()
	return Response{Status: status, Header: header, Framing: framing, Frames: frames}
}
