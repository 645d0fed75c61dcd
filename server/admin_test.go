package server_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/wire"
)

// scripted is a server that was asked three times: about A (matched), B (unmatched) and A again.
func scripted(t *testing.T) *running {
	t.Helper()
	s := run(t, server.Config{Version: "v0.1.0-test", Paths: []string{writeStubs(t, `
stubs:
  - name: the answer about A
    when: {about: A-1}
    times: 2
    answer: {text: "Hello from A", reasoning: "not on this wire", cutOffAfter: 3}
`)}})
	for _, text := range []string{"A-1", "B-2", "A-1"} {
		s.send(t, chat("What of "+text+"?"))
	}
	return s
}

func TestAdminRequests(t *testing.T) {
	t.Parallel()
	s := scripted(t)
	var all entries
	s.admin(t, http.MethodGet, "/__admin/requests", &all)
	if len(all.Requests) != 3 || all.Meta.Total != 3 {
		t.Fatalf("%d requests, total %d, want 3", len(all.Requests), all.Meta.Total)
	}
	newest, unmatched := all.Requests[0], all.Requests[1]
	if newest.Stub != "the answer about A" || !newest.WasMatched || newest.Endpoint != "openai.chat" || newest.Model != "gpt-4.1-mini" ||
		newest.Outcome != "delivered" || newest.Fault != "cut off" || newest.Response.Status != 200 || newest.Request.Method != http.MethodPost {
		t.Errorf("the newest is %+v", newest)
	}
	if unmatched.WasMatched || unmatched.Reason != "no-stub" || unmatched.Response.Status != 404 ||
		len(unmatched.NearMisses) != 1 || !strings.HasPrefix(unmatched.NearMisses[0], `the answer about A: about wants "A-1"`) {
		t.Errorf("the unmatched one is %+v", unmatched)
	}
	raw, err := base64.StdEncoding.DecodeString(newest.Request.Base64)
	if err != nil || string(raw) != newest.Request.Body || !strings.Contains(newest.Request.Body, "What of A-1?") {
		t.Errorf("the body is %q, in base64 %q", newest.Request.Body, raw)
	}
	if !strings.Contains(newest.Response.Body, "Hello from A") {
		t.Errorf("the response's body is %q", newest.Response.Body)
	}

	var one entry
	if status, _ := s.admin(t, http.MethodGet, "/__admin/requests/"+unmatched.ID, &one); status != 200 || one.ID != unmatched.ID {
		t.Errorf("by id: %d %+v", status, one)
	}
}

func TestAdminFilters(t *testing.T) {
	t.Parallel()
	s := scripted(t)
	var all struct {
		Requests []struct {
			Request struct {
				Date string `json:"loggedDateString"`
			} `json:"request"`
		} `json:"requests"`
	}
	s.admin(t, http.MethodGet, "/__admin/requests", &all)
	cases := []struct {
		query        string
		shown, total int
	}{
		{"limit=2", 2, 3},
		{"limit=0", 0, 3},
		{"limit=99", 3, 3},
		{"unmatched=true", 1, 1},
		{"unmatched=false", 3, 3},
		{"since=2020-01-02T03:04:05.678Z", 3, 3},
		{"since=" + url.QueryEscape("2020-01-02T03:04:05+01:00"), 3, 3},
		{"since=" + all.Requests[2].Request.Date, 3, 3},
		{"since=2999-01-02T03:04:05Z", 0, 0},
	}
	for _, c := range cases {
		t.Run(c.query, func(t *testing.T) {
			t.Parallel()
			var list entries
			status, body := s.admin(t, http.MethodGet, "/__admin/requests?"+c.query, &list)
			if status != 200 || len(list.Requests) != c.shown || list.Meta.Total != c.total || list.Requests == nil {
				t.Errorf("%d: %d of %d, want %d of %d\n%s", status, len(list.Requests), list.Meta.Total, c.shown, c.total, body[:min(len(body), 300)])
			}
		})
	}
}

func TestAdminErrors(t *testing.T) {
	t.Parallel()
	s := run(t, server.Config{})
	cases := []struct {
		method, path string
		status       int
		detail       string
	}{
		{"GET", "/__admin/request", 404, "GET /__admin/request: there is no such path; did you mean /__admin/requests?"},
		{"GET", "/__admin/heath", 404, "did you mean /__admin/health?"},
		{"GET", "/__admin", 404, "there are /__admin/health, /__admin/requests, /__admin/requests/{id}, /__admin/reset"},
		{"POST", "/__admin/requests", 405, "POST /__admin/requests: the method here is GET or DELETE"},
		{"GET", "/__admin/reset", 405, "the method here is POST"},
		{"GET", "/__admin/requests?limit=-1", 400, "limit=-1: want a whole number from 0 on"},
		{"GET", "/__admin/requests?since=yesterday", 400, "since=yesterday: want a time such as 2026-01-02T03:04:05.678Z"},
		{"GET", "/__admin/requests?unmatched=perhaps", 400, "want true or false"},
		{"GET", "/__admin/requests?limt=1", 400, `there is no query parameter "limt" here; did you mean limit?`},
		{"GET", "/__admin/requests/7", 404, `the journal holds no request "7"`},
		{"GET", "/__admin/requests/00000000-0000-4000-8000-000000000009", 404, "the journal holds no request"},
	}
	for _, c := range cases {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			t.Parallel()
			var got struct {
				Errors []struct {
					Code          int
					Title, Detail string
				} `json:"errors"`
			}
			status, body := s.admin(t, c.method, c.path, &got)
			if status != c.status || len(got.Errors) != 1 {
				t.Fatalf("%d, want %d with one error\n%s", status, c.status, body)
			}
			if e := got.Errors[0]; e.Code == 0 || e.Title == "" || !strings.Contains(e.Detail, c.detail) {
				t.Errorf("got %+v, want %q", e, c.detail)
			}
		})
	}
	var list entries
	if s.admin(t, http.MethodGet, "/__admin/requests", &list); len(list.Requests) != 0 {
		t.Error("admin calls are in the journal")
	}
}

func TestAdminHealth(t *testing.T) {
	t.Parallel()
	s := scripted(t)
	var got struct {
		Status, Message, Version, Timestamp string
		Uptime                              *int `json:"uptimeInSeconds"`
		Stubs                               int
	}
	status, body := s.admin(t, http.MethodGet, "/__admin/health", &got)
	if status != 200 || got.Status != "healthy" || got.Version != "v0.1.0-test" || got.Uptime == nil || got.Stubs != 1 || got.Timestamp == "" {
		t.Errorf("%d %s", status, body)
	}
}

func TestAdminReset(t *testing.T) {
	t.Parallel()
	s := scripted(t)
	if got := s.send(t, chat("What of A-1?")); got.status != 404 {
		t.Fatalf("the stub is not used up: %d", got.status)
	}
	if status, body := s.admin(t, http.MethodPost, "/__admin/reset", nil); status != 200 || strings.TrimSpace(body) != "{}" {
		t.Errorf("reset: %d %s", status, body)
	}
	var list entries
	if s.admin(t, http.MethodGet, "/__admin/requests", &list); len(list.Requests) != 0 {
		t.Errorf("after the reset the journal holds %d", len(list.Requests))
	}
	if got := s.send(t, chat("What of A-1?")); got.status != 200 {
		t.Errorf("after the reset the stub is still used up: %d", got.status)
	}
	s.admin(t, http.MethodDelete, "/__admin/requests", nil)
	if s.admin(t, http.MethodGet, "/__admin/requests", &list); len(list.Requests) != 0 {
		t.Errorf("after the removal the journal holds %d", len(list.Requests))
	}
	if got := s.send(t, chat("What of A-1?", `,"temperature":0`)); got.status != 200 {
		t.Errorf("removing the requests changed the stubs: %d", got.status)
	}
	if got := s.send(t, chat("What of A-1?", `,"temperature":1`)); got.status != 404 {
		t.Errorf("removing the requests made the stubs new: %d", got.status)
	}
}

// TestAdminHidesSecrets looks for keys wherever they can be: nothing that the admin API says may hold one.
func TestAdminHidesSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-proj-Secret0123456789abcdefghijklmnop"
	s := run(t, server.Config{Paths: []string{writeStubs(t, `
stubs:
  - name: hands the key out
    when: {about: please}
    answer: {text: "The key is `+key+`, keep it."}
  - name: hands it out in pieces
    when: {about: slowly}
    pace: {chunk: 4}
    answer: {text: "The key is `+key+`, keep it."}
  - name: hands it to a tool
    when: {about: tool}
    answer: {toolCalls: [{name: login, arguments: {key: `+key+`}}]}
`)}})
	requests := []*wire.Probe{
		chat("please, my key is " + key), chat("slowly", `,"stream":true`), chat("tool", `,"stream":true`), chat("nobody answers " + key),
	}
	for _, p := range requests {
		p.Header.Set("Authorization", "Bearer "+key)
		p.Header.Set("X-Api-Key", "opaque-"+strings.ToLower(key[8:]))
		p.Header.Set("Cookie", "session=opaque-cookie")
		p.Query = url.Values{"api_key": {"opaque-query-key"}, "lang": {"de"}}
		s.send(t, p)
	}
	for _, path := range []string{"/__admin/requests", "/__admin/requests/00000000-0000-4000-8000-000000000002"} {
		_, said := s.admin(t, http.MethodGet, path, nil)
		var all strings.Builder
		all.WriteString(said)
		var list entries
		s.admin(t, http.MethodGet, "/__admin/requests", &list)
		for _, e := range list.Requests {
			for _, b := range []string{e.Request.Base64, e.Response.Base64} {
				plain, err := base64.StdEncoding.DecodeString(b)
				if err != nil {
					t.Fatal(err)
				}
				all.Write(plain)
			}
		}
		body := all.String()
		for _, secret := range []string{key, "Secret0123456789", "opaque-"} {
			if strings.Contains(body, secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
		if strings.Contains(body, `"mnop"`) || strings.Contains(body, `"Secr`) || strings.Contains(body, `cret"`) {
			t.Errorf("%s shows pieces of the key:\n%s", path, body)
		}
		if !strings.Contains(body, "api_key=REDACTED") || !strings.Contains(body, "lang=de") {
			t.Errorf("%s: the query is not as it should be", path)
		}
	}
}
