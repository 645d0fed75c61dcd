package anthropic

import (
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// A rule is one thing that the provider refuses. Its id is rule's name after "anthropic.messages.".
type rule struct {
	id string
	// sure is false where the rule or its words are a guess.
	sure bool
	// broken reports each breach: where it is, as the provider writes a path, and what.
	broken func(x *exam, report func(path, message string))
}

// exam is a request under examination.
type exam struct {
	call *wire.Call
	body jsonx.Value
	d    *dialect
	// count says that tokens are to be counted, not generated.
	count bool
}

// modern says whether the request is under the version that dropped the samplers (platform.claude.com, release notes of
// 21 October 2026).
func (x *exam) modern() bool { return versionOf(x.call, x.body) == version2026 }

const (
	version2023 = "2023-06-01"
	version2026 = "2026-10-21"
)

// versions are those that the API knows. SDKs of before 21 October 2026 send 2023-06-01.
var versions = [...]string{"2023-01-01", version2023, version2026}

// headerRules look at headers only; they come before anything that is wrong with the body.
var headerRules = [...]rule{
	{"version-required", true, func(x *exam, report func(path, message string)) {
		if x.d.version == versionInHeader && x.call.Probe.Header.Get(versionHeader) == "" {
			report("anthropic-version", "header is required")
		}
	}},
	{"version", true, func(x *exam, report func(path, message string)) {
		v := x.call.Probe.Header.Get(versionHeader)
		if x.d.version != versionInHeader || v == "" {
			return
		}
		for _, known := range versions {
			if v == known {
				return
			}
		}
		report("anthropic-version", string(jsonx.AppendString(nil, v))+" is not a valid version")
	}},
}

// bodyRules look at the body, in the order in which the provider does: fields, then what is in them.
var bodyRules = [...]rule{
	{"fields", true, func(x *exam, report func(path, message string)) { checkFields(x.body, "", x.fields(), report) }},
	{"version-required", true, func(x *exam, report func(path, message string)) {
		if x.d.version == versionInBody && versionOf(x.call, x.body) == "" {
			report("anthropic_version", required)
		}
	}},
	{"bedrock-fields", true, func(x *exam, report func(path, message string)) {
		if !x.d.aws {
			return
		}
		// The path says both.
		for _, name := range [...]string{"model", "stream"} {
			if x.body.Get(name).Exists() {
				report(name, extra)
			}
		}
	}},
	{"messages", true, checkMessages},
	{"tools", true, checkTools},
	{"tool_choice", true, func(x *exam, report func(path, message string)) {
		checkTagged(x.body.Get("tool_choice"), "tool_choice", choiceFields, report)
	}},
	{"thinking", true, func(x *exam, report func(path, message string)) {
		checkTagged(x.body.Get("thinking"), "thinking", thinkingFields, report)
	}},
	{"samplers", true, func(x *exam, report func(path, message string)) {
		if !x.modern() || x.d.version == versionNowhere {
			return
		}
		for _, name := range [...]string{"temperature", "top_k", "top_p"} {
			if x.body.Get(name).Exists() {
				report(name, extra)
			}
		}
	}},
	{"messages-empty", true, func(x *exam, report func(path, message string)) {
		if m := x.body.Get("messages"); m.Kind() == jsonx.Array && m.Len() == 0 {
			report("messages", "at least one message is required")
		}
	}},
}
