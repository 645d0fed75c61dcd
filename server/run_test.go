package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a server on a loopback port, for the time of a test.
type running struct {
	*server.Server
	url    string
	client *http.Client
}

func run(t *testing.T, c server.Config) *running {
	t.Helper()
	c.Addr = "127.0.0.1:0"
	s, err := server.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l, err := s.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &running{s, s.URL(l), &http.Client{Transport: transport, Timeout: 20 * time.Second}}
}

// answer is a whole answer, and the case that asked for it.
type answer struct {
	id     string
	status int
	header http.Header
	body   []byte
}

// begin is the body's beginning, for messages.
func (a *answer) begin() []byte { return a.body[:min(len(a.body), 300)] }

// caseHeader names the test that a request comes from, so that it can be found in the journal.
const caseHeader = "X-Test-Case"

func (s *running) send(t *testing.T, p *wire.Probe) *answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), p.Method, s.url+p.URL(), bytes.NewReader(p.Body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = p.Header.Clone()
	req.Header.Set(caseHeader, t.Name())
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("the answer broke off: %v", err)
	}
	return &answer{t.Name(), resp.StatusCode, resp.Header, body}
}

// entry is what the tests read of a journal entry in the admin API.
type entry struct {
	ID      string `json:"id"`
	Request struct {
		Method  string         `json:"method"`
		URL     string         `json:"url"`
		Headers map[string]any `json:"headers"`
		Body    string         `json:"body"`
		Base64  string         `json:"bodyAsBase64"`
	} `json:"request"`
	Response struct {
		Status int    `json:"status"`
		Body   string `json:"body"`
		Base64 string `json:"bodyAsBase64"`
	} `json:"response"`
	WasMatched bool     `json:"wasMatched"`
	Stub       string   `json:"stub"`
	Endpoint   string   `json:"endpoint"`
	Model      string   `json:"model"`
	Outcome    string   `json:"outcome"`
	Events     int      `json:"events"`
	Reason     string   `json:"reason"`
	Fault      string   `json:"fault"`
	Warnings   []string `json:"warnings"`
	NearMisses []string `json:"nearMisses"`
}

type entries struct {
	Requests []entry `json:"requests"`
	Meta     struct {
		Total int `json:"total"`
	} `json:"meta"`
}

// admin calls the admin API, and decodes its answer where v is not nil.
func (s *running) admin(t *testing.T, method, path string, v any) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if v != nil {
		if err := json.Unmarshal(b, v); err != nil {
			t.Fatalf("%s %s: %v\n%s", method, path, err, b)
		}
	}
	return resp.StatusCode, string(b)
}

// expectJournal finds the one entry of a refused request.
func (s *running) expectJournal(t *testing.T, got *answer) {
	t.Helper()
	var list entries
	s.admin(t, http.MethodGet, "/__admin/requests?unmatched=true", &list)
	n := 0
	for _, e := range list.Requests {
		if e.Request.Headers[caseHeader] != got.id {
			continue
		}
		n++
		if e.Response.Status != got.status || e.WasMatched || e.Reason == "" || e.Reason == "panic" {
			t.Errorf("the journal says %+v", e)
		}
	}
	if n != 1 {
		t.Errorf("%d entries in the journal, want 1", n)
	}
}

// chat is an accepted request for a chat about a text.
func chat(text string, more ...string) *wire.Probe {
	return &wire.Probe{
		Method: http.MethodPost, Path: "/v1/chat/completions",
		Header: http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer sk-test-0123456789abcdef0123"}},
		Body:   []byte(`{"model":"gpt-4.1-mini","messages":[{"role":"user","content":"` + text + `"}]` + strings.Join(more, "") + `}`),
	}
}
