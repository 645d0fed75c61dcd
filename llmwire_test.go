package mimus_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

// The tests of this file, and those that the second table of docs/features.md names, assert what llm_wire's own suite
// asserts of its testing module.

// An error inside a stream is the same failure on every wire, and its advice is that of the provider's own code.
func TestStreamErrorOnEveryWire(t *testing.T) {
	t.Parallel()
	openai := map[string]wire.Prospect{
		"server_error": wire.MayHelp, "rate_limit_exceeded": wire.MayHelp, "slow_down": wire.MayHelp, "server_is_overloaded": wire.MayHelp,
		"invalid_prompt": wire.WillNotHelp, "insufficient_quota": wire.WillNotHelp, "credit_balance_exhausted": wire.WillNotHelp,
		"organization_spend_limit_exceeded": wire.WillNotHelp, "project_spend_limit_exceeded": wire.WillNotHelp,
		"organization_usage_limit_exceeded": wire.WillNotHelp, "something_new": wire.Unknown,
	}
	for name, codes := range map[string]map[string]wire.Prospect{
		"openai.chat": openai, "openai.responses": openai,
		"anthropic.messages": {
			"rate_limit_error": wire.MayHelp, "api_error": wire.MayHelp, "timeout_error": wire.MayHelp, "overloaded_error": wire.MayHelp,
			"invalid_request_error": wire.WillNotHelp, "authentication_error": wire.WillNotHelp, "billing_error": wire.WillNotHelp,
			"permission_error": wire.WillNotHelp, "not_found_error": wire.WillNotHelp, "request_too_large": wire.WillNotHelp,
			"something_new": wire.Unknown,
		},
		"gemini.generate": {
			"RESOURCE_EXHAUSTED": wire.MayHelp, "INTERNAL": wire.MayHelp, "UNAVAILABLE": wire.MayHelp, "DEADLINE_EXCEEDED": wire.MayHelp,
			"INVALID_ARGUMENT": wire.WillNotHelp, "FAILED_PRECONDITION": wire.WillNotHelp, "UNAUTHENTICATED": wire.WillNotHelp,
			"PERMISSION_DENIED": wire.WillNotHelp, "NOT_FOUND": wire.WillNotHelp,
		},
		"bedrock.converse": {"ThrottlingException": wire.MayHelp, "ServiceUnavailableException": wire.MayHelp, "ValidationException": wire.WillNotHelp},
		"mimus.scripted":   {"rate_limit_exceeded": wire.MayHelp, "insufficient_quota": wire.WillNotHelp, "something_new": wire.Unknown},
	} {
		for code, want := range codes {
			f, err := mimus.FailureOf(codec(t, name), mimus.StreamError(mimus.Text("Hi"), code, "busy"))
			if err != nil || f == nil {
				t.Errorf("%s, %s: got %+v, %v", name, code, f, err)
				continue
			}
			if f.Advice().Prospect != want || f.Sent != wire.Completed || !f.PartialOutput || f.Message != "busy" {
				t.Errorf("%s, %s: got %#v, %s, want %s", name, code, f, f.Advice().Prospect, want)
			}
			if bare, err := mimus.FailureOf(codec(t, name), mimus.StreamError(mimus.Text(""), code, "busy")); err != nil || bare.PartialOutput {
				t.Errorf("%s, %s: before any output: %+v, %v", name, code, bare, err)
			}
		}
	}
}

// A failed response is the same failure as an error event of the same code.
func TestResponseFailedIsTheErrorEvent(t *testing.T) {
	t.Parallel()
	responses := codec(t, "openai.responses")
	for _, code := range []string{"server_error", "rate_limit_exceeded", "insufficient_quota", "invalid_prompt", "something_new"} {
		for _, text := range []string{"", "Hi"} {
			event, err := mimus.FailureOf(responses, mimus.StreamError(mimus.Text(text), code, "busy"))
			if err != nil {
				t.Fatal(err)
			}
			failed, err := mimus.FailureOf(responses, mimus.ResponseFailed(mimus.Text(text), code, "busy"))
			if err != nil {
				t.Fatal(err)
			}
			// response.failed has no place for the kind of error that an error event names.
			event.Type, failed.Type = "", ""
			if !reflect.DeepEqual(event, failed) || event.Advice() != failed.Advice() {
				t.Errorf("%s after %q: the event is %#v, the failed response %#v", code, text, event, failed)
			}
		}
	}
}

// Each word that Gemini has for what a filter stopped is a failure of content, in the output or in the prompt.
func TestGeminiFilters(t *testing.T) {
	t.Parallel()
	gemini := codec(t, "gemini.generate")
	for _, reason := range []string{"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"} {
		for _, text := range []string{"", "Hi"} {
			r := mimus.Text(text).Stop(wire.Stop(reason))
			if reason == "SAFETY" {
				r = mimus.ContentFiltered(text)
			}
			if body := string(mustLower(t, "gemini.generate", r).Bytes()); !strings.Contains(body, `"finishReason": "`+reason+`"`) {
				t.Errorf("%s: %s", reason, body)
			}
			f, err := mimus.FailureOf(gemini, r)
			if err != nil || f == nil || f.Kind != wire.ContentFilter || f.Param != "output" || f.PartialOutput != (text != "") || f.Sent != wire.Completed ||
				f.Advice().Prospect != wire.WillNotHelp || reason != "SAFETY" && f.Code != reason {
				t.Errorf("%s after %q: %#v, %v", reason, text, f, err)
			}
		}
	}
	for _, reason := range []string{"SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"} {
		f, err := mimus.FailureOf(gemini, mimus.PromptBlocked().Quirks(fmt.Sprintf(`{"blockReason":%q}`, reason)))
		if err != nil || f == nil || f.Kind != wire.ContentFilter || f.Param != "prompt" || f.Code != reason || f.PartialOutput || f.Advice().Prospect != wire.WillNotHelp {
			t.Errorf("the prompt, %s: %#v, %v", reason, f, err)
		}
	}
	for _, reason := range []string{"OTHER", "LANGUAGE", "MALFORMED_FUNCTION_CALL"} {
		if f, err := mimus.FailureOf(gemini, mimus.Text("Hi").Stop(wire.Stop(reason))); f != nil || err != nil {
			t.Errorf("%s is no filter: %#v, %v", reason, f, err)
		}
	}
}

// A hint when to come back leaves all else as it was: status, body and the other headers.
func TestRetryAfterChangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai.chat", "openai.responses", "anthropic.messages"} {
		for what, pair := range map[string][2]mimus.Replier{
			"a failure":   {mimus.RateLimited().Message("busy"), mimus.RateLimited().Message("busy").RetryAfter(7 * time.Second)},
			"an answer":   {mimus.Text("Hi"), mimus.Text("Hi").RetryAfter(7 * time.Second)},
			"raw bytes":   {mimus.RawBody(503, "busy"), mimus.RawBody(503, "busy").RetryAfter(7 * time.Second)},
			"interrupted": {mimus.Text("Hi").Interrupted(), mimus.Text("Hi").Interrupted().RetryAfter(7 * time.Second)},
		} {
			plain, hinted := mustLower(t, name, pair[0]), mustLower(t, name, pair[1])
			if hinted.Header.Get("Retry-After") != "7" {
				t.Errorf("%s, %s: got %v", name, what, hinted.Header)
			}
			hinted.Header.Del("Retry-After")
			plain.Header.Del("Date")
			hinted.Header.Del("Date")
			if plain.Status != hinted.Status || !reflect.DeepEqual(plain.Header, hinted.Header) || plain.Interrupted != hinted.Interrupted {
				t.Errorf("%s, %s: %+v became %+v", name, what, plain, hinted)
			}
			if withoutTime(plain.Bytes()) != withoutTime(hinted.Bytes()) {
				t.Errorf("%s, %s:\n%s\nbecame\n%s", name, what, plain.Bytes(), hinted.Bytes())
			}
		}
	}
}

// withoutTime takes the seconds out of bodies, which may have gone on between two.
func withoutTime(b []byte) string {
	return regexp.MustCompile(`"created(_at)?":\d+|"completed_at":\d+`).ReplaceAllString(string(b), "")
}

// However a stream comes apart, and however long one of its lines is, its reader reads the same.
func TestFragmentsAndLongLines(t *testing.T) {
	t.Parallel()
	for _, name := range chatEndpoints {
		for what, text := range map[string]string{"words": "Köln 🚚 is \"near\"\n\n.", "24 KB in one line": strings.Repeat("ö", 12<<10)} {
			l := mustLower(t, name, mimus.Text(text).Usage(12, 3))
			head := &wire.ResponseHead{Status: l.Status, Header: l.Header}
			whole, err := wire.Fold(codec(t, name).Read(head, bytes.NewReader(l.Bytes())))
			if err != nil || textIn(whole) != text {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			pieces, err := wire.Fold(codec(t, name).Read(head, iotest.OneByteReader(bytes.NewReader(l.Bytes()))))
			if err != nil || !reflect.DeepEqual(pieces, whole) {
				t.Errorf("%s, %s: byte by byte it is %+v, %v", name, what, pieces, err)
			}
		}
	}
}

// What an error answer's status advises, on the wire of each provider.
func TestAdviceOfStatusesOnEveryWire(t *testing.T) {
	t.Parallel()
	want := map[int]wire.Prospect{
		400: wire.WillNotHelp, 401: wire.WillNotHelp, 403: wire.WillNotHelp, 404: wire.WillNotHelp, 405: wire.WillNotHelp, 406: wire.WillNotHelp,
		408: wire.MayHelp, 409: wire.Unknown, 410: wire.WillNotHelp, 413: wire.WillNotHelp, 415: wire.WillNotHelp, 418: wire.Unknown,
		422: wire.WillNotHelp, 429: wire.MayHelp, 500: wire.MayHelp, 501: wire.WillNotHelp, 502: wire.MayHelp, 503: wire.MayHelp,
		504: wire.MayHelp, 505: wire.WillNotHelp, 529: wire.Unknown, 599: wire.Unknown,
	}
	for _, name := range chatEndpoints {
		for status, prospect := range want {
			if status == 529 && strings.HasPrefix(name, "anthropic.") {
				prospect = wire.MayHelp
			}
			f, err := mimus.FailureOf(codec(t, name), mimus.StatusError(status, "no").RetryAfter(3*time.Second))
			if err != nil || f == nil || f.Status != status || f.Sent != wire.Completed || f.PartialOutput || f.Usage != nil {
				t.Errorf("%s, %d: got %#v, %v", name, status, f, err)
				continue
			}
			if got := f.Advice().Prospect; got != prospect {
				t.Errorf("%s, %d %s: got %s, want %s (%#v)", name, status, http.StatusText(status), got, prospect, f)
			}
		}
	}
}

// An answer that does not fit the questions is a failure of its own, and a further call finds the script used up.
func TestClassificationScript(t *testing.T) {
	t.Parallel()
	typesafe := codec(t, "typesafe.systemone")
	if f, err := mimus.FailureOf(typesafe, mimus.JSON(map[string]any{"lost": map[string]any{"type": "noul", "noul": 2}})); !errors.Is(err, mimus.ErrNotOnWire) {
		t.Errorf("an answer that is out of bounds cannot be scripted: %#v, %v", f, err)
	}
	bad, err := mimus.FailureOf(typesafe, mimus.RawBody(200, `{"model":"m","answers":{"lost":{"type":"noul","noul":2}},"usage":{"input_tokens":1,"output_tokens":1}}`))
	if err != nil || bad == nil || bad.Kind != wire.Unusable || bad.Sent != wire.Completed || bad.Advice().Prospect != wire.Unknown {
		t.Errorf("an answer out of bounds: %#v, %v", bad, err)
	}
	limited, err := mimus.FailureOf(typesafe, mimus.RateLimited().RetryAfter(7*time.Second))
	if err != nil || limited.Status != http.StatusTooManyRequests || limited.Advice() != (wire.Advice{Prospect: wire.MayHelp, Delay: 7 * time.Second}) {
		t.Errorf("a rate limit: %#v, %v", limited, err)
	}
	f := fake(t)
	m := mimus.New(f)
	m.Script(mimus.RateLimited().RetryAfter(7 * time.Second))
	if a := do(m.Client(), question(t, "typesafe.systemone", false, "")); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "7" {
		t.Errorf("got %+v", a)
	}
	if a := do(m.Client(), question(t, "typesafe.systemone", false, "")); a.status != http.StatusNotFound {
		t.Errorf("one call more than scripted: %+v", a)
	}
	f.end()
	f.wantFailure(t, "script", "1")
}
