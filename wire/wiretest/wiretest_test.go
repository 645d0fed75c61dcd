package wiretest_test

import (
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/wiretest"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	wiretest.Run(t, plain{}, "testdata")
}

// forgetful is plain with a mistake in it.
type forgetful struct {
	plainCodec
	mistake string
}

func (f forgetful) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) {
	r, lost := f.plainCodec.Fit(c, r)
	if f.mistake == "fit grows" {
		r.Usage.Output++
	}
	return r, lost
}

func (f forgetful) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] {
	read := f.plainCodec.Read(h, body)
	return func(yield func(wire.Event, error) bool) {
		for e, err := range read {
			switch {
			case f.mistake == "loses text" && e.Op == wire.Delta:
				continue
			case f.mistake == "loses usage":
				e.Usage = nil
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func TestRoundTripFindsMistakes(t *testing.T) {
	t.Parallel()
	for mistake, want := range map[string]string{"": "", "loses text": "read whole", "loses usage": "read whole", "fit grows": "not idempotent"} {
		for _, body := range []string{`{"model":"p","ask":"hi"}`, `{"model":"p","ask":"hi","stream":true}`} {
			c, refused, err := wiretest.Call(plain{}, &wire.Probe{Method: "POST", Path: "/plain", Header: http.Header{}, Body: []byte(body)})
			if err != nil || refused != nil {
				t.Fatal(err, refused)
			}
			endpoint := *c.Endpoint
			endpoint.Codec = forgetful{mistake: mistake}
			c.Endpoint = &endpoint
			_, err = wiretest.CheckRoundTrip(c, wiretest.Replies()[0].Reply)
			switch {
			case want == "" && err != nil:
				t.Errorf("without a mistake: %v", err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: got %v, want something about %q", mistake, err, want)
			}
		}
	}
}

// TestFaultsOfContent cuts, fails and halves the same answer, which no codec knows of.
func TestFaultsOfContent(t *testing.T) {
	t.Parallel()
	reply := wire.Reply{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "one two three"}}}}, Usage: &wire.Usage{Input: 1, Output: 3}}
	fail := &wire.Failure{Kind: wire.Overloaded, Message: "busy"}
	const one, two, three, done = `{"text":"one "}` + "\n", `{"text":"two "}` + "\n", `{"text":"three"}` + "\n", `{"done":true,"in":1,"out":3}` + "\n"
	const busy = `{"error":"overloaded","message":"busy"}` + "\n"
	for _, tt := range []struct {
		name string
		cut  wire.Cut
		want string
	}{
		{"whole", wire.NoCut(), one + two + three + done},
		{"cut after 2", wire.Cut{After: 2, FailAfter: -1}, one + two},
		{"cut after 0", wire.Cut{After: 0, FailAfter: -1}, ""},
		{"cut after more than there are", wire.Cut{After: 99, FailAfter: -1}, one + two + three + done},
		{"fail after 1", wire.Cut{After: -1, FailAfter: 1, Failure: fail}, one + busy},
		{"fail after 0", wire.Cut{After: -1, FailAfter: 0, Failure: fail}, busy},
		{"fail after all, a cut is ignored", wire.Cut{After: 1, FailAfter: 99, Failure: fail}, one + two + three + done + busy},
		{"malformed", wire.Cut{After: -1, FailAfter: -1, Malformed: true}, one + `{"text"` + "\n" + three + done},
		{"malformed, cut to one", wire.Cut{After: 1, FailAfter: -1, Malformed: true}, `{"text"` + "\n"},
		{"failure instead of an answer", wire.Cut{After: -1, FailAfter: -1, Failure: fail}, strings.TrimSuffix(busy, "\n")},
	} {
		c, _, err := wiretest.Call(plain{}, &wire.Probe{Method: "POST", Path: "/plain", Body: []byte(`{"ask":"hi","stream":true}`)})
		if err != nil {
			t.Fatal(err)
		}
		resp, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, tt.cut)
		if got := string(resp.Bytes()); got != tt.want {
			t.Errorf("%s:\n got  %q\n want %q", tt.name, got, tt.want)
		}
	}
	c, _, _ := wiretest.Call(plain{}, &wire.Probe{Method: "POST", Path: "/plain", Body: []byte(`{"ask":"hi"}`)})
	resp, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.Cut{After: 1, FailAfter: 1, Failure: fail})
	if got := string(resp.Bytes()); got != strings.TrimSuffix(busy, "\n") {
		t.Errorf("a failure after events, without a stream: %q", got)
	}
}
