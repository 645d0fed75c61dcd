package wire_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// TestAdviceOfStatuses has every status that says something, and some that say nothing.
func TestAdviceOfStatuses(t *testing.T) {
	t.Parallel()
	want := map[int]wire.Prospect{
		408: wire.MayHelp, 429: wire.MayHelp, 500: wire.MayHelp, 502: wire.MayHelp, 503: wire.MayHelp, 504: wire.MayHelp,
		400: wire.WillNotHelp, 401: wire.WillNotHelp, 403: wire.WillNotHelp, 404: wire.WillNotHelp, 405: wire.WillNotHelp,
		406: wire.WillNotHelp, 410: wire.WillNotHelp, 413: wire.WillNotHelp, 415: wire.WillNotHelp, 422: wire.WillNotHelp,
		501: wire.WillNotHelp, 505: wire.WillNotHelp,
		200: wire.Unknown, 301: wire.Unknown, 409: wire.Unknown, 418: wire.Unknown, 599: wire.Unknown, 529: wire.Unknown,
	}
	for status, prospect := range want {
		f := &wire.Failure{Kind: wire.KindOfStatus(status), Status: status, Sent: wire.Completed, RetryAfter: 3 * time.Second}
		// The delay is the provider's, whatever the prospect.
		if got := f.Advice(); got != (wire.Advice{Prospect: prospect, Delay: 3 * time.Second}) {
			t.Errorf("%d: got %+v, want %s", status, got, prospect)
		}
	}
	anthropic := &wire.Failure{Kind: wire.Overloaded, Status: 529, Type: "overloaded_error"}
	if got := anthropic.Advice().Prospect; got != wire.MayHelp {
		t.Errorf("529 of Anthropic: got %s", got)
	}
}

// TestAdviceOfCodes has every code of every provider, as it stands in a stream, and codes that nobody knows.
func TestAdviceOfCodes(t *testing.T) {
	t.Parallel()
	want := map[wire.Prospect][]string{
		wire.MayHelp: {
			"server_error", "rate_limit_exceeded", "slow_down", "server_is_overloaded",
			"rate_limit_error", "api_error", "timeout_error", "overloaded_error",
			"RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED",
			"ThrottlingException", "ServiceUnavailableException", "InternalServerException", "ModelTimeoutException",
		},
		wire.WillNotHelp: {
			"invalid_prompt", "insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded",
			"project_spend_limit_exceeded", "organization_usage_limit_exceeded",
			"invalid_request_error", "authentication_error", "billing_error", "permission_error", "not_found_error", "request_too_large",
			"INVALID_ARGUMENT", "FAILED_PRECONDITION", "UNAUTHENTICATED", "PERMISSION_DENIED", "NOT_FOUND",
			"ServiceQuotaExceededException", "ValidationException", "AccessDeniedException", "UnrecognizedClientException",
		},
		wire.Unknown: {"Server_Error", "unavailable", "something_new", "server_error "},
	}
	for prospect, codes := range want {
		for _, code := range codes {
			for name, f := range map[string]*wire.Failure{
				"a code": {Kind: wire.KindOfCode(code), Code: code, Message: "please retry", Sent: wire.Completed},
				"a type": {Kind: wire.KindOfCode(code), Type: code, Sent: wire.Completed},
			} {
				if got := f.Advice().Prospect; got != prospect {
					t.Errorf("%s as %s: got %s, want %s", code, name, got, prospect)
				}
			}
		}
	}
}

func TestAdviceOfKinds(t *testing.T) {
	t.Parallel()
	cases := []struct {
		f    wire.Failure
		want wire.Prospect
	}{
		// A quota is exhausted whatever the status says, and a kind that says enough needs no status.
		{wire.Failure{Kind: wire.Quota, Status: 429, Code: "insufficient_quota"}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.ContextLength, Status: 500}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.ContentFilter}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.Canceled}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.Transport, Sent: wire.MaybeSent}, wire.MayHelp},
		{wire.Failure{Kind: wire.Timeout}, wire.MayHelp},
		{wire.Failure{Kind: wire.RateLimit}, wire.MayHelp},
		{wire.Failure{Kind: wire.Overloaded}, wire.MayHelp},
		{wire.Failure{Kind: wire.ServerError}, wire.MayHelp},
		{wire.Failure{Kind: wire.ServerError, Message: "an error in a stream that says nothing", Sent: wire.Completed}, wire.Unknown},
		{wire.Failure{Kind: wire.Unusable, Sent: wire.Completed}, wire.Unknown},
		{wire.Failure{Kind: wire.Auth}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.Permission}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.NotFound}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.Invalid}, wire.WillNotHelp},
		{wire.Failure{Kind: wire.TooLarge}, wire.WillNotHelp},
	}
	for _, c := range cases {
		if got := c.f.Advice().Prospect; got != c.want {
			t.Errorf("%+v: got %s, want %s", &c.f, got, c.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	f := &wire.Failure{Kind: wire.RateLimit, Status: http.StatusTooManyRequests, Code: "rate_limit_exceeded", Message: "slow down", Sent: wire.Completed}
	if got, want := f.Describe("openai"), "rate_limit (429 rate_limit_exceeded): slow down (openai, completed)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := fmt.Sprint(wire.NotSent, ", ", wire.MaybeSent); got != "not sent, maybe sent" {
		t.Errorf("got %q", got)
	}
}

func TestFailureOfReplies(t *testing.T) {
	t.Parallel()
	answer := func(stop wire.Stop, parts ...wire.Part) wire.Reply {
		return wire.Reply{Choices: []wire.Answer{{Parts: parts, Stop: stop}}, Usage: &wire.Usage{Input: 3}}
	}
	for _, r := range []wire.Reply{answer(wire.StopComplete), answer(wire.StopLength), answer(wire.StopRefusal, wire.Refusal{Text: "no"}), {}} {
		if f := r.Failure(); f != nil {
			t.Errorf("%+v: got %+v", r, f)
		}
	}
	for _, c := range []struct {
		r       wire.Reply
		param   string
		partial bool
	}{
		{wire.Reply{Blocked: "SAFETY"}, "prompt", false},
		{answer(wire.StopSafety), "output", false},
		{answer(wire.StopSafety, wire.Text{Text: "Hi"}), "output", true},
		{answer(wire.StopRefusal, wire.Text{Text: "Hi"}), "output", true},
	} {
		if f := c.r.Failure(); f == nil || f.Kind != wire.ContentFilter || f.Param != c.param || f.PartialOutput != c.partial || f.Sent != wire.Completed || f.Usage != c.r.Usage {
			t.Errorf("%+v: got %+v", c.r, f)
		}
	}
}
