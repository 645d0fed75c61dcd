package openai

import (
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// The layouts, in the order of layoutNames.
const (
	unaryLayout = iota
	choiceLayout
	messageLayout
	toolCallLayout
	customCallLayout
	functionCallLayout
	usageLayout
	chunkLayout
	usageChunkLayout
	finishChunkLayout
	filterChunkLayout
	chunkChoiceLayout
	finishChoiceLayout
	roleLayout
	roleToolLayout
	roleToolsLayout
	roleReasoningLayout
	textLayout
	textAfterReasoningLayout
	reasoningLayout
	refusalLayout
	toolDeltaLayout
	annotationsLayout
	finishLayout
	finishAfterReasoningLayout
	finishAfterToolsLayout
	toolStartLayout
	toolPieceLayout
	toolWholeLayout
	customStartLayout
	customPieceLayout
	streamUsageLayout
	errorLayout
	streamErrorLayout
	embeddingsLayout
	embeddingLayout
	embeddingsUsageLayout
	embeddings64Layout
	embedding64Layout
	embeddings64UsageLayout
	modelsLayout
	modelLayout
	deletedLayout
	layoutCount
)

// layoutNames are the names of the layouts in JSON.
func layoutNames() [layoutCount]string {
	return [layoutCount]string{
		"unary", "choice", "message", "toolCall", "customCall", "functionCall", "usage",
		"chunk", "usageChunk", "finishChunk", "filterChunk", "chunkChoice", "finishChoice", "role", "roleTool", "roleTools",
		"roleReasoning", "text", "textAfterReasoning", "reasoning", "refusal", "toolDelta", "annotations", "finish",
		"finishAfterReasoning", "finishAfterTools", "toolStart", "toolPiece", "toolWhole", "customStart", "customPiece",
		"streamUsage", "error", "streamError", "embeddings", "embedding", "embeddingsUsage",
		"embeddings64", "embedding64", "embeddings64Usage", "models", "model", "deleted",
	}
}

// depths says how deep inside a whole body a layout stands; all others are always on one line.
func depths(i int) (depth int, whole bool) {
	switch i {
	case unaryLayout, embeddings64Layout, modelsLayout, deletedLayout:
		return 0, true
	case usageLayout, embeddings64UsageLayout:
		return 1, true
	case choiceLayout, embedding64Layout, modelLayout:
		return 2, true
	case messageLayout:
		return 3, true
	case functionCallLayout:
		return 4, true
	case toolCallLayout, customCallLayout:
		return 5, true
	}
	return 0, false
}

// profile is a speaker with compiled layouts.
type profile struct {
	name string
	q    Quirks
	l    [layoutCount]*layout
	// oneModel is the model layout outside a list.
	oneModel *layout
	// errors are the error layout compact, by 2 and by 4 spaces.
	errors [3]*layout
	indent string
}

func newProfile(name string, q Quirks) (*profile, error) {
	p := &profile{name: name, q: q, indent: strings.Repeat(" ", q.Indent)}
	applyReasoning(&p.q)
	applyErrorShape(&p.q)
	applyContinue(&p.q)
	for i, template := range p.q.Layouts {
		if !template.Exists() || template.IsNull() {
			continue
		}
		if i == unaryLayout || i == chunkLayout || i == usageChunkLayout || i == finishChunkLayout {
			template = adjust(template, p.q.OmitFields, p.q.Extra)
		}
		depth, whole := depths(i)
		indent := ""
		if whole {
			indent = p.indent
		}
		var err error
		if p.l[i], err = compile(template, indent, depth); err != nil {
			return nil, err
		}
	}
	if p.l[streamUsageLayout] == nil {
		var err error
		if p.l[streamUsageLayout], err = compile(p.q.Layouts[usageLayout], "", 0); err != nil {
			return nil, err
		}
	}
	if template := p.q.Layouts[modelLayout]; template.Exists() {
		var err error
		if p.oneModel, err = compile(template, p.indent, 0); err != nil {
			return nil, err
		}
	}
	for i := range p.errors {
		var err error
		if p.errors[i], err = compile(p.q.Layouts[errorLayout], strings.Repeat(" ", 2*i), 0); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// adjust leaves members out of an object and adds others.
func adjust(template jsonx.Value, omit []string, extra jsonx.Value) jsonx.Value {
	if len(omit) == 0 && !extra.Exists() {
		return template
	}
	doc := []byte{'{'}
	add := func(key string, v jsonx.Value) {
		if slices.Contains(omit, key) {
			return
		}
		if len(doc) > 1 {
			doc = append(doc, ',')
		}
		doc = append(jsonx.AppendString(doc, key), ':')
		doc = append(doc, v.Raw()...)
	}
	for key, v := range template.Members() {
		if !extra.Get(key).Exists() {
			add(key, v)
		}
	}
	for key, v := range extra.Members() {
		add(key, v)
	}
	changed, err := jsonx.Parse(string(append(doc, '}')))
	if err != nil {
		return template
	}
	return changed
}

// applyReasoning changes the layouts for the reasoning quirk.
func applyReasoning(q *Quirks) {
	var fields []string
	switch q.Reasoning {
	case "reasoning", "reasoning_content":
		fields = []string{q.Reasoning}
	case "both":
		fields = []string{"reasoning_content", "reasoning"}
	case "none", "inline", "inlineUnopened", "parts":
	default:
		return
	}
	q.Layouts[messageLayout] = withReasoning(q.Layouts[messageLayout], fields, "$reasoning?")
	delta := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			delta = append(delta, ',')
		}
		delta = append(jsonx.AppendString(delta, f), `:"$reasoning"`...)
	}
	if v, err := jsonx.Parse(string(append(delta, '}'))); err == nil && len(fields) > 0 {
		q.Layouts[reasoningLayout] = v
	}
	for _, i := range []int{roleReasoningLayout, textAfterReasoningLayout, finishAfterReasoningLayout} {
		q.Layouts[i] = jsonx.Value{}
	}
	if q.Reasoning == "none" {
		q.Layouts[reasoningLayout] = jsonx.Value{}
	}
}

// applyContinue changes the layout of later pieces of a call.
func applyContinue(q *Quirks) {
	template := ""
	switch q.ToolContinue {
	case "emptyID":
		template = `{"index":"$callIndex?","id":"","type":"function","function":{"arguments":"$arguments"}}`
	case "emptyIDName":
		template = `{"index":"$callIndex?","id":"","type":"function","function":{"name":"","arguments":"$arguments"}}`
	case "name":
		template = `{"index":"$callIndex?","function":{"name":"$callName","arguments":"$arguments"}}`
	}
	if v, err := jsonx.Parse(template); err == nil {
		q.Layouts[toolPieceLayout] = v
	}
}

// withReasoning puts reasoning fields behind the content of a message, in the place of others.
func withReasoning(template jsonx.Value, fields []string, value string) jsonx.Value {
	doc := []byte{'{'}
	add := func(key, raw string) {
		if len(doc) > 1 {
			doc = append(doc, ',')
		}
		doc = append(jsonx.AppendString(doc, key), ':')
		doc = append(doc, raw...)
	}
	for key, v := range template.Members() {
		if strings.HasPrefix(v.Str(), "$reasoning") {
			continue
		}
		add(key, v.Raw())
		if key == "content" {
			for _, f := range fields {
				add(f, `"`+value+`"`)
			}
		}
	}
	changed, err := jsonx.Parse(string(append(doc, '}')))
	if err != nil {
		return template
	}
	return changed
}

// profileOf is the speaker of a call, changed by the stub's quirks. Quirks that cannot be read leave it as it is: they
// are checked where stubs are read, see [CheckQuirks].
func profileOf(c *wire.Call) *profile {
	base := baseProfile(c)
	if len(c.Quirks) == 0 {
		return base
	}
	if changed, err := base.with(c.Quirks); err == nil {
		return changed
	}
	return base
}

func baseProfile(c *wire.Call) *profile {
	dialect := unknown
	switch {
	case c.Request != nil:
		dialect = c.Request.Dialect
	case c.Probe != nil:
		dialect = c.Probe.Dialect
	}
	all := loadSpeakers()
	if v, ok := all.byName[dialect]; ok {
		return v.profile
	}
	return all.byName[unknown].profile
}

func (p *profile) with(quirks []byte) (*profile, error) {
	v, err := jsonx.ParseBytes(quirks)
	if err != nil {
		return nil, err
	}
	q := p.q
	if err := q.set(v); err != nil {
		return nil, err
	}
	return newProfile(p.name, q)
}

// CheckQuirks says what is wrong with a stub's quirks for this provider. Keys that are no quirks of this provider are
// not its business.
func CheckQuirks(quirks []byte) error {
	_, err := loadSpeakers().byName[official].profile.with(quirks)
	return err
}
