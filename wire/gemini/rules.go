package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// A rule is one thing that the provider refuses.
type rule struct {
	id string
	// sure is false where the rule or its words are a guess.
	sure bool
	// broken gives the refusal, nil where the request is fine.
	broken func(x *exam) *wire.Failure
}

// exam is a request under examination.
type exam struct {
	call *wire.Call
	body jsonx.Value
	s    surface
	// message is the name of the message that the body is.
	message string
}

func wrong(message string) *wire.Failure { return &wire.Failure{Kind: wire.Invalid, Message: message} }

// messageRules hold the body against the message that it is.
var messageRules = [...]rule{
	{"gemini.fields", true, func(x *exam) *wire.Failure {
		w := walker{s: x.s}
		w.message(x.body, messageTypes()[x.message])
		return w.failure()
	}},
}

// generateRules look at what is to be answered (ai.google.dev/api/generate-content; messages as bug reports of clients
// quote them, 2025 and 2026).
var generateRules = [...]rule{
	{"gemini.generate.contents", true, func(x *exam) *wire.Failure {
		if pick(x.body, "contents").Len() > 0 {
			return nil
		}
		if x.s.vertex {
			return wrong("Unable to submit request because it must include at least one parts field, which describes the prompt input. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini")
		}
		return wrong("* GenerateContentRequest.contents: contents is not specified\n")
	}},
	{"gemini.generate.role", true, func(x *exam) *wire.Failure {
		for _, content := range each(pick(x.body, "contents")) {
			switch role := pick(content, "role").Str(); role {
			case "user", "model", "function":
			case "system":
				return wrong("Content with system role is not supported. Please use a valid role: user, model.")
			case "":
				// Vertex wants a role, AI Studio takes the user for granted.
				if x.s.vertex {
					return wrong("Please use a valid role: user, model.")
				}
			default:
				return wrong("Please use a valid role: user, model.")
			}
		}
		return nil
	}},
}

// countRules look at what is to be counted.
var countRules = [...]rule{
	{"gemini.count_tokens.contents", true, func(x *exam) *wire.Failure {
		for _, name := range [...]string{"contents", "generateContentRequest", "instances"} {
			if pick(x.body, name).Len() > 0 {
				return nil
			}
		}
		return wrong("* CountTokensRequest.contents: contents is not specified\n")
	}},
}

var embedRules = [...]rule{
	{"gemini.embed.content", true, func(x *exam) *wire.Failure {
		if pick(x.body, "content").Exists() {
			return nil
		}
		return wrong("* EmbedContentRequest.content: content is not specified\n")
	}},
}

const mostRequests = 100

var batchRules = [...]rule{
	{"gemini.batch_embed.requests", true, func(x *exam) *wire.Failure {
		n := pick(x.body, "requests").Len()
		switch {
		case n == 0:
			return wrong("* BatchEmbedContentsRequest.requests: requests is not specified\n")
		case n > mostRequests:
			return wrong("* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch\n")
		}
		return nil
	}},
	{"gemini.batch_embed.model", true, func(x *exam) *wire.Failure {
		for i, one := range each(pick(x.body, "requests")) {
			name := pick(one, "model").Str()
			if strings.TrimPrefix(name, "models/") == x.call.Request.Model {
				continue
			}
			if name == "" && x.call.Probe.Dialect == vertexName {
				continue // google-genai 3.6 leaves it out there: the path names the model, with its publisher
			}
			b := appendInt([]byte("* BatchEmbedContentsRequest.requests["), i)
			if name == "" {
				return wrong(string(append(b, "].model: model is not specified\n"...)))
			}
			return wrong(string(append(b, "].model: model must match the model specified in the batch request\n"...)))
		}
		return nil
	}},
}

var predictRules = [...]rule{
	{"gemini.predict.instances", true, func(x *exam) *wire.Failure {
		if pick(x.body, "instances").Len() > 0 {
			return nil
		}
		return wrong("Empty instances.")
	}},
}
