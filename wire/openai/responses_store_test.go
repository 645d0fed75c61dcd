package openai_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/openai"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// responsesWorld answers requests as a server would: it loads histories, and remembers answers.
type responsesWorld struct {
	t    *testing.T
	env  wiretest.Env
	seed uint64
}

// ask sends one request, which is answered with parts unless it is refused or served from the store.
func (w *responsesWorld) ask(method, target, body string, parts ...wire.Part) (wire.Response, *wire.Call) {
	w.t.Helper()
	return w.askCut(method, target, body, wire.NoCut(), parts...)
}

func (w *responsesWorld) askCut(method, target, body string, cut wire.Cut, parts ...wire.Part) (wire.Response, *wire.Call) {
	w.t.Helper()
	p := openai.Provider()
	probe := responsesProbe(method, target, body)
	_, e, _, _ := wire.NewRouter(p).Route(probe)
	if e == nil {
		w.t.Fatalf("nothing claims %s %s", method, target)
	}
	w.seed++
	c := &wire.Call{Probe: probe, Endpoint: e, Env: &w.env, Seed: w.seed}
	c.Request = c.NewRequest(p)
	if e.Serve != nil {
		return e.Serve(c), c
	}
	if f := e.Codec.Decode(c); f != nil {
		return e.Codec.Refuse(c, f), c
	}
	if o, ok := w.env.Store().Get("response", c.Request.Previous); ok {
		c.Request.History = o.Turn
	}
	for v := range e.Codec.Check(c) {
		return e.Codec.Refuse(c, v.Failure), c
	}
	r, _, _ := wire.Render(c, e.Codec, wire.Reply{Choices: []wire.Answer{{Parts: parts}}}, wire.Split{}, cut)
	if c.Remember != nil {
		c.Remember()
	}
	return r, c
}

func parsed(t *testing.T, r wire.Response) jsonx.Value {
	t.Helper()
	v, err := jsonx.ParseBytes(r.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, r.Bytes())
	}
	return v
}

// refused checks the envelope of a refusal.
func refused(t *testing.T, r wire.Response, status int, param, code, message string) {
	t.Helper()
	e := parsed(t, r).Get("error")
	if r.Status != status || e.Get("param").Str() != param || e.Get("code").Str() != code || !strings.Contains(e.Get("message").Str(), message) {
		t.Errorf("status %d, want %d, param %q, code %q, message %q:\n%s", r.Status, status, param, code, message, r.Bytes())
	}
}

func TestResponsesContinue(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	first, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"My parcel is PX-AI-8102.","instructions":"Be rude."}`, wire.Text{Text: "Noted, peasant."})
	id := parsed(t, first).Get("id").Str()
	second, c := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Where is it?","instructions":"Be kind.","previous_response_id":"`+id+`"}`, wire.Text{Text: "In Leipzig."})
	if got := parsed(t, second).Get("previous_response_id").Str(); got != id {
		t.Errorf("previous_response_id %q, want %q", got, id)
	}
	about := c.Request.Conversation()
	for _, want := range []string{"PX-AI-8102", "Noted, peasant.", "Where is it?", "Be kind."} {
		if !strings.Contains(about, want) {
			t.Errorf("the conversation lacks %q: %q", want, about)
		}
	}
	if strings.Contains(about, "Be rude.") {
		t.Error("instructions are carried over; the provider forgets them")
	}
	_, c = w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"And now?","previous_response_id":"`+parsed(t, second).Get("id").Str()+`"}`, wire.Text{Text: "x"})
	if about = c.Request.Conversation(); !strings.Contains(about, "In Leipzig.") || !strings.Contains(about, "PX-AI-8102") {
		t.Errorf("a chain forgets: %q", about)
	}
}

func TestResponsesStoreFalse(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	r, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","store":false}`, wire.Text{Text: "Hi."})
	id := parsed(t, r).Get("id").Str()
	r, _ = w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","previous_response_id":"`+id+`"}`, wire.Text{Text: "Hi."})
	refused(t, r, 400, "previous_response_id", "previous_response_not_found", "Previous response with id '"+id+"' not found.")
	r, _ = w.ask("GET", "/v1/responses/"+id, "")
	refused(t, r, 404, "", "", "Response with id '"+id+"' not found.")
}

func TestResponsesGetAndDelete(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	whole, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi"}`, wire.Text{Text: "Hi."})
	id := parsed(t, whole).Get("id").Str()
	got, _ := w.ask("GET", "/v1/responses/"+id, "")
	if string(got.Body) != string(whole.Body) || got.Status != http.StatusOK {
		t.Errorf("GET gives %d\n%s\nwant\n%s", got.Status, got.Body, whole.Body)
	}
	stream, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","stream":true}`, wire.Text{Text: "Hi."})
	last, err := jsonx.ParseBytes(stream.Frames[len(stream.Frames)-1].Data)
	if err != nil {
		t.Fatal(err)
	}
	streamed := last.At("response", "id").Str()
	got, _ = w.ask("GET", "/v1/responses/"+streamed, "")
	if text := parsed(t, got).At("output", 0, "content", 0, "text").Str(); text != "Hi." {
		t.Errorf("GET of a streamed response says %q", text)
	}
	got, _ = w.ask("GET", "/v1/responses/"+streamed+"?stream=true", "")
	refused(t, got, 400, "stream", "invalid_request_error", "not created with background=true")
	got, _ = w.ask("DELETE", "/v1/responses/"+id, "")
	if v := parsed(t, got); v.Get("id").Str() != id || v.Get("deleted").Raw() != "true" || v.Get("object").Str() != "response.deleted" {
		t.Errorf("DELETE gives %s", got.Body)
	}
	for _, method := range []string{"GET", "DELETE"} {
		got, _ = w.ask(method, "/v1/responses/"+id, "")
		refused(t, got, 404, "", "", "Response with id '"+id+"' not found.")
	}
}

func TestResponsesBackground(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	w.env.Time = start
	r, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","background":true}`, wire.Text{Text: "Hi."})
	v := parsed(t, r)
	id := v.Get("id").Str()
	if v.Get("status").Str() != "queued" || v.Get("output").Len() != 0 || !v.Get("usage").IsNull() || v.Get("billing").Exists() || v.Get("service_tier").Str() != "auto" {
		t.Errorf("the first answer is %s", r.Body)
	}
	for _, step := range []struct {
		after  time.Duration
		status string
		output int
	}{{0, "queued", 0}, {999 * time.Millisecond, "queued", 0}, {time.Second, "in_progress", 0}, {2 * time.Second, "completed", 1}, {time.Hour, "completed", 1}} {
		w.env.Time = start.Add(step.after)
		r, _ = w.ask("GET", "/v1/responses/"+id, "")
		if v = parsed(t, r); v.Get("status").Str() != step.status || v.Get("output").Len() != step.output {
			t.Errorf("after %v: %s", step.after, r.Body)
		}
		if step.status == "completed" && (v.Get("completed_at").Raw() != "1796040002" || !v.Get("billing").Exists() || v.Get("usage").IsNull()) {
			t.Errorf("completed: %s", r.Body)
		}
	}
	r, _ = w.ask("POST", "/v1/responses/"+id+"/cancel", "")
	if v = parsed(t, r); v.Get("status").Str() != "completed" {
		t.Errorf("cancel of a completed response gives %s", r.Body)
	}
}

func TestResponsesCancel(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	w.env.Time = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	r, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","background":true}`, wire.Text{Text: "Hi."})
	id := parsed(t, r).Get("id").Str()
	for range 2 {
		r, _ = w.ask("POST", "/v1/responses/"+id+"/cancel", "")
		if v := parsed(t, r); r.Status != 200 || v.Get("status").Str() != "cancelled" || v.Get("output").Len() != 0 {
			t.Errorf("cancel gives %s", r.Body)
		}
	}
	w.env.Time = w.env.Time.Add(time.Hour)
	r, _ = w.ask("GET", "/v1/responses/"+id, "")
	if v := parsed(t, r); v.Get("status").Str() != "cancelled" {
		t.Errorf("a cancelled response becomes %s", r.Body)
	}
	r, _ = w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi"}`, wire.Text{Text: "Hi."})
	r, _ = w.ask("POST", "/v1/responses/"+parsed(t, r).Get("id").Str()+"/cancel", "")
	refused(t, r, 400, "", "", "Cannot cancel a synchronous response.")
	r, _ = w.ask("POST", "/v1/responses/resp_x/cancel", "")
	refused(t, r, 404, "", "", "not found")
}

func TestResponsesStreamAgain(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	cut := wire.NoCut()
	cut.After = 6
	first, _ := w.askCut("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","background":true,"stream":true}`, cut, wire.Text{Text: "one two three"})
	v, err := jsonx.ParseBytes(first.Frames[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	id := v.At("response", "id").Str()
	all, _ := w.ask("GET", "/v1/responses/"+id+"?stream=true", "")
	rest, _ := w.ask("GET", "/v1/responses/"+id+"?stream=true&starting_after=5", "")
	if len(all.Frames) != len(rest.Frames)+6 {
		t.Fatalf("%d events in all, %d after the sixth", len(all.Frames), len(rest.Frames))
	}
	joined := append(append([]wire.Frame(nil), first.Frames...), rest.Frames...)
	for i, f := range joined {
		if string(f.Data) != string(all.Frames[i].Data) {
			t.Errorf("event %d differs when it is sent again:\n%s\n%s", i, f.Data, all.Frames[i].Data)
		}
	}
	grammar(t, joined, "")
}

// TestResponsesRemembersFailures: what a failed stream had said is remembered, and its status.
func TestResponsesRemembersFailures(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	fail := wire.NoCut()
	fail.FailAfter, fail.Failure = 6, &wire.Failure{Kind: wire.ServerError}
	r, _ := w.askCut("POST", "/v1/responses", `{"model":"gpt-4o","input":"Hi","stream":true}`, fail, wire.Text{Text: "one two three"})
	v, err := jsonx.ParseBytes(r.Frames[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	id := v.At("response", "id").Str()
	r, _ = w.ask("GET", "/v1/responses/"+id, "")
	if v = parsed(t, r); v.Get("status").Str() != "failed" || v.At("error", "code").Str() != "server_error" || v.Get("output").Len() != 0 {
		t.Errorf("GET gives %s", r.Body)
	}
	_, c := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":"Go on.","previous_response_id":"`+id+`"}`, wire.Text{Text: "x"})
	if about := c.Request.Conversation(); !strings.Contains(about, "one two") || strings.Contains(about, "three") {
		t.Errorf("remembered of the failed stream: %q", about)
	}
}

func TestResponsesInputItems(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	r, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-4o","input":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?"},
		{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_1","output":"42"}]}`, wire.Text{Text: "Hi."})
	target := "/v1/responses/" + parsed(t, r).Get("id").Str() + "/input_items"
	r, _ = w.ask("GET", target+"?order=asc", "")
	v := parsed(t, r)
	want := []string{
		`"type":"message","status":"completed","content":[{"type":"input_text","text":"Hi"}],"role":"user"}`,
		`"type":"message","status":"completed","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Yes?"}],"role":"assistant"}`,
		`"type":"function_call","arguments":"{}","call_id":"call_1","name":"f","status":"completed"}`,
		`"type":"function_call_output","call_id":"call_1","output":"42","status":"completed"}`,
	}
	var ids []string
	for i, item := range v.Get("data").Items() {
		ids = append(ids, item.Get("id").Str())
		if got := string(jsonx.AppendCompact(nil, item.Raw())); !strings.HasSuffix(got, want[i]) || ids[i] == "" {
			t.Errorf("item %d is %s, want … %s", i, got, want[i])
		}
	}
	if len(ids) != 4 || v.Get("first_id").Str() != ids[0] || v.Get("last_id").Str() != ids[3] || v.Get("has_more").Raw() != "false" {
		t.Fatalf("the list is %s", r.Body)
	}
	r, _ = w.ask("GET", target+"?limit=2", "")
	if v = parsed(t, r); v.Get("first_id").Str() != ids[3] || v.Get("has_more").Raw() != "true" || v.Get("data").Len() != 2 {
		t.Errorf("the first page, newest first, is %s", r.Body)
	}
	r, _ = w.ask("GET", target+"?limit=2&after="+ids[2], "")
	if v = parsed(t, r); v.Get("first_id").Str() != ids[1] || v.Get("has_more").Raw() != "false" {
		t.Errorf("the second page is %s", r.Body)
	}
	r, _ = w.ask("GET", target+"?limit=101", "")
	refused(t, r, 400, "limit", "integer_above_max_value", "<= 100")
	r, _ = w.ask("GET", target+"?order=up", "")
	refused(t, r, 400, "order", "invalid_value", "'asc' and 'desc'")
	r, _ = w.ask("GET", "/v1/responses/resp_x/input_items", "")
	refused(t, r, 404, "", "", "not found")
}

func TestResponsesItemReference(t *testing.T) {
	t.Parallel()
	w := responsesWorld{t: t}
	r, _ := w.ask("POST", "/v1/responses", `{"model":"gpt-5","input":"Hi"}`, wire.Reasoning{Text: "hm"}, wire.ToolCall{Name: "track_parcel", Arguments: `{"n":1}`})
	v := parsed(t, r)
	thought, call, callID := v.At("output", 0, "id").Str(), v.At("output", 1, "id").Str(), v.At("output", 1, "call_id").Str()
	output := `{"type":"function_call_output","call_id":"` + callID + `","output":"ok"}`
	r, c := w.ask("POST", "/v1/responses", `{"model":"gpt-5","input":[{"role":"user","content":"Hi"},{"type":"item_reference","id":"`+thought+`"},{"id":"`+call+`"},`+output+`]}`, wire.Text{Text: "x"})
	if r.Status != 200 {
		t.Fatalf("a reference is refused: %s", r.Body)
	}
	if !strings.Contains(c.Request.Conversation(), "track_parcel") {
		t.Errorf("a referenced call is not in the conversation: %q", c.Request.Conversation())
	}
	r, _ = w.ask("POST", "/v1/responses", `{"model":"gpt-5","input":[{"role":"user","content":"Hi"},{"type":"item_reference","id":"`+call+`"},`+output+`]}`)
	refused(t, r, 400, "input", "", "Item '"+call+"' of type 'function_call' was provided without its required 'reasoning' item: '"+thought+"'.")
	r, _ = w.ask("POST", "/v1/responses", `{"model":"gpt-5","input":[{"role":"user","content":"Hi"},{"type":"item_reference","id":"`+thought+`"}]}`)
	refused(t, r, 400, "input", "", "Item '"+thought+"' of type 'reasoning' was provided without its required following item.")
	r, _ = w.ask("POST", "/v1/responses", `{"model":"gpt-5","input":[{"role":"user","content":"Hi"},{"type":"item_reference","id":"rs_x"}]}`)
	refused(t, r, 404, "input", "", "Item with id 'rs_x' not found. Items are not persisted when `store` is set to false.")
}
