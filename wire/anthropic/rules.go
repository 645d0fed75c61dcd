package anthropic

import (
	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// A rule is one thing that the provider refuses. Its id is rule's name after "anthropic.messages.".
type rule struct {
	id string
	// sure is false where the rule or its words are a guess.
	sure bool
	// kind is what the refusal is.
	kind wire.FailureKind
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

// The largest bodies (platform.claude.com/docs/en/api/errors, Aug 2026).
const (
	mostBytes       = 32 << 20
	mostVertexBytes = 30 << 20
)

// headerRules need not read the body; they come before anything that is wrong with it.
var headerRules = [...]rule{
	{"size", true, wire.TooLarge, func(x *exam, report func(path, message string)) {
		most, message := mostBytes, "Request exceeds the maximum size"
		switch {
		case x.d.google:
			most = mostVertexBytes
		case x.d.aws:
			most, message = aws.MaxBody, aws.BodyTooLarge
		}
		if len(x.call.Probe.Body) > most && x.d.version != versionNowhere {
			report("", message)
		}
	}},
	{"version-required", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		if x.d.version == versionInHeader && x.call.Probe.Header.Get(versionHeader) == "" {
			report("anthropic-version", "header is required")
		}
	}},
	{"version", true, wire.Invalid, func(x *exam, report func(path, message string)) {
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
	{"fields", true, wire.Invalid, func(x *exam, report func(path, message string)) { checkFields(x.body, "", x.fields(), report) }},
	{"version-required", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		if x.d.version == versionInBody && versionOf(x.call, x.body) == "" {
			report("anthropic_version", required)
		}
	}},
	{"bedrock-fields", true, wire.Invalid, func(x *exam, report func(path, message string)) {
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
	{"messages", true, wire.Invalid, checkMessages},
	{"tools", true, wire.Invalid, checkTools},
	{"tool_choice", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		checkTagged(x.body.Get("tool_choice"), "tool_choice", choiceFields, report)
	}},
	{"thinking", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		checkTagged(x.body.Get("thinking"), "thinking", thinkingFields, report)
	}},
	{"samplers", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		if !x.modern() || x.d.version == versionNowhere {
			return
		}
		for _, name := range [...]string{"temperature", "top_k", "top_p"} {
			if x.body.Get(name).Exists() {
				report(name, extra)
			}
		}
	}},
	{"messages-empty", true, wire.Invalid, func(x *exam, report func(path, message string)) {
		if m := x.body.Get("messages"); m.Kind() == jsonx.Array && m.Len() == 0 {
			report("messages", "at least one message is required")
		}
	}},
}
