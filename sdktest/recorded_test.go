package sdktest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/captures"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
	"github.com/mimus-go/mimus/wire/wiretest"
)

// recordedWires are the folders of recordings, and who speaks there.
var recordedWires = map[string]struct{ provider, dialect string }{
	"openai-chat":      {"openai", "openai"},
	"openai-responses": {"openai", "openai"},
	"azure-openai":     {"openai", "azure"},
	"anthropic":        {"anthropic", ""},
	"claude-vertex":    {"anthropic", ""},
}

// notTheSame is what differs on purpose between what SDKs make of recordings and of our answers: in which recordings (by
// the beginnings of their names), and why. "+" is set by us alone, "-" by the provider alone. An entry that is no longer
// needed fails.
var notTheSame = []struct {
	difference string
	in         []string
	why        string
}{
	{"+.PromptCacheRetention", []string{"openai-responses/hosted-file", "openai-responses/reasoning-openllmetry", "openai-responses/structured"}, "the field is younger than the recording"},
	{"+.CompletedAt", []string{"openai-responses/hosted-file", "openai-responses/reasoning-openllmetry-02"}, "the field is younger than the recording"},
	{"+.Reasoning.Context", []string{"openai-responses/"}, "the field is younger than the recording, or the model's own"},
	{"+.Reasoning.Mode", []string{"openai-responses/"}, "the field is younger than the recording, or the model's own"},
	{"-.Output[].Namespace", []string{"openai-responses/hosted-tool-search"}, "a neutral tool call has no namespace"},
	{"-.ToolUsage.WebSearch.NumRequests", []string{"openai-responses/hosted-web-search"}, "the neutral usage counts no searches"},
	{"-.Moderation.", []string{"openai-responses/reasoning-encrypted-stream"}, "an answer of ours is never moderated"},
	{"reasoning", []string{"openai-responses/reasoning-openllmetry"}, "several summaries are one reasoning, with blank lines between them"},
	{"text", []string{"openai-chat/audio"}, "sound is told by its transcript"},
	{"-.Choices[].Message.Audio.", []string{"openai-chat/audio"}, "sound is told by its transcript"},
	{"+.Choices[].Message.Content", []string{"openai-chat/audio"}, "sound is told by its transcript"},
	{"-.Usage.", []string{"openai-chat/audio"}, "the neutral usage counts no tokens of sound"},
	{"usage", []string{"azure-openai/chat-rubyllm", "azure-openai/chat-stream-rubyllm"}, "Grok on Azure counts in its own way"},
	{"-.Usage.", []string{"azure-openai/chat-rubyllm", "azure-openai/chat-stream-rubyllm"}, "Grok on Azure counts in its own way"},
	{"+.ServiceTier", []string{"azure-openai/chat-rubyllm", "azure-openai/filtered"}, "Grok on Azure, and an old API version, leave it out"},
	{"+.SystemFingerprint", []string{"azure-openai/chat-rubyllm", "azure-openai/filtered"}, "Grok on Azure, and an old API version, leave it out"},
	{"+.Choices[].Message.Role", []string{"azure-openai/filtered"}, "an old API version leaves the message out where its text was filtered"},
	{"+.Usage.InferenceGeo", []string{"anthropic/"}, "the field is younger than the recording"},
	{"-.Container.", []string{"anthropic/hosted-"}, "the neutral answer knows no container"},
}

// TestRecorded gives the SDKs what a provider was recorded to send, and what mimus sends for the same content, and wants
// the same value of both: the same fields set, the same answer, the same counts.
func TestRecorded(t *testing.T) {
	t.Parallel()
	root, err := captures.Root()
	if errors.Is(err, captures.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := load(t)
	seen, used := map[string]int{}, map[int]bool{}
	for wireName := range recordedWires {
		exchanges, err := captures.Dir(root, wireName)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range exchanges {
			name, err := filepath.Rel(root, strings.TrimSuffix(x.Path, ".http"))
			if err != nil {
				t.Fatal(err)
			}
			c := recordedCall(x)
			if c == nil || x.Status != http.StatusOK || x.PayloadLines {
				continue
			}
			seen[wireName]++
			t.Run(name, func(t *testing.T) { sameValue(t, b, name, x, c, used) })
		}
	}
	for wireName := range recordedWires {
		if seen[wireName] == 0 {
			t.Errorf("no recording of %s has its request", wireName)
		}
	}
	for i, d := range notTheSame {
		if !used[i] {
			t.Errorf("no longer a difference: %s in %v (%s)", d.difference, d.in, d.why)
		}
	}
	t.Logf("recordings that were compared: %v", seen)
}

// recordedCall is the call of a recording whose request is known and asks for an answer; nil for others.
func recordedCall(x *captures.Exchange) *wire.Call {
	if x.Method != http.MethodPost {
		return nil
	}
	who := recordedWires[x.Wire]
	target, query, _ := strings.Cut(x.URL, "?")
	p := &wire.Probe{Method: x.Method, Path: target, Header: http.Header{}, Query: url.Values{}, Body: x.RequestBody, Dialect: who.dialect}
	p.Query, _ = url.ParseQuery(query)
	for _, f := range x.RequestHeader {
		p.Header.Add(f.Name, f.Value)
	}
	for _, provider := range all.Providers() {
		if provider.Name() != who.provider {
			continue
		}
		c, failure, err := wiretest.Call(provider, p)
		if err == nil && failure == nil && c.Endpoint.Codec != nil && c.Request.Kind == wire.Chat {
			return c
		}
	}
	return nil
}

// driverOf names the driver that speaks a recording's endpoint.
func driverOf(x *captures.Exchange, c *wire.Call) string {
	_, kind, _ := strings.Cut(c.Endpoint.Name, ".")
	switch {
	case c.Endpoint.Name == "anthropic.vertex":
		return "vertex.messages"
	case x.Wire == "azure-openai":
		return "azure." + kind
	}
	return c.Endpoint.Name
}

func sameValue(t *testing.T, b *book, name string, x *captures.Exchange, c *wire.Call, used map[int]bool) {
	t.Helper()
	header := http.Header{}
	for _, f := range x.ResponseHeader {
		header.Add(f.Name, f.Value)
	}
	head := &wire.ResponseHead{Status: x.Status, Header: header, Request: c.Request}
	reply, err := wire.Fold(c.Endpoint.Codec.Read(head, bytes.NewReader(x.ResponseBody)))
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	ours, _, _ := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, wire.NoCut())
	driver := driverOf(x, c)
	real := given(t, b, driver, c.Request.Stream, x.Status, x.ResponseBody)
	made := given(t, b, driver, c.Request.Stream, ours.Status, ours.Bytes())
	if real.err != nil || real.symptom != "" {
		t.Fatalf("the SDK can't read what was recorded: %v %s", real.err, real.symptom)
	}
	for _, difference := range differences(real, made) {
		if !excused(name, difference, used) {
			t.Errorf("%s: %s\n recorded %+v\n ours     %+v", driver, difference, plain(real), plain(made))
		}
	}
}

// excused says whether a difference is listed for a recording, and marks the entries that say so.
func excused(name, difference string, used map[int]bool) bool {
	found := false
	for i, d := range notTheSame {
		matches := difference == d.difference || strings.HasSuffix(d.difference, ".") && strings.HasPrefix(difference, d.difference)
		if matches && slices.ContainsFunc(d.in, func(in string) bool { return strings.HasPrefix(name, in) }) {
			used[i], found = true, true
		}
	}
	return found
}

// differences names what is not the same: parts of the answer, and fields that only one of the SDK's values has set.
func differences(real, made outcome) []string {
	var all []string
	note := func(what string, same bool) {
		if !same && !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	r, m := plain(real), plain(made)
	note("failure", reflect.DeepEqual(r.failure, m.failure))
	note("symptom", r.symptom == m.symptom)
	note("usage", reflect.DeepEqual(r.usage, m.usage))
	note("status", r.status == m.status)
	note("choices", len(r.choices) == len(m.choices))
	for i := range min(len(r.choices), len(m.choices)) {
		a, b := r.choices[i], m.choices[i]
		note("text", a.text == b.text)
		note("refusal", a.refusal == b.refusal)
		note("reasoning", a.reasoning == b.reasoning)
		note("signature", a.signature == b.signature && a.redacted == b.redacted)
		note("calls", reflect.DeepEqual(a.calls, b.calls))
		note("finish", a.finish == b.finish && a.sequence == b.sequence)
		note("parts", slices.Equal(a.parts, b.parts))
	}
	inReal, inMade := set(reflect.ValueOf(real.value)), set(reflect.ValueOf(made.value))
	for _, path := range slices.Sorted(maps.Keys(inReal)) {
		note("-"+path, inMade[path])
	}
	for _, path := range slices.Sorted(maps.Keys(inMade)) {
		note("+"+path, inReal[path])
	}
	return all
}

// given is what the SDK makes of a response.
func given(t *testing.T, b *book, name string, streams bool, status int, body []byte) outcome {
	t.Helper()
	contentType := "application/json"
	if streams {
		contentType = "text/event-stream; charset=utf-8"
	}
	client := &http.Client{Transport: canned{&http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {contentType}},
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}}}
	d := drivers[name](b, b.Endpoints[name], client)
	question := &ask{User: "Hello."}
	if streams {
		return d.Stream(t.Context(), question)
	}
	return d.Do(t.Context(), question)
}

// canned gives one response to whatever is asked.
type canned struct{ response *http.Response }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	c.response.Request = r
	return c.response, nil
}

// plain is an outcome without what is different by nature: ids, names of models, headers, how a text is cut into events.
func plain(o outcome) outcome {
	o.id, o.model, o.header, o.value, o.events = "", "", nil, nil, 0
	for i := range o.choices {
		o.choices[i].logprobs = 0
		for j := range o.choices[i].calls {
			o.choices[i].calls[j].id = ""
		}
	}
	return o
}

// set are the paths of the fields that an SDK's value has set.
func set(v reflect.Value) map[string]bool {
	paths := map[string]bool{}
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() && f.Name != "JSON" {
					walk(v.Field(i), path+"."+f.Name)
				}
			}
		case reflect.Slice:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				break
			}
			for i := range v.Len() {
				walk(v.Index(i), path+"[]")
			}
			return
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
			return
		}
		if v.IsValid() && !v.IsZero() && v.Kind() != reflect.Struct {
			paths[path] = true
		}
	}
	walk(v, "")
	return paths
}
