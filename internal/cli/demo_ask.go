package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

// reply is an answer as the codec read it.
type reply struct {
	id    string
	reply wire.Reply
}

// ask sends a request, shows it and its answer, and reads the answer back.
func (d *demo) ask(ctx context.Context, w demoWire, body string, stream bool, what string) (*reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+w.path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range w.header {
		req.Header.Set(h[0], h[1])
	}
	d.line("", "  POST "+w.path+"  "+what)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	d.answer(resp, got, stream)
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", resp.StatusCode)
	}
	head := &wire.ResponseHead{Status: resp.StatusCode, Header: resp.Header, Request: &wire.Request{Endpoint: w.endpoint, Stream: stream}}
	var f wire.Folder
	for event, err := range all.Codecs()[w.endpoint].Read(head, bytes.NewReader(got)) {
		if err != nil {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
		f.Add(event)
	}
	if len(f.Reply.Choices) != 1 {
		return nil, fmt.Errorf("%d choices, want 1", len(f.Reply.Choices))
	}
	return &reply{f.Head.ID, f.Reply}, nil
}

// call is the one call of an answer, which must be the stub's.
func (r *reply) call() (wire.ToolCall, error) {
	calls := r.reply.Choices[0].Calls()
	if len(calls) != 1 || calls[0].Name != "track_parcel" || calls[0].Arguments != arguments {
		return wire.ToolCall{}, fmt.Errorf("the calls are %+v, want track_parcel %s", calls, arguments)
	}
	return calls[0], nil
}

func (r *reply) text() string {
	var b strings.Builder
	for _, p := range r.reply.Choices[0].Parts {
		if t, ok := p.(wire.Text); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// seen is what the demo reads of the admin API.
type seen struct {
	Requests []struct {
		Request struct {
			URL     string         `json:"url"`
			Headers map[string]any `json:"headers"`
			Body    string         `json:"body"`
		} `json:"request"`
		WasMatched bool   `json:"wasMatched"`
		Stub       string `json:"stub"`
		Outcome    string `json:"outcome"`
	} `json:"requests"`
}

// journal compares what the server saw with what was asked.
func (d *demo) journal(ctx context.Context) error {
	d.line("", "GET /__admin/requests  the journal, oldest first")
	list, err := d.settled(ctx)
	if err != nil {
		return err
	}
	if len(list.Requests) != len(d.asked) {
		return fmt.Errorf("it holds %d requests, want %d", len(list.Requests), len(d.asked))
	}
	for i, want := range d.asked {
		got := list.Requests[len(list.Requests)-1-i]
		d.line(dim, fmt.Sprintf("  %-22s %-10s by %q", got.Request.URL, got.Outcome, got.Stub))
		switch {
		case got.Request.URL != want.path || !got.WasMatched || got.Stub != want.stub || got.Outcome != "delivered":
			return fmt.Errorf("request %d was to be one for %s, answered by %q", i+1, want.path, want.stub)
		case strings.Contains(got.Request.Body, "OUT_FOR_DELIVERY") != (want.stub == stubAnswers):
			return fmt.Errorf("request %d: the tool's result is not where it should be", i+1)
		case strings.Contains(fmt.Sprint(got.Request.Headers), "demo-key"):
			return fmt.Errorf("request %d shows its key", i+1)
		}
	}
	return nil
}

// settled is the journal once no answer is on its way any more.
func (d *demo) settled(ctx context.Context) (*seen, error) {
	for {
		list := &seen{}
		if err := d.get(ctx, "/__admin/requests", list); err != nil {
			return nil, err
		}
		open := false
		for _, r := range list.Requests {
			open = open || r.Outcome == "open"
		}
		if !open {
			return list, nil
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (d *demo) get(ctx context.Context, path string, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	return json.NewDecoder(resp.Body).Decode(v)
}
