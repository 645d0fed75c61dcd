package ollama

import "github.com/mimus-go/mimus/wire"

// chatRules are in the order of ChatHandler, generateRules in that of GenerateHandler (server/routes.go). The types of
// options are looked at where the model is scheduled, and end as a server error.
var chatRules = [...]rule{
	{"fields", true, wire.Invalid, 0, ruleFields},
	{"top_logprobs", true, wire.Invalid, 0, ruleTop},
	{"model", true, wire.Invalid, 0, ruleModel},
	{"name", true, wire.Invalid, 0, ruleName},
	{"gone", true, wire.NotFound, 0, ruleGone},
	{"thinking", false, wire.Invalid, 0, ruleThink},
	{"completion", false, wire.Invalid, 0, ruleComplete("chat")},
	{"tools", false, wire.Invalid, 0, ruleTools},
	{"options", true, wire.Invalid, 500, ruleOptions},
	{"format", true, wire.Invalid, 500, ruleFormat},
}

var generateRules = [...]rule{
	{"fields", true, wire.Invalid, 0, ruleFields},
	{"top_logprobs", true, wire.Invalid, 0, ruleTop},
	{"model", true, wire.NotFound, 0, ruleNoModel},
	{"name", true, wire.Invalid, 0, ruleName},
	{"gone", true, wire.NotFound, 0, ruleGone},
	{"raw", true, wire.Invalid, 0, ruleRaw},
	{"thinking", false, wire.Invalid, 0, ruleThink},
	{"completion", false, wire.Invalid, 0, ruleComplete("generate")},
	{"insert", false, wire.Invalid, 0, ruleInsert},
	{"options", true, wire.Invalid, 500, ruleOptions},
	{"format", true, wire.Invalid, 500, ruleFormat},
}

// embedRules are in the order of EmbedHandler, embeddingRules in that of EmbeddingsHandler.
var embedRules = [...]rule{
	{"fields", true, wire.Invalid, 0, ruleFields},
	{"model", true, wire.NotFound, 0, ruleNoModel},
	{"name", true, wire.Invalid, 0, ruleName},
	{"input", true, wire.Invalid, 0, ruleInput},
	{"gone", true, wire.NotFound, 0, ruleGone},
	{"options", true, wire.Invalid, 500, ruleOptions},
}

var embeddingRules = [...]rule{
	{"fields", true, wire.Invalid, 0, ruleFields},
	{"model", true, wire.Invalid, 0, ruleModel},
	{"name", true, wire.Invalid, 0, ruleName},
	{"gone", true, wire.NotFound, 0, ruleGone},
	{"options", true, wire.Invalid, 500, ruleOptions},
}
