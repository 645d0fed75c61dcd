package sdktest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// book is e2e/cases.yaml. e2e/README.md says what its keys mean.
type book struct {
	Endpoints map[string]*endpoint       `json:"endpoints"`
	Tools     map[string]tool            `json:"tools"`
	Schemas   map[string]json.RawMessage `json:"schemas"`
	Texts     map[string]longText        `json:"texts"`
	Cases     []*scenario                `json:"cases"`
}

// endpoint is what is known of an endpoint and of the official SDKs on it, in the provider's own words.
type endpoint struct {
	Model          string             `json:"model"`
	ReasoningModel string             `json:"reasoningModel"`
	EmbeddingModel string             `json:"embeddingModel"`
	ID             string             `json:"id"`
	CallID         string             `json:"callId"`
	Finish         map[string]string  `json:"finish"`
	Errors         map[string]failure `json:"errors"`
	StreamErrors   map[string]failure `json:"streamErrors"`
}

type tool struct {
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Custom      bool            `json:"custom"`
}

// longText is a text that a case would not spell out.
type longText struct {
	Repeat string `json:"repeat"`
	Times  int    `json:"times"`
}

// scenario is one case.
type scenario struct {
	Name   string          `json:"name"`
	About  string          `json:"about"`
	Stubs  json.RawMessage `json:"stubs"`
	Answer json.RawMessage `json:"answer"`
	Where  selectors       `json:"where"`
	Except []exception     `json:"except"`
	Turns  []*turn         `json:"turns"`
}

// exception takes runs out of a case, for a reason.
type exception struct {
	Where selectors `json:"where"`
	Why   string    `json:"why"`
}

// turn is one request and what its client must see.
type turn struct {
	Ask    ask             `json:"ask"`
	Expect json.RawMessage `json:"expect"`
	But    []override      `json:"but"`
}

// override replaces what is expected in some runs. Set holds the keys; one that is null is no longer expected.
type override struct {
	Where selectors       `json:"where"`
	Why   string          `json:"why"`
	Set   json.RawMessage `json:"set"`
}

// selectors are one selector or a list of them, of which one has to hold.
type selectors []string

// UnmarshalJSON takes a text or a list of texts.
func (s *selectors) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*s = selectors{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(s))
}

// ask is a request in neutral words.
type ask struct {
	Op            string   `json:"op"`
	System        string   `json:"system"`
	User          string   `json:"user"`
	Inputs        []string `json:"inputs"`
	Dimensions    int64    `json:"dimensions"`
	Concurrent    int      `json:"concurrent"`
	Results       []string `json:"results"`
	Tools         []string `json:"tools"`
	Legacy        bool     `json:"legacy"`
	Schema        string   `json:"schema"`
	MaxTokens     int64    `json:"maxTokens"`
	Reasoning     string   `json:"reasoning"`
	Stop          []string `json:"stop"`
	Choices       int64    `json:"choices"`
	Logprobs      int64    `json:"logprobs"`
	Continue      bool     `json:"continue"`
	Background    bool     `json:"background"`
	Model         string   `json:"model"`
	ID            string   `json:"id"`
	Deadline      string   `json:"deadline"`
	Limit         int64    `json:"limit"`
	Wait          string   `json:"wait"`
	StartingAfter int64    `json:"startingAfter"`
}

// loadBook reads the cases. Unknown keys are errors.
func loadBook(file string) (*book, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if data, err = spellOut(withoutGoEscapes(data)); err != nil {
		return nil, fmt.Errorf("%s: texts: %w", file, err)
	}
	var b book
	if err := decodeStrictly(data, &b); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &b, b.check()
}

// withoutGoEscapes spells the characters out that the converter escapes as Go does: JSON has no \U.
func withoutGoEscapes(data []byte) []byte {
	return regexp.MustCompile(`\\\\|\\U[0-9a-f]{8}`).ReplaceAllFunc(data, func(escape []byte) []byte {
		if code, err := strconv.ParseInt(strings.TrimPrefix(string(escape), `\U`), 16, 32); err == nil {
			return utf8.AppendRune(nil, rune(code))
		}
		return escape
	})
}

// spellOut puts the long texts where the cases name them: a string that is $NAME, and nothing else.
func spellOut(data []byte) ([]byte, error) {
	var long struct {
		Texts map[string]longText `json:"texts"`
	}
	if err := json.Unmarshal(data, &long); err != nil {
		return nil, err
	}
	for name, t := range long.Texts {
		text, err := json.Marshal(strings.Repeat(t.Repeat, t.Times))
		if err != nil {
			return nil, err
		}
		data = bytes.ReplaceAll(data, []byte(`"$`+name+`"`), text)
	}
	return data, nil
}

func decodeStrictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// check finds what no runner could make sense of.
func (b *book) check() error {
	seen := map[string]bool{}
	for _, c := range b.Cases {
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("case %s: %w", c.Name, fmt.Errorf(format, args...))
		}
		switch {
		case c.Name == "" || seen[c.Name]:
			return wrong("a case needs a name of its own")
		case len(c.Turns) == 0:
			return wrong("it asks nothing")
		case c.Stubs != nil && c.Answer != nil:
			return wrong("it has both stubs and an answer")
		}
		seen[c.Name] = true
		if err := b.checkSelectors(c.Where); err != nil {
			return wrong("%w", err)
		}
		for _, e := range c.Except {
			if err := b.checkReason(e.Where, e.Why); err != nil {
				return wrong("except: %w", err)
			}
		}
		for i, t := range c.Turns {
			for _, o := range t.But {
				if err := b.checkReason(o.Where, o.Why); err != nil {
					return wrong("turn %d: but: %w", i+1, err)
				}
			}
			for _, name := range t.Ask.Tools {
				if _, ok := b.Tools[name]; !ok {
					return wrong("turn %d: no tool %q", i+1, name)
				}
			}
			if _, ok := b.Schemas[t.Ask.Schema]; !ok && t.Ask.Schema != "" {
				return wrong("turn %d: no schema %q", i+1, t.Ask.Schema)
			}
		}
	}
	return nil
}

func (b *book) checkReason(on selectors, why string) error {
	if len(on) == 0 || strings.TrimSpace(why) == "" {
		return fmt.Errorf("%q: where it holds, and why, have to be said", on)
	}
	return b.checkSelectors(on)
}

func (b *book) checkSelectors(on selectors) error {
	for _, s := range on {
		if err := b.checkSelector(s); err != nil {
			return err
		}
	}
	return nil
}

// checkSelector refuses words that no run of any language has.
func (b *book) checkSelector(s string) error {
	words := strings.Fields(s)
	if len(words) == 0 {
		return errors.New("an empty selector")
	}
	for _, w := range words {
		if !b.knows(w) {
			return fmt.Errorf("the selector %q: no endpoint, provider, mode, language or protocol is called %q", s, w)
		}
	}
	return nil
}

// languages are those whose SDKs read the cases.
var languages = []string{"go", "node", "python", "java"}

// protocols tell clients of the same endpoint apart. Go's all speak HTTP/1.1 here.
var protocols = []string{"http1", "http2"}

// ways tell the clients of Python and Java apart that wait for an answer from those that do not. Go's are neither.
var ways = []string{"sync", "async"}

func (b *book) knows(word string) bool {
	if word == whole || word == stream || slices.Contains(languages, word) || slices.Contains(protocols, word) || slices.Contains(ways, word) {
		return true
	}
	for name := range b.Endpoints {
		provider, kind, _ := strings.Cut(name, ".")
		if word == name || word == provider || word == kind {
			return true
		}
	}
	return false
}

// The modes of a run.
const (
	whole  = "whole"
	stream = "stream"
)

// run is one case on one endpoint in one mode.
type run struct {
	endpoint string
	mode     string
}

// isAny says whether one of the selectors holds for the run.
func (r run) isAny(on selectors) bool { return slices.ContainsFunc(on, r.is) }

// is says whether all words of a selector hold for the run, in Go.
func (r run) is(selector string) bool {
	provider, kind, _ := strings.Cut(r.endpoint, ".")
	for word := range strings.FieldsSeq(selector) {
		switch word {
		case r.endpoint, provider, kind, r.mode, "go", "http1":
		default:
			return false
		}
	}
	return true
}

// takes says whether a case is run so, and if it is excepted, why.
func (c *scenario) takes(r run) (ok bool, why string) {
	if len(c.Where) > 0 && !r.isAny(c.Where) {
		return false, ""
	}
	for _, e := range c.Except {
		if r.isAny(e.Where) {
			return false, e.Why
		}
	}
	return true, ""
}

// wants is what the run's client must see.
func (t *turn) wants(r run) (*want, error) {
	fields := map[string]json.RawMessage{}
	if t.Expect != nil {
		if err := json.Unmarshal(t.Expect, &fields); err != nil {
			return nil, err
		}
	}
	for _, o := range t.But {
		if !r.isAny(o.Where) {
			continue
		}
		var set map[string]json.RawMessage
		if err := json.Unmarshal(o.Set, &set); err != nil {
			return nil, err
		}
		for key, v := range set {
			fields[key] = v
			if string(v) == "null" {
				delete(fields, key)
			}
		}
	}
	merged, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	var w want
	return &w, decodeStrictly(merged, &w)
}
