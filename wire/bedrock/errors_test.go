package bedrock_test

import (
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/bedrock"
)

// TestErrorsComeBackAsTheyWent holds every kind to its exception and status, and to what is read of it.
func TestErrorsComeBackAsTheyWent(t *testing.T) {
	t.Parallel()
	rows := map[wire.FailureKind]struct {
		status int
		name   string
	}{
		wire.RateLimit:     {429, "ThrottlingException"},
		wire.Quota:         {400, "ServiceQuotaExceededException"},
		wire.Overloaded:    {503, "ServiceUnavailableException"},
		wire.ContextLength: {400, "ValidationException"},
		wire.Auth:          {403, "UnrecognizedClientException"},
		wire.Permission:    {403, "AccessDeniedException"},
		wire.NotFound:      {404, "ResourceNotFoundException"},
		wire.Invalid:       {400, "ValidationException"},
		wire.TooLarge:      {400, "ValidationException"},
		wire.ContentFilter: {400, "ValidationException"},
		wire.Timeout:       {408, "ModelTimeoutException"},
		wire.ServerError:   {500, "InternalServerException"},
	}
	for _, kind := range wire.FailureKinds() {
		for _, key := range []string{signed, "Bearer bedrock-api-key-dGVzdA=="} {
			p := post(nova+"/converse", ask)
			p.Header.Set("Authorization", key)
			c := open(t, p)
			r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: kind, RetryAfter: 7 * time.Second})
			_, err := readBack(t, c, r)
			var f *wire.Failure
			if !errors.As(err, &f) {
				t.Fatalf("%s is read as %v", kind, err)
			}
			row, ok := rows[kind]
			if kind == wire.Auth && key != signed {
				row.name = "AccessDeniedException"
			}
			if !ok || f.Kind != kind || f.Status != row.status || f.Code != row.name || f.RetryAfter != 0 {
				t.Errorf("%s: read as %+v, want %+v", kind, f, row)
			}
			if got := r.Header.Get("Retry-After") + r.Header.Get("X-Amz-Retry-After"); got != "" {
				t.Errorf("%s: Bedrock gives no hint, and this says %s", kind, got)
			}
			if wantHelp := kind == wire.RateLimit || kind == wire.Overloaded || kind == wire.Timeout || kind == wire.ServerError; (f.Advice().Prospect == wire.MayHelp) != wantHelp {
				t.Errorf("%s: advice %+v", kind, f.Advice())
			}
			// Inside a stream every kind comes back too, whatever exception it has to take.
			p = post(nova+"/converse-stream", ask)
			p.Header.Set("Authorization", key)
			c = open(t, p)
			_, err = readBack(t, c, render(c, hello, "", failAfter(2, &wire.Failure{Kind: kind})))
			if !errors.As(err, &f) || kind != wire.Invalid && f.Kind != kind {
				t.Errorf("%s: inside a stream it is read as %+v", kind, f)
			}
		}
	}
}

func TestAKeyIsNeededBeforeAllElse(t *testing.T) {
	t.Parallel()
	gate, ok := bedrock.Provider().(wire.Gatekeeper)
	if !ok {
		t.Fatal("nobody looks at keys")
	}
	p := post(nova+"/converse", ask)
	c := open(t, p)
	if f := gate.Gate(c); f != nil {
		t.Errorf("a signed request: %v", f)
	}
	p.Header.Del("Authorization")
	f := gate.Gate(c)
	if f == nil {
		t.Fatal("a request without a key passes")
	}
	r := c.Endpoint.Codec.Refuse(c, f)
	if r.Status != 403 || string(r.Body) != `{"message":"Missing Authentication Token"}` {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	want(t, r.Header.Get("X-Amzn-Errortype"), "MissingAuthenticationTokenException:http://internal.amazon.com/coral/com.amazon.coral.service/")
	p.Query = url.Values{"X-Amz-Signature": {"0"}}
	if f := gate.Gate(c); f != nil {
		t.Errorf("a presigned request: %v", f)
	}
}

func TestRetryHintIsAQuirk(t *testing.T) {
	t.Parallel()
	c := open(t, post(nova+"/converse", ask))
	c.Quirks = []byte(`{"retryHint":true}`)
	r := c.Endpoint.Codec.Refuse(c, &wire.Failure{Kind: wire.RateLimit, RetryAfter: 1500 * time.Millisecond})
	if got := r.Header.Get("X-Amz-Retry-After"); got != "1500" {
		t.Errorf("hint %q", got)
	}
	_, err := readBack(t, c, r)
	var f *wire.Failure
	if !errors.As(err, &f) || f.RetryAfter != 1500*time.Millisecond {
		t.Errorf("read as %+v", err)
	}
}

func TestOtherErrorsAreRead(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		status int
		header string
		body   string
		kind   wire.FailureKind
		code   string
	}{
		{429, "ThrottlingException", `{"message":"Too many tokens per day, please wait before trying again."}`, wire.Quota, "ThrottlingException"},
		{429, "ModelNotReadyException:http://x/", `{"message":"warming"}`, wire.RateLimit, "ModelNotReadyException"},
		{424, "ModelErrorException", `{"message":"m","originalStatusCode":500}`, wire.ServerError, "ModelErrorException"},
		{400, "", `{"__type":"com.amazon.coral.service#ExpiredTokenException","message":"expired"}`, wire.Auth, "ExpiredTokenException"},
		{403, "", `{"Message":"User is not authorized"}`, wire.Permission, ""},
		{503, "", `<html>busy</html>`, wire.Overloaded, ""},
		{400, "ValidationException", `{"message":"The model returned the following errors: prompt is too long: 200251 tokens > 200000 maximum"}`, wire.ContextLength, "ValidationException"},
		{400, "ValidationException", `{"message":"The provided model identifier is invalid."}`, wire.NotFound, "ValidationException"},
		{404, "UnknownOperationException", `{"message":"no"}`, wire.NotFound, "UnknownOperationException"},
	} {
		c := open(t, post(nova+"/converse", ask))
		resp := wire.Response{Status: row.status, Body: []byte(row.body)}
		if row.header != "" {
			resp.Header = wire.Header{{Name: "X-Amzn-Errortype", Value: row.header}}
		}
		_, err := readBack(t, c, resp)
		var f *wire.Failure
		if !errors.As(err, &f) || f.Kind != row.kind || f.Code != row.code || f.Message == "" {
			t.Errorf("%d %s %s is read as %+v", row.status, row.header, row.body, err)
		}
	}
}

func TestUnknownPathsAreRefusedInBedrocksWords(t *testing.T) {
	t.Parallel()
	p := bedrock.Provider()
	probe := post("/model/x/explain", `{}`)
	if p.Owns(probe) < 90 {
		t.Errorf("owns %d", p.Owns(probe))
	}
	r := p.Refuse(probe, &wire.Failure{Kind: wire.NotFound, Rule: "unknown-path"})
	if r.Status != 404 {
		t.Errorf("status %d", r.Status)
	}
	want(t, r.Header.Get("X-Amzn-Errortype"), "UnknownOperationException:http://internal.amazon.com/coral/com.amazon.coral.service/")
	r = p.Refuse(probe, &wire.Failure{Kind: wire.Invalid, Rule: "wrong-method", Param: "POST"})
	if r.Status != 404 || r.Header.Get("Allow") != "POST" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	r = p.Refuse(probe, &wire.Failure{Kind: wire.NotFound, Rule: "no-stub", Message: "none"})
	if r.Header.Get("X-Mimus-Reason") != "no-stub" || r.Header.Get("X-Should-Retry") != "false" {
		t.Errorf("%v", r.Header)
	}
}
