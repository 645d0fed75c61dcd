package sdktest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"golang.org/x/oauth2"
	"google.golang.org/genai"
)

// geminiDriver speaks generateContent with google.golang.org/genai, on AI Studio or on Vertex AI.
type geminiDriver struct {
	book     *book
	endpoint *endpoint
	client   *genai.Client
	// status is that of the last answer: the SDK gives an error inside a stream the look of any other.
	status *int
	config genai.GenerateContentConfig
	// history is what the SDK's own chat keeps of the conversation.
	history []*genai.Content
	calls   []*genai.FunctionCall
}

// statusOf notes the status of each answer.
type statusOf struct {
	base   http.RoundTripper
	status *int
}

// RoundTrip implements [http.RoundTripper].
func (s statusOf) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.base.RoundTrip(r)
	if *s.status = 0; err == nil {
		*s.status = resp.StatusCode
	}
	return resp, err
}

// newGemini makes the driver of AI Studio.
func newGemini(b *book, e *endpoint, client *http.Client) driver {
	return newGenai(b, e, client.Transport, &genai.ClientConfig{APIKey: "AIza-test", Backend: genai.BackendGeminiAPI})
}

// newGeminiVertex makes the driver of Vertex AI. The SDK leaves the token to the client that it is given.
func newGeminiVertex(b *book, e *endpoint, client *http.Client) driver {
	transport := &oauth2.Transport{Base: client.Transport, Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "ya29.test"})}
	return newGenai(b, e, transport, &genai.ClientConfig{Project: "parcels", Location: "us-central1", Backend: genai.BackendVertexAI})
}

func newGenai(b *book, e *endpoint, base http.RoundTripper, config *genai.ClientConfig) driver {
	d := &geminiDriver{book: b, endpoint: e, status: new(int)}
	config.HTTPClient = &http.Client{Transport: statusOf{base, d.status}}
	client, err := genai.NewClient(context.Background(), config)
	if err != nil {
		return failing{err}
	}
	d.client = client
	return d
}

// failing is the driver of a client that could not be made.
type failing struct{ err error }

// Do implements [driver].
func (f failing) Do(context.Context, *ask) outcome { return outcome{err: f.err, symptom: "no client"} }

// Stream implements [driver].
func (f failing) Stream(context.Context, *ask) outcome {
	return outcome{err: f.err, symptom: "no client"}
}

// chat opens the SDK's chat with what was said before, and gives what the turn says.
func (d *geminiDriver) chat(ctx context.Context, a *ask) (*genai.Chat, []*genai.Part, error) {
	if a.System != "" {
		d.config.SystemInstruction = genai.NewContentFromText(a.System, genai.RoleUser)
	}
	config := d.config
	if a.MaxTokens > 0 {
		config.MaxOutputTokens = int32(a.MaxTokens)
	}
	if a.Choices > 0 {
		config.CandidateCount = int32(a.Choices)
	}
	if a.Logprobs > 0 {
		config.ResponseLogprobs, config.Logprobs = true, new(int32(a.Logprobs))
	}
	if a.Reasoning != "" {
		config.ThinkingConfig = &genai.ThinkingConfig{IncludeThoughts: true, ThinkingLevel: genai.ThinkingLevel(strings.ToUpper(a.Reasoning))}
	}
	if a.Schema != "" {
		config.ResponseMIMEType, config.ResponseJsonSchema = "application/json", object(d.book.Schemas[a.Schema])
	}
	config.StopSequences = a.Stop
	config.Tools = d.tools(a)
	chat, err := d.client.Chats.Create(ctx, d.endpoint.modelFor(a), &config, d.history)
	return chat, d.parts(a), err
}

func (d *geminiDriver) tools(a *ask) []*genai.Tool {
	var functions []*genai.FunctionDeclaration
	for _, name := range a.Tools {
		t := d.book.Tools[name]
		functions = append(functions, &genai.FunctionDeclaration{Name: name, Description: t.Description, ParametersJsonSchema: object(t.Parameters)})
	}
	if functions == nil {
		return nil
	}
	return []*genai.Tool{{FunctionDeclarations: functions}}
}

// parts are the results of the calls before, and what the user says.
func (d *geminiDriver) parts(a *ask) []*genai.Part {
	var parts []*genai.Part
	for i, result := range a.Results {
		response := map[string]any{"output": result}
		parts = append(parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: d.calls[i].ID, Name: d.calls[i].Name, Response: response}})
	}
	if a.User != "" {
		parts = append(parts, genai.NewPartFromText(a.User))
	}
	return parts
}

// Do implements [driver].
func (d *geminiDriver) Do(ctx context.Context, a *ask) outcome {
	switch a.Op {
	case "list_models", "get_model":
		return d.models(ctx, a)
	case "embed":
		return d.embed(ctx, a)
	case "count_tokens":
		got, err := d.client.Models.CountTokens(ctx, d.endpoint.Model, genai.Text(a.User), nil)
		if err != nil {
			return d.failed(err)
		}
		return outcome{tokens: int64(got.TotalTokens)}
	}
	chat, parts, err := d.chat(ctx, a)
	if err != nil {
		return d.failed(err)
	}
	got, err := chat.Send(ctx, parts...)
	if err != nil {
		return d.failed(err)
	}
	d.history = chat.History(true)
	var t taken
	t.add(got)
	return d.keep(&t)
}

// Stream implements [driver]. The SDK gives the chunks, and has no accumulator but its chat's.
func (d *geminiDriver) Stream(ctx context.Context, a *ask) outcome {
	chat, parts, err := d.chat(ctx, a)
	if err != nil {
		return d.failed(err)
	}
	var t taken
	for chunk, err := range chat.SendStream(ctx, parts...) {
		if err != nil {
			o := d.keep(&t)
			o.fail(d.failed(err))
			return o
		}
		t.add(chunk)
	}
	d.history = chat.History(true)
	return d.keep(&t)
}

// keep remembers the calls for the next turn.
func (d *geminiDriver) keep(t *taken) outcome {
	d.calls = t.calls
	return t.outcome
}

func (d *geminiDriver) models(ctx context.Context, a *ask) outcome {
	if a.Op == "get_model" {
		m, err := d.client.Models.Get(ctx, a.Model, nil)
		if err != nil {
			return d.failed(err)
		}
		return outcome{models: []string{bareName(m.Name)}}
	}
	var o outcome
	page, err := d.client.Models.List(ctx, &genai.ListModelsConfig{PageSize: int32(a.Limit)})
	for err == nil {
		o.pages++
		for _, m := range page.Items {
			o.models = append(o.models, bareName(m.Name))
		}
		page, err = page.Next(ctx)
	}
	if !errors.Is(err, genai.ErrPageDone) {
		return d.failed(err)
	}
	return o
}

func bareName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func (d *geminiDriver) embed(ctx context.Context, a *ask) outcome {
	var config genai.EmbedContentConfig
	if a.Dimensions > 0 {
		config.OutputDimensionality = new(int32(a.Dimensions))
	}
	contents := genai.Text(a.User)
	for i, text := range a.Inputs {
		contents = append(contents[:i], genai.NewContentFromText(text, genai.RoleUser))
	}
	got, err := d.client.Models.EmbedContent(ctx, d.endpoint.EmbeddingModel, contents, &config)
	if err != nil {
		return d.failed(err)
	}
	var o outcome
	for _, e := range got.Embeddings {
		vector := make([]float64, len(e.Values))
		for i, f := range e.Values {
			vector[i] = float64(f)
		}
		o.vectors = append(o.vectors, vector)
	}
	return o
}

// failed reads an error of genai: what the provider said, or the symptom of what broke. A reason, where there is one, is
// in the details only.
func (d *geminiDriver) failed(err error) outcome {
	var status genai.APIError
	if !errors.As(err, &status) {
		o := outcome{err: err, symptom: symptom(err)}
		if strings.Contains(err.Error(), "invalid stream chunk") {
			o.symptom = "bad json"
		}
		return o
	}
	f := &failure{Status: status.Code, Code: status.Status, Message: status.Message, InStream: *d.status == http.StatusOK}
	for _, detail := range status.Details {
		if reason, ok := detail["reason"].(string); ok {
			f.Type = reason
		}
	}
	return outcome{err: err, failure: f}
}

// taken collects the chunks of an answer.
type taken struct {
	outcome
	calls []*genai.FunctionCall
}

func (t *taken) add(r *genai.GenerateContentResponse) {
	t.id, t.model = r.ResponseID, r.ModelVersion
	t.events++
	if r.SDKHTTPResponse != nil {
		t.header = r.SDKHTTPResponse.Headers
	}
	if u := r.UsageMetadata; u != nil && u.TotalTokenCount > 0 {
		t.usage = &usage{
			Input: int64(u.PromptTokenCount), Output: int64(u.CandidatesTokenCount + u.ThoughtsTokenCount),
			Reasoning: int64(u.ThoughtsTokenCount), CacheRead: int64(u.CachedContentTokenCount),
		}
	}
	if r.PromptFeedback != nil {
		t.status = string(r.PromptFeedback.BlockReason)
	}
	for _, c := range r.Candidates {
		for int(c.Index) >= len(t.choices) {
			t.choices = append(t.choices, choice{})
		}
		t.candidate(&t.choices[c.Index], c)
	}
}

func (t *taken) candidate(ch *choice, c *genai.Candidate) {
	if c.FinishReason != "" {
		ch.finish = string(c.FinishReason)
	}
	if c.LogprobsResult != nil {
		ch.logprobs += len(c.LogprobsResult.ChosenCandidates)
	}
	if c.Content == nil {
		return
	}
	for _, p := range c.Content.Parts {
		switch {
		case p.Thought:
			ch.reasoning += p.Text
			ch.part("reasoning")
		case p.FunctionCall != nil:
			arguments, _ := json.Marshal(p.FunctionCall.Args) // it was read from JSON
			ch.calls = append(ch.calls, call{id: p.FunctionCall.ID, name: p.FunctionCall.Name, arguments: string(arguments)})
			t.calls = append(t.calls, p.FunctionCall)
			ch.part("call")
		case p.Text != "":
			ch.text += p.Text
			ch.part("text")
		}
		if len(p.ThoughtSignature) > 0 {
			ch.signature = true
			ch.redacted = ch.reasoning == ""
		}
	}
}

// part adds a kind, unless the last part is of it: chunks of a text are one text.
func (c *choice) part(kind string) {
	if n := len(c.parts); n == 0 || c.parts[n-1] != kind || kind == "call" {
		c.parts = append(c.parts, kind)
	}
}
