package openai

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// respObject writes the response object of one call, in each of its states.
type respObject struct {
	c       *wire.Call
	n       *respNative
	p       *profile
	lay     *respLayout
	facts   respFacts
	id      string
	model   string
	created int64
	// What the request said, as the response repeats it.
	tools, toolChoice, text, instructions []byte
}

// respState is what changes between created and completed.
type respState struct {
	status string
	// completed is when it ended, 0 before.
	completed int64
	// failure is the error object, nil where nothing failed.
	failure []byte
	// incomplete is why it is.
	incomplete string
	// output is the items, separated by commas.
	output []byte
	usage  *wire.Usage
	// final says that nothing more comes.
	final bool
	// stream says that the object is part of a stream.
	stream bool
	// noOutput leaves the output out.
	noOutput bool
	lay      *respLayout
}

func newRespObject(c *wire.Call, n *respNative, p *profile, lay *respLayout) *respObject {
	body := n.body
	o := &respObject{
		c: c, n: n, p: p, lay: lay, facts: respModelFacts(c.Request.Model), created: c.Env.Now().Unix(),
		model: c.Request.Model,
	}
	if p.q.Snapshots && !lay.deployment {
		o.model = snapshot(c.Request.Model)
	}
	o.id = respResponseID(c, lay)
	o.tools = respEchoTools(nil, body.Get("tools"), lay)
	o.toolChoice = respEchoChoice(nil, body.Get("tool_choice"), lay)
	o.text = respEchoText(nil, body.Get("text"), lay)
	o.instructions = respEcho(nil, body.Get("instructions"), "null")
	return o
}

// append adds the object in a state.
func (o *respObject) append(dst []byte, st *respState) []byte {
	lay := st.lay
	if lay == nil {
		lay = o.lay
	}
	dst = append(dst, '{')
	first := true
	for _, key := range lay.response {
		mark := len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), key...), `":`...)
		var ok bool
		if dst, ok = o.member(dst, key, st, lay); !ok {
			dst = dst[:mark]
			continue
		}
		first = false
	}
	return append(dst, '}')
}

// member adds the value of one member; false leaves it out.
func (o *respObject) member(dst []byte, key string, st *respState, lay *respLayout) ([]byte, bool) {
	if !st.final && slices.Contains(lay.terminal, key) || st.stream && slices.Contains(lay.wholeOnly, key) {
		return dst, false
	}
	switch key {
	case "id":
		return jsonx.AppendString(dst, o.id), true
	case "object":
		return append(dst, `"response"`...), true
	case "created_at":
		return appendRespTime(dst, o.created, lay), true
	case "status":
		return append(append(append(dst, '"'), st.status...), '"'), true
	case "background":
		return strconv.AppendBool(dst, o.n.background), true
	case "billing":
		// Whole answers only, and never before the end (recorded 2026-02 to 2026-08).
		return append(dst, `{"payer":"developer"}`...), st.final && !st.stream
	case "completed_at":
		if st.completed == 0 {
			return append(dst, "null"...), true
		}
		return appendRespTime(dst, st.completed, lay), true
	case "content_filters":
		return appendRespFilters(dst, o, st, lay), true
	case "error":
		return appendOrNull(dst, st.failure), true
	case "incomplete_details":
		if st.incomplete == "" {
			return append(dst, "null"...), true
		}
		return append(jsonx.AppendString(append(dst, `{"reason":`...), st.incomplete), '}'), true
	case "instructions":
		return append(dst, o.instructions...), true
	case "model":
		return jsonx.AppendString(dst, o.model), true
	case "output":
		return append(append(append(dst, '['), st.output...), ']'), !st.noOutput
	case "reasoning":
		return o.appendReasoning(dst, lay), true
	case "service_tier":
		return append(dst, o.tier(st)...), true
	case "text":
		return append(dst, o.text...), true
	case "tool_choice":
		return append(dst, o.toolChoice...), true
	case "tools":
		return append(dst, o.tools...), true
	case "usage":
		if st.usage == nil {
			return append(dst, "null"...), true
		}
		return appendRespUsage(dst, st.usage, lay), true
	}
	return o.echo(dst, key, lay), true
}

// echo adds a member that only repeats the request, or its default.
func (o *respObject) echo(dst []byte, key string, lay *respLayout) []byte {
	v := o.n.body.Get(key)
	switch key {
	case "frequency_penalty", "presence_penalty":
		return appendRespFloat(dst, v, 0)
	case "temperature":
		return appendRespFloat(dst, v, 1)
	case "top_p":
		return appendRespFloat(dst, v, o.facts.topP)
	case "store":
		return strconv.AppendBool(dst, o.n.store)
	case "parallel_tool_calls":
		return respEcho(dst, v, "true")
	case "top_logprobs":
		return respEcho(dst, v, "0")
	case "truncation":
		return respEcho(dst, v, `"disabled"`)
	case "metadata":
		return respEcho(dst, v, "{}")
	case "prompt_cache_retention":
		if lay.noRetention {
			return respEcho(dst, v, "null")
		}
		return respEcho(dst, v, `"`+o.facts.retention+`"`)
	case "tool_usage":
		return append(dst, `{"image_gen":{"input_tokens":0,"input_tokens_details":{"image_tokens":0,"text_tokens":0},"output_tokens":0,"output_tokens_details":{"image_tokens":0,"text_tokens":0},"total_tokens":0},"web_search":{"num_requests":0}}`...)
	case "moderation":
		// What a moderation found cannot be made up.
		return append(dst, "null"...)
	}
	return respEcho(dst, v, "null")
}

// tier is "auto" until the end, which says what was used.
func (o *respObject) tier(st *respState) string {
	asked := o.n.body.Get("service_tier").Str()
	switch {
	case !st.final && o.lay.tierEarly:
		return `"default"`
	case !st.final || st.failure != nil:
		return string(jsonx.AppendString(nil, orElse(asked, "auto")))
	case asked == "" || asked == "auto":
		return `"default"`
	}
	return string(jsonx.AppendString(nil, asked))
}

func (o *respObject) appendReasoning(dst []byte, lay *respLayout) []byte {
	v := o.n.body.Get("reasoning")
	reasons := o.facts.reasons || v.Get("effort").Str() != ""
	dst = append(dst, '{')
	first := true
	for _, key := range lay.reasoningKeys {
		value := respEcho(nil, v.Get(key), "null")
		switch {
		case key == "mode" && !reasons:
			continue
		case key == "mode" && string(value) == "null":
			value = []byte(`"standard"`)
		case key == "context" && reasons && string(value) == "null":
			value = []byte(`"current_turn"`)
		case key == "effort" && reasons && string(value) == "null" && o.facts.effort != "":
			value = []byte(`"` + o.facts.effort + `"`)
		case key == "summary" && string(value) == `"auto"`:
			// The one that the model has (recorded 2025-08 and 2026-03).
			value = []byte(`"detailed"`)
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(append(dst, '"'), key...), `":`...), value...)
	}
	return append(dst, '}')
}

func appendRespTime(dst []byte, t int64, lay *respLayout) []byte {
	dst = strconv.AppendInt(dst, t, 10)
	if lay.floats {
		dst = append(dst, ".0"...)
	}
	return dst
}

// appendRespFloat writes a number as Python does: 1.0, not 1.
func appendRespFloat(dst []byte, v jsonx.Value, usual float64) []byte {
	f, ok := v.Float()
	if !ok {
		f = usual
	}
	mark := len(dst)
	dst = jsonx.AppendFloat(dst, f)
	if !strings.ContainsAny(string(dst[mark:]), ".en") {
		dst = append(dst, ".0"...)
	}
	return dst
}

func appendOrNull(dst, raw []byte) []byte {
	if raw == nil {
		return append(dst, "null"...)
	}
	return append(dst, raw...)
}

func appendRespUsage(dst []byte, u *wire.Usage, lay *respLayout) []byte {
	dst = strconv.AppendInt(append(dst, `{"input_tokens":`...), int64(u.Input), 10)
	dst = append(dst, `,"input_tokens_details":{`...)
	if lay.cacheWrites {
		dst = append(strconv.AppendInt(append(dst, `"cache_write_tokens":`...), int64(u.CacheWrite), 10), ',')
	}
	dst = strconv.AppendInt(append(dst, `"cached_tokens":`...), int64(u.CacheRead), 10)
	dst = strconv.AppendInt(append(dst, `},"output_tokens":`...), int64(u.Output), 10)
	dst = strconv.AppendInt(append(dst, `,"output_tokens_details":{"reasoning_tokens":`...), int64(u.Reasoning), 10)
	dst = strconv.AppendInt(append(dst, `},"total_tokens":`...), int64(u.Input+u.Output), 10)
	if lay.sources {
		dst = append(dst, `,"num_sources_used":0,"num_server_side_tools_used":0,"cost_in_usd_ticks":0,"context_details":{"input_tokens":`...)
		dst = strconv.AppendInt(dst, int64(u.Input), 10)
		dst = strconv.AppendInt(append(dst, `,"output_tokens":`...), int64(u.Output), 10)
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// appendRespFilters adds what Azure's content filters found: nothing before the end (recorded 2026-08).
func appendRespFilters(dst []byte, o *respObject, st *respState, lay *respLayout) []byte {
	if !st.final || !lay.filters {
		return append(dst, "null"...)
	}
	const safe = `{"filtered":false,"severity":"safe"}`
	const clear = `{"detected":false,"filtered":false}`
	blocked := st.incomplete == "content_filter"
	dst = append(dst, `[{"blocked":false,"source_type":"prompt","content_filter_raw":[],"content_filter_results":{"hate":`+safe+
		`,"sexual":`+safe+`,"violence":`+safe+`,"self_harm":`+safe+`,"jailbreak":`+clear+
		`},"content_filter_offsets":{"start_offset":0,"end_offset":`...)
	dst = strconv.AppendInt(dst, int64(len(o.c.Probe.Body)), 10)
	dst = append(dst, `,"check_offset":0}},{"blocked":`...)
	dst = strconv.AppendBool(dst, blocked)
	hate := safe
	if blocked {
		hate = `{"filtered":true,"severity":"high"}`
	}
	dst = append(dst, `,"source_type":"completion","content_filter_raw":[],"content_filter_results":{"protected_material_code":`+clear+
		`,"protected_material_text":`+clear+`,"hate":`+hate+`,"sexual":`+safe+`,"violence":`+safe+`,"self_harm":`+safe+
		`},"content_filter_offsets":{"start_offset":0,"end_offset":`...)
	dst = strconv.AppendInt(dst, int64(len(st.output)), 10)
	return append(dst, `,"check_offset":0}}]`...)
}
