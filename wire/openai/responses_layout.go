package openai

// respLayout is how a speaker of the Responses API writes its objects: which members there are, and in which order.
// The values are the same for all.
type respLayout struct {
	// response is the members of the response object, in order.
	response []string
	// event, item and part are the orders of keys. reasoning and call, where they are set, replace item.
	event, item, part, reasoning, call respOrder
	// reasoningAs says where a model's thoughts are: "summary", or "text" with the events of reasoning_text.
	reasoningAs string
	// reasoningPart is the name between "response." and ".added" of the events around a reasoning_text.
	reasoningPart string
	// reasoningStatus gives reasoning items a status.
	reasoningStatus bool
	// noContent leaves the empty content list off reasoning items that have none.
	noContent bool
	// alwaysEncrypted sends encrypted_content:null where none was asked for.
	alwaysEncrypted bool
	// noObfuscation and noNames leave these out of every event.
	noObfuscation, noNames bool
	// noPartLogprobs leaves logprobs out of parts that are done.
	noPartLogprobs bool
	// wholeOnly are members that no stream has.
	wholeOnly []string
	// thoughtPart, where it is set, is the order of keys in the parts of a thought.
	thoughtPart respOrder
	// noToolDefaults repeats tools as they were sent; echoSorted sorts their type among the other keys.
	noToolDefaults, echoSorted bool
	// ids is the form of ids: "hex" (prefix and 50 digits) or "uuid".
	ids string
	// reasoningKeys are the members of the response's reasoning object.
	reasoningKeys []string
	// noVerbosity leaves verbosity out of the response's text object; verbosityNull makes it null.
	noVerbosity, verbosityNull bool
	// toolSchema adds output_schema:null to the echo of function tools.
	toolSchema bool
	// cacheWrites adds cache_write_tokens to the usage.
	cacheWrites bool
	// terminal are members that only the last response of a stream, or a whole one, has: a usage that is absent before.
	terminal []string
	// filters says that content_filters are made; where they are not, the member is null.
	filters bool
	// sources adds xAI's counts of sources and costs to the usage.
	sources bool
	// noRetention says null where the request names no prompt_cache_retention.
	noRetention bool
	// tierEarly says the service tier from the start.
	tierEarly bool
	// sealLate sends encrypted_content at the end of a thought only.
	sealLate bool
	// phase gives messages a phase whatever the model.
	phase bool
	// copilotUsage adds Copilot's count of what it charges to response.completed.
	copilotUsage bool
	// opaqueWhole sends no events between the beginning and the end of a provider's own tool calls.
	opaqueWhole bool
	// indent is the number of spaces by which a whole body is indented.
	indent int
	// deployment says the model as it was asked for: on Azure that is the deployment's name.
	deployment bool
	// floats writes times as created_at:1787150055.0.
	floats bool
}

// respItemOrder is the order of an item's keys at OpenAI: id, type and status, and the rest alphabetical.
func respItemOrder() respOrder {
	return respOrder{
		rkID, rkType, rkStatus, rkArguments, rkCallID, rkContent, rkEncrypted, rkInput, rkName, rkPhase, rkRole, rkSummary,
	}
}

func respPartOrder() respOrder {
	return respOrder{rkType, rkAnnotations, rkLogprobs, rkRefusal, rkText}
}

// respOpenAI is OpenAI's own form, recorded 2026-08.
func respOpenAI() *respLayout {
	return &respLayout{
		response: []string{
			"id", "object", "created_at", "status", "background", "billing", "completed_at", "error", "frequency_penalty",
			"incomplete_details", "instructions", "max_output_tokens", "max_tool_calls", "model", "moderation", "output",
			"parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt_cache_key",
			"prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "temperature", "text",
			"tool_choice", "tool_usage", "tools", "top_logprobs", "top_p", "truncation", "usage", "user", "metadata",
		},
		event: respModern(), item: respItemOrder(), part: respPartOrder(),
		reasoningAs: "summary", reasoningPart: "content_part", ids: "hex",
		reasoningKeys: []string{"context", "effort", "mode", "summary"},
		toolSchema:    true, cacheWrites: true, indent: 2,
	}
}

// respBackground is the form of a background stream from its response.in_progress on: another serializer writes it, in
// another order and without padding (recorded 2026-02).
func respBackground(base *respLayout) *respLayout {
	l := *base
	l.response = []string{
		"truncation", "id", "tool_choice", "status", "usage", "top_p", "temperature", "top_logprobs", "object",
		"created_at", "prompt_cache_key", "text", "incomplete_details", "frequency_penalty", "previous_response_id",
		"model", "safety_identifier", "metadata", "store", "output", "parallel_tool_calls", "error", "instructions",
		"max_output_tokens", "service_tier", "max_tool_calls", "prompt_cache_retention", "tools", "user",
		"presence_penalty", "reasoning", "background", "completed_at", "moderation", "tool_usage",
	}
	l.event = respOrder{
		rkType, rkDelta, rkText, rkRefusal, rkArguments, rkInput, rkLogprobs, rkItem, rkItemID, rkAnnotation,
		rkAnnotationIndex, rkPart, rkContentIndex, rkSummaryIndex, rkOutputIndex, rkError, rkCode, rkMessage, rkParam,
		rkSequence, rkResponse,
	}
	l.item = respOrder{
		rkID, rkArguments, rkCallID, rkContent, rkEncrypted, rkInput, rkName, rkPhase, rkRole, rkStatus, rkSummary, rkType,
	}
	l.part = respOrder{rkText, rkRefusal, rkLogprobs, rkType, rkAnnotations}
	l.noObfuscation = true
	return &l
}

// respAzure is Azure's form: content_filters, no billing (recorded 2026-08), events in the older order (2026-02).
func respAzure() *respLayout {
	l := respOpenAI()
	l.response = respInsert(respWithout(l.response, "billing"), "content_filters", "error")
	l.event, l.filters, l.deployment = respClassic(), true, true
	return l
}

// respXAI is xAI's form (recorded 2026-08).
func respXAI() *respLayout {
	return &respLayout{
		response: []string{
			"created_at", "completed_at", "id", "max_output_tokens", "model", "object", "output", "parallel_tool_calls",
			"previous_response_id", "reasoning", "temperature", "text", "tool_choice", "tools", "top_p", "usage", "user",
			"incomplete_details", "status", "store", "metadata", "background", "service_tier", "truncation",
			"top_logprobs", "presence_penalty", "frequency_penalty", "prompt_cache_key", "max_tool_calls",
			"safety_identifier", "error", "instructions",
		},
		event: respOrder{
			rkSequence, rkType, rkAnnotation, rkAnnotationIndex, rkArguments, rkCode, rkContentIndex, rkDelta, rkError,
			rkInput, rkItem, rkItemID, rkMessage, rkOutputIndex, rkParam, rkPart, rkRefusal, rkSummaryIndex, rkText,
			rkLogprobs, rkResponse,
		},
		item:      respOrder{rkContent, rkID, rkRole, rkType, rkStatus},
		reasoning: respOrder{rkID, rkSummary, rkType, rkStatus, rkEncrypted},
		call:      respOrder{rkArguments, rkInput, rkCallID, rkName, rkType, rkID, rkStatus},
		part:      respOrder{rkType, rkText, rkRefusal, rkLogprobs, rkAnnotations},

		reasoningAs: "summary", reasoningStatus: true, noContent: true, noObfuscation: true, ids: "uuid",
		reasoningKeys: []string{"effort", "summary"}, noVerbosity: true, sources: true, tierEarly: true, opaqueWhole: true, sealLate: true,
		thoughtPart: respOrder{rkText, rkType}, noToolDefaults: true,
	}
}

// respCopilot is the form of GitHub Copilot: OpenAI's, its keys sorted by a proxy (recorded 2026-08).
func respCopilot() *respLayout {
	l := respOpenAI()
	l.response = []string{
		"background", "completed_at", "created_at", "error", "frequency_penalty", "id", "incomplete_details",
		"instructions", "max_output_tokens", "max_tool_calls", "metadata", "model", "moderation", "object", "output",
		"parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt_cache_retention", "reasoning",
		"safety_identifier", "service_tier", "status", "store", "temperature", "text", "tool_choice", "tool_usage",
		"tools", "top_logprobs", "top_p", "truncation", "usage", "user",
	}
	l.event, l.item, l.part = respAlphabetical(), respAlphabetical(), respAlphabetical()
	l.echoSorted, l.indent = true, 0
	l.noObfuscation, l.alwaysEncrypted, l.tierEarly, l.copilotUsage = true, true, true, true
	return l
}

// respMantle is the form of Bedrock's Mantle endpoint (recorded 2026-08): open-weight models, so the reasoning is text.
func respMantle() *respLayout {
	return &respLayout{
		response: []string{
			"background", "created_at", "error", "id", "incomplete_details", "instructions", "metadata", "model", "object",
			"output", "parallel_tool_calls", "service_tier", "status", "temperature", "text", "tool_choice", "tools",
			"top_p", "truncation", "usage",
		},
		event: respAlphabetical(), item: respAlphabetical(), part: respAlphabetical(),
		reasoningAs: "text", reasoningPart: "reasoning_part", reasoningStatus: true, noContent: true,
		noObfuscation: true, noPartLogprobs: true, noNames: true, ids: "hex",
		reasoningKeys: []string{"effort", "summary"}, terminal: []string{"usage"}, wholeOnly: []string{"text"}, floats: true,
		echoSorted: true,
	}
}

// respDeepSeek is DeepSeek's form (recorded 2026-08).
func respDeepSeek() *respLayout {
	l := respOpenAI()
	l.response = respInsert(respWithout(respWithout(l.response, "billing"), "tool_usage"), "content_filters", "error")
	l.item = append(respOrder{rkType, rkID}, respItemOrder()[2:]...)
	l.reasoningAs, l.reasoningStatus, l.noObfuscation = "text", true, true
	l.phase = true
	l.reasoningKeys, l.verbosityNull = []string{"effort", "summary"}, true
	l.toolSchema, l.cacheWrites, l.noRetention, l.ids, l.indent = false, false, true, "uuid", 0
	return l
}

// respLMStudio is LM Studio's form, from general knowledge: OpenAI's, with the thoughts of open-weight models as text.
func respLMStudio() *respLayout {
	l := respOpenAI()
	l.response = respWithout(respWithout(l.response, "billing"), "tool_usage")
	l.reasoningAs, l.noObfuscation, l.noRetention, l.indent = "text", true, true, 0
	return l
}

// respBackgroundLayouts are the forms of background streams, by the form that they begin in.
var respBackgroundLayouts = func() map[*respLayout]*respLayout {
	m := map[*respLayout]*respLayout{}
	for _, l := range respLayouts {
		m[l] = respBackground(l)
	}
	return m
}()

func respBackgroundLayout(base *respLayout) *respLayout {
	if l, ok := respBackgroundLayouts[base]; ok {
		return l
	}
	return base
}

// respLayouts are the layouts by the names that vendor files and quirks use; nothing changes them.
var respLayouts = map[string]*respLayout{
	"openai": respOpenAI(), "azure": respAzure(), "xai": respXAI(), "copilot": respCopilot(), "mantle": respMantle(),
	"deepseek": respDeepSeek(), "lmstudio": respLMStudio(),
}

// respLayoutNamed finds a layout; OpenAI's is the default.
func respLayoutNamed(name string) *respLayout {
	if l, ok := respLayouts[name]; ok {
		return l
	}
	return respLayouts["openai"]
}

func respWithout(keys []string, key string) []string {
	out := make([]string, 0, len(keys))
	for _, k := range keys {
		if k != key {
			out = append(out, k)
		}
	}
	return out
}

// respInsert puts a key before another.
func respInsert(keys []string, key, before string) []string {
	out := make([]string, 0, len(keys)+1)
	for _, k := range keys {
		if k == before {
			out = append(out, key)
		}
		out = append(out, k)
	}
	return out
}
