package openai

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respFind looks a stored response up, or refuses.
func respFind(c *wire.Call) (id string, o wire.Object, refusal *wire.Failure) {
	id = c.Probe.Vars["id"]
	if o, ok := c.Env.Store().Get(respKind, id); ok {
		return id, o, nil
	}
	refusal = respNotFound("", "Response with id '"+id+"' not found.")
	refusal.Rule = "response-not-found"
	return id, wire.Object{}, refusal
}

// serveResponse is GET /responses/{id}.
func serveResponse(c *wire.Call) wire.Response {
	_, o, refusal := respFind(c)
	if refusal != nil {
		return respRefuse(c, refusal)
	}
	if stream, _ := strconv.ParseBool(c.Probe.Query.Get("stream")); stream {
		return serveResponseStream(c, o)
	}
	return respWhole(c, respBodyNow(o, c.Env.Now(), respLayoutOf(c)))
}

func respWhole(c *wire.Call, body []byte) wire.Response {
	return wire.Response{Status: http.StatusOK, Header: respHeader(profileOf(c).bodyHead(c)), Body: body}
}

// serveResponseStream replays the events of a background stream with the numbers that they had, from the one after
// starting_after on.
func serveResponseStream(c *wire.Call, o wire.Object) wire.Response {
	body, err := jsonx.ParseBytes(o.Body)
	if background, _ := body.Get("background").Bool(); err != nil || !background || len(o.Frames) == 0 {
		// The words are those of openai-python issue 2579, Aug 2025.
		return respRefuse(c, respInvalid("invalid_request_error", "stream", "This response cannot be streamed because it was not created with background=true."))
	}
	after := -1
	if text := c.Probe.Query.Get("starting_after"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return respRefuse(c, respInvalid("invalid_type", "starting_after", "Invalid type for 'starting_after': expected an integer, but got a string instead."))
		}
		after = n
	}
	p := profileOf(c)
	frames := make([]wire.Frame, 0, len(o.Frames))
	for i, f := range o.Frames {
		v, err := jsonx.ParseBytes(f.Data)
		seq, ok := v.Get("sequence_number").Int()
		if err != nil || !ok {
			seq = int64(i)
		}
		if int(seq) > after {
			frames = append(frames, f)
		}
	}
	return wire.Response{Status: http.StatusOK, Header: respHeader(p.streamHead(c)), Framing: p.framing(), Frames: frames}
}

// serveDeleteResponse is DELETE /responses/{id}.
func serveDeleteResponse(c *wire.Call) wire.Response {
	id, _, refusal := respFind(c)
	if refusal != nil {
		return respRefuse(c, refusal)
	}
	c.Env.Store().Delete(respKind, id)
	b := jsonx.AppendString([]byte(`{"id":`), id)
	b = append(b, `,"object":"response.deleted","deleted":true}`...)
	return respWhole(c, respIndent(respLayoutOf(c), b))
}

// respIndent writes a body with the indentation of its layout.
func respIndent(lay *respLayout, compact []byte) []byte {
	if lay.indent == 0 {
		return compact
	}
	return jsonx.AppendIndent(make([]byte, 0, len(compact)*2), string(compact), strings.Repeat(" ", lay.indent))
}

// serveCancelResponse is POST /responses/{id}/cancel: it stops a background response that is not done; one that is done
// or cancelled already is given as it is.
func serveCancelResponse(c *wire.Call) wire.Response {
	id, o, refusal := respFind(c)
	if refusal != nil {
		return respRefuse(c, refusal)
	}
	body, err := jsonx.ParseBytes(o.Body)
	if background, _ := body.Get("background").Bool(); err != nil || !background {
		return respRefuse(c, respInvalid("", "", "Cannot cancel a synchronous response."))
	}
	now := c.Env.Now()
	if o.Ended.IsZero() && now.Before(o.Due) {
		o.Ended = now
		c.Env.Store().Put(respKind, id, o)
	}
	return respWhole(c, respBodyNow(o, now, respLayoutOf(c)))
}

// serveInputTokens is POST /responses/input_tokens.
func serveInputTokens(c *wire.Call) wire.Response {
	body, f := parseBody(c)
	if f != nil {
		return respRefuse(c, f)
	}
	if f := respBasicTypes(c, body); f != nil {
		return respRefuse(c, f)
	}
	b := append([]byte(`{"object":"response.input_tokens","input_tokens":`), itoa(max(1, wire.TokensOf(c.Probe.Body)))...)
	return respWhole(c, respIndent(respLayoutOf(c), append(b, '}')))
}
