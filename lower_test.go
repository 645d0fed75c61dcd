package mimus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

func codec(t *testing.T, name string) wire.Codec {
	t.Helper()
	c := all.Codecs()[name]
	if c == nil {
		t.Fatalf("no codec %s", name)
	}
	return c
}

func mustLower(t *testing.T, name string, r mimus.Replier) *mimus.Lowered {
	t.Helper()
	l, err := mimus.Lower(codec(t, name), r)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What is lowered is what a client gets: chunks are events, and one response holds them all.
func TestLower(t *testing.T) {
	t.Parallel()
	for _, name := range chatEndpoints {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := mustLower(t, name, mimus.Text("Out for delivery.").Usage(12, 3).Header("X-Team", "parcels"))
			if l.Status != 200 || l.Interrupted || l.Hangs || len(l.Chunks) < 3 || l.Header.Get("X-Team") != "parcels" || l.Header.Get("Content-Type") == "" {
				t.Errorf("got %+v", l)
			}
			resp := l.Response()
			defer func() { _ = resp.Body.Close() }()
			body, err := io.ReadAll(resp.Body)
			if err != nil || !bytes.Equal(body, bytes.Join(l.Chunks, nil)) || resp.StatusCode != http.StatusOK || resp.Status != "200 OK" {
				t.Errorf("got %+v, %v", resp, err)
			}
			got, err := wire.Fold(codec(t, name).Read(&wire.ResponseHead{Status: resp.StatusCode, Header: resp.Header}, bytes.NewReader(body)))
			if err != nil || textIn(got) != "Out for delivery." || got.Usage == nil || got.Usage.Input != 12 || got.Usage.Output != 3 {
				t.Errorf("got %+v, %v", got, err)
			}
			whole, err := mimus.LowerWhole(codec(t, name), mimus.Text("Out for delivery."))
			if alwaysStreams(name) {
				return
			}
			if err != nil || len(whole.Chunks) != 1 || !json.Valid(whole.Chunks[0]) || whole.Header.Get("Content-Length") != strconv.Itoa(len(whole.Chunks[0])) {
				t.Errorf("whole: %+v, %v", whole, err)
			}
		})
	}
}

// A codec that endpoints share is lowered to in the words of the endpoint that it was taken for.
func TestLowerOfSharedCodecs(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ contentType, id string }{
		"anthropic.messages":   {"text/event-stream", `"id":"msg_01`},
		"anthropic.vertex":     {"text/event-stream", `"id":"msg_vrtx_01`},
		"anthropic.bedrock":    {"application/vnd.amazon.eventstream", `"id":"msg_bdrk_01`},
		"gemini.models":        {"application/json", `"models/m"`},
		"gemini.vertex_models": {"application/json", `"publishers/google/models/m"`},
	} {
		reply := mimus.Text("Hi")
		if strings.HasSuffix(name, "models") {
			reply = mimus.Models("m")
		}
		if l := mustLower(t, name, reply); !strings.HasPrefix(l.Header.Get("Content-Type"), want.contentType) {
			t.Errorf("%s: got the content type %q", name, l.Header.Get("Content-Type"))
		}
		l, err := mimus.LowerWhole(codec(t, name), reply)
		if err != nil || !strings.Contains(string(l.Bytes()), want.id) {
			t.Errorf("%s: no %s in %s, %v", name, want.id, l.Bytes(), err)
		}
	}
}

// Lowering twice changes nothing, whatever the codec.
func TestLowerTwice(t *testing.T) {
	t.Parallel()
	for _, r := range []mimus.Replier{mimus.Text("Hi"), mimus.Text("Hi").Interrupted(), mimus.RateLimited(), mimus.Raw("data: a", "b\n\n").Interrupted()} {
		once := mustLower(t, "openai.chat", r)
		if twice := mustLower(t, "anthropic.messages", once); !reflect.DeepEqual(once, twice) {
			t.Errorf("got %+v, then %+v", once, twice)
		}
	}
}

func TestLowerRaw(t *testing.T) {
	t.Parallel()
	l := mustLower(t, "openai.chat", mimus.Raw("data: a", "b\n\n").Interrupted())
	if len(l.Chunks) != 2 || string(l.Chunks[1]) != "b\n\n" || !l.Interrupted {
		t.Errorf("got %+v", l)
	}
}

// Usage and interruption keep the rules of each wire: what ends a stream is missing, whatever that is there.
func TestLowerInterrupted(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ last, never string }{
		"openai.chat":        {`"delivery."`, "finish_reason\":\"stop"},
		"openai.responses":   {`response.output_item.done`, "response.completed"},
		"anthropic.messages": {`content_block_stop`, "message_delta"},
		"gemini.generate":    {`"delivery."`, "finishReason"},
	}
	for name, c := range cases {
		for _, r := range []mimus.Reply{mimus.Text("Out for delivery.").Usage(12, 3).Interrupted(), mimus.Text("Out for delivery.").Interrupted().Usage(12, 3)} {
			l := mustLower(t, name, r)
			body := string(l.Bytes())
			if !l.Interrupted || !strings.Contains(string(l.Chunks[len(l.Chunks)-1]), c.last) || strings.Contains(body, c.never) {
				t.Errorf("%s: %+v\n%s", name, l, body)
			}
			broken := l.Response()
			if _, err := io.ReadAll(broken.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: the response ends with %v", name, err)
			}
			_ = broken.Body.Close()
			f, err := mimus.FailureOf(codec(t, name), r)
			if err != nil || f == nil || f.Kind != wire.Transport || f.Sent != wire.MaybeSent || !f.PartialOutput || f.Advice().Prospect != wire.MayHelp {
				t.Errorf("%s: %+v, %v", name, f, err)
			}
		}
	}
	// Anthropic has counted the input by then, and Gemini counts in each chunk.
	for name, want := range map[string]string{"anthropic.messages": `"input_tokens":12`, "gemini.generate": `"promptTokenCount": 12`} {
		if body := mustLower(t, name, mimus.Text("Hi").Usage(12, 3).Interrupted()).Bytes(); !strings.Contains(string(body), want) {
			t.Errorf("%s: no %s in %s", name, want, body)
		}
	}
}

func TestLowerFailures(t *testing.T) {
	t.Parallel()
	cases := []struct {
		codec string
		r     mimus.Replier
		code  int
		words string
	}{
		{"openai.chat", mimus.RateLimited(), 429, `"requests" "rate_limit_exceeded"`},
		{"openai.chat", mimus.QuotaExceeded(), 429, `"insufficient_quota"`},
		{"openai.chat", mimus.Overloaded(), 503, `"server_error"`},
		{"openai.chat", mimus.Unauthorized(), 401, `"invalid_api_key"`},
		{"openai.responses", mimus.ContextTooLong(), 400, `"context_length_exceeded"`},
		{"openai.responses", mimus.ServerError(), 500, `"server_error"`},
		{"openai.responses", mimus.StatusError(418, "short and stout"), 418, `"short and stout"`},
		{"openai.chat", mimus.PromptBlocked(), 400, `"invalid_prompt"`},
		{"openai.responses", mimus.PromptBlocked(), 400, `"invalid_prompt"`},
		{"anthropic.messages", mimus.RateLimited(), 429, `"rate_limit_error"`},
		{"anthropic.messages", mimus.QuotaExceeded(), 402, `"billing_error"`},
		{"anthropic.messages", mimus.Overloaded(), 529, `"overloaded_error" "Overloaded"`},
		{"anthropic.messages", mimus.Unauthorized(), 401, `"authentication_error"`},
		{"anthropic.messages", mimus.ContextTooLong(), 400, `"invalid_request_error" prompt is too long`},
		{"anthropic.messages", mimus.StatusError(413, "too large"), 413, `"request_too_large" "too large"`},
		{"gemini.generate", mimus.RateLimited(), 429, `429 "RESOURCE_EXHAUSTED"`},
		{"gemini.generate", mimus.Overloaded(), 503, `503 "UNAVAILABLE"`},
		{"gemini.generate", mimus.Unauthorized(), 400, `API key not valid "INVALID_ARGUMENT" "API_KEY_INVALID"`},
		{"bedrock.converse", mimus.RateLimited(), 429, `Too many requests`},
		{"bedrock.converse", mimus.Overloaded(), 503, `"message"`},
		{"bedrock.converse", mimus.ContextTooLong(), 400, `too long`},
		{"ollama.chat", mimus.Overloaded(), 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`},
		{"gemini.generate", mimus.PromptBlocked(), 200, `"blockReason": "SAFETY"`},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s/%d", c.codec, c.code), func(t *testing.T) {
			t.Parallel()
			l := mustLower(t, c.codec, c.r)
			rest := string(l.Bytes())
			if l.Status != c.code || l.Interrupted {
				t.Errorf("got %+v", l)
			}
			for word := range strings.FieldsSeq(c.words) {
				if !strings.Contains(rest, word) {
					t.Errorf("no %s in %s", word, rest)
				}
			}
		})
	}
}

// Retry-After is whole seconds, rounded up, and never negative.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		1500 * time.Millisecond: "2", 0: "0", -time.Second: "0", 7 * time.Second: "7", time.Millisecond: "1", 2 * time.Minute: "120",
	} {
		for _, name := range []string{"openai.chat", "openai.responses", "anthropic.messages"} {
			for _, r := range []mimus.Replier{mimus.RateLimited().RetryAfter(d), mimus.Text("Hi").RetryAfter(d), mimus.Raw("").RetryAfter(d)} {
				if got := mustLower(t, name, r).Header.Get("Retry-After"); got != want {
					t.Errorf("%s: %s is %q, want %q", name, d, got, want)
				}
			}
		}
	}
	gemini := mustLower(t, "gemini.generate", mimus.RateLimited().RetryAfter(7*time.Second))
	if gemini.Header.Get("Retry-After") != "" || !strings.Contains(string(gemini.Bytes()), `"retryDelay": "7s"`) {
		t.Errorf("got %+v\n%s", gemini, gemini.Bytes())
	}
	f, err := mimus.FailureOf(codec(t, "gemini.generate"), mimus.RateLimited().RetryAfter(7*time.Second))
	if err != nil || f.RetryAfter != 7*time.Second || f.Advice() != (wire.Advice{Prospect: wire.MayHelp, Delay: 7 * time.Second}) {
		t.Errorf("got %+v, %v", f, err)
	}
}

func TestNotOnWire(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		codec string
		r     mimus.Replier
	}{
		{"anthropic.messages", mimus.Refusal("no")},
		{"gemini.generate", mimus.Refusal("no")},
		{"anthropic.messages", mimus.PromptBlocked()},
		{"openai.chat", mimus.Embedding(1)},
		{"openai.embeddings", mimus.Text("Hi")},
	} {
		if l, err := mimus.Lower(codec(t, c.codec), c.r); !errors.Is(err, mimus.ErrNotOnWire) || l != nil || !strings.Contains(err.Error(), c.codec) {
			t.Errorf("%s: got %v", c.codec, err)
		}
		if f, err := mimus.FailureOf(codec(t, c.codec), c.r); !errors.Is(err, mimus.ErrNotOnWire) || f != nil {
			t.Errorf("%s: got %+v, %v", c.codec, f, err)
		}
	}
}

type ownCodec struct{ wire.Codec }

func TestLowerRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		c    wire.Codec
		r    mimus.Replier
		says string
	}{
		{"no codec", nil, mimus.Text(""), "none of all.Codecs()"},
		{"a codec of one's own", ownCodec{}, mimus.Text(""), "openai.chat"},
		{"a stream by hand", codec(t, "openai.chat"), mimus.Stream(), "no bytes yet"},
		{"a rejected call", codec(t, "openai.chat"), mimus.Reject(io.EOF), "EOF"},
		{"nil", codec(t, "openai.chat"), nil, "nil"},
	} {
		if l, err := mimus.Lower(c.c, c.r); err == nil || l != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %+v, %v", c.name, l, err)
		}
	}
}

// Every chat codec streams a lowered text, and every other codec has a body.
func TestEveryCodecLowers(t *testing.T) {
	t.Parallel()
	for _, p := range all.Providers() {
		for _, e := range p.Endpoints() {
			replies := map[wire.Kind]mimus.Replier{wire.Chat: mimus.Text("Hi"), wire.Embeddings: mimus.Embedding(), wire.Models: mimus.Models("m")}
			if e.Codec == nil {
				continue
			}
			if e.Name == "typesafe.systemone" {
				replies[wire.Chat] = mimus.JSON(map[string]any{"lost": map[string]any{"type": "noul", "noul": 0.25}})
			}
			if l, err := mimus.Lower(e.Codec, replies[e.Kind]); err != nil || l.Status == 0 {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
	}
}

// A Lowered is a handler for anyone's own server, and a reply.
func TestLoweredServes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]*mimus.Lowered{
		"whole": mustLower(t, "openai.chat", mimus.Text("Hi")), "interrupted": mustLower(t, "openai.chat", mimus.Text("Hi").Interrupted()),
		"failed": mustLower(t, "openai.chat", mimus.RateLimited()), "hangs": mustLower(t, "openai.chat", mimus.Text("Hi").Hang()),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(want)
			defer server.Close()
			m := mimus.New(t)
			m.On().Reply(want)
			for where, ask := range map[string]func(r *http.Request) answer{
				"a server": func(r *http.Request) answer {
					r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(server.URL, "http://")
					return do(server.Client(), r)
				},
				"a mock": func(r *http.Request) answer { return do(m.Client(), r) },
			} {
				ctx, cancel := context.WithCancel(t.Context())
				if want.Hangs {
					time.AfterFunc(200*time.Millisecond, cancel)
				}
				got := ask(in(ctx, question(t, "openai.chat", true, "")))
				cancel()
				if got.status != want.Status || got.body != string(want.Bytes()) || (got.err != nil) != (want.Interrupted || want.Hangs) {
					t.Errorf("%s: %+v", where, got)
				}
			}
		})
	}
}

// FailureOf is what a call gives: what the codec's own reader says of it.
func TestFailureOf(t *testing.T) {
	t.Parallel()
	for _, name := range chatEndpoints {
		for what, r := range map[string]mimus.Replier{
			"rate limited": mimus.RateLimited().RetryAfter(7 * time.Second), "quota": mimus.QuotaExceeded(), "overloaded": mimus.Overloaded(),
			"auth": mimus.Unauthorized(), "context": mimus.ContextTooLong(), "server": mimus.ServerError(), "status": mimus.StatusError(422, "no"),
			"in the stream": mimus.StreamError(mimus.Text("Hi"), "slow_down", "busy"), "cut": mimus.Text("Hi there").CutAfter(1),
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				want, err := mimus.FailureOf(codec(t, name), r)
				if err != nil || want == nil {
					t.Fatalf("got %+v, %v", want, err)
				}
				m := mimus.New(t)
				m.On().Reply(r)
				_, err = do(m.Client(), question(t, name, true, "")).fold(name, true)
				var got *wire.Failure
				if !errors.As(err, &got) || !reflect.DeepEqual(got, want) {
					t.Errorf("the call gives\n%#v\nFailureOf\n%#v", got, want)
				}
			})
		}
	}
}

func TestFailureOfAnswers(t *testing.T) {
	t.Parallel()
	for _, name := range chatEndpoints {
		for _, r := range []mimus.Replier{mimus.Text("Hi"), mimus.OutputLimited("Hi"), mimus.InvalidOutput(), mimus.CallTool("f", "{}")} {
			if f, err := mimus.FailureOf(codec(t, name), r); f != nil || err != nil {
				t.Errorf("%s: got %+v, %v", name, f, err)
			}
		}
		f, err := mimus.FailureOf(codec(t, name), mimus.ContentFiltered("Hi").Usage(12, 3))
		if name == "ollama.chat" { // which has no filter
			if !errors.Is(err, mimus.ErrNotOnWire) {
				t.Errorf("%s: got %+v, %v", name, f, err)
			}
			continue
		}
		if err != nil || f == nil || f.Kind != wire.ContentFilter || f.Sent != wire.Completed || !f.PartialOutput || f.Usage == nil || f.Usage.Input != 12 {
			t.Errorf("%s: a filter: %+v, %v", name, f, err)
		}
	}
	if f, err := mimus.FailureOf(codec(t, "openai.chat"), mimus.Refusal("no")); f != nil || err != nil {
		t.Errorf("a refusal is an answer: %+v, %v", f, err)
	}
	if f, err := mimus.FailureOf(codec(t, "gemini.generate"), mimus.PromptBlocked()); err != nil || f == nil || f.Kind != wire.ContentFilter || f.PartialOutput || f.Advice().Prospect != wire.WillNotHelp {
		t.Errorf("a blocked prompt: %+v, %v", f, err)
	}
}

func TestFailureOfRejections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		kind wire.FailureKind
		want wire.Prospect
	}{
		{errors.New("no route to host"), wire.Transport, wire.MayHelp},
		{context.DeadlineExceeded, wire.Timeout, wire.MayHelp},
		{context.Canceled, wire.Canceled, wire.WillNotHelp},
	} {
		f, err := mimus.FailureOf(codec(t, "openai.chat"), mimus.Reject(c.err))
		if err != nil || f.Kind != c.kind || f.Sent != wire.NotSent || f.Advice().Prospect != c.want {
			t.Errorf("%v: got %+v, %v", c.err, f, err)
		}
	}
}
