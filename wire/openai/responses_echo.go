package openai

import (
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// respEcho adds a value of the request, or what stands for an absent one.
func respEcho(dst []byte, v jsonx.Value, absent string) []byte {
	if !v.Exists() || v.IsNull() {
		return append(dst, absent...)
	}
	return jsonx.AppendCompact(dst, v.Raw())
}

// respDefault is a member that the echo of a request's object gains.
type respDefault struct{ key, value string }

// respToolDefaults are what the echo of a tool gains, by type (recorded 2025-12 to 2026-08).
func respToolDefaults(typ string, lay *respLayout) []respDefault {
	if lay.noToolDefaults && typ != "function" && typ != "custom" {
		return nil
	}
	switch typ {
	case "function":
		defaults := []respDefault{{"description", "null"}, {"parameters", "null"}, {"strict", "true"}}
		if lay.toolSchema {
			defaults = append(defaults, respDefault{"output_schema", "null"})
		}
		return defaults
	case "custom":
		return []respDefault{{"description", "null"}, {"format", `{"type":"text"}`}}
	case "web_search", "web_search_preview":
		return []respDefault{
			{"return_token_budget", `"default"`},
			{"search_content_types", `["text"]`},
			{"search_context_size", `"medium"`},
			{"user_location", `{"type":"approximate","city":null,"country":"US","region":null,"timezone":null}`},
		}
	case "file_search":
		return []respDefault{{"filters", "null"}, {"max_num_results", "20"}, {"ranking_options", `{"ranker":"auto","score_threshold":0.0}`}}
	case "mcp":
		return []respDefault{{"allowed_tools", "null"}, {"headers", "null"}, {"require_approval", `"always"`}, {"server_description", "null"}}
	case "tool_search":
		return []respDefault{{"description", "null"}, {"parameters", "null"}}
	}
	return nil
}

func respEchoTools(dst []byte, tools jsonx.Value, lay *respLayout) []byte {
	dst = append(dst, '[')
	for i, t := range tools.Items() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = respEchoSorted(dst, t, respToolDefaults(t.Get("type").Str(), lay), !lay.echoSorted)
	}
	return append(dst, ']')
}

// respEchoObject writes an object of the request as the response has it: the type first, the other keys sorted, with
// defaults for those that are absent. What is inside the members stays as it was sent.
func respEchoObject(dst []byte, v jsonx.Value, defaults []respDefault) []byte {
	return respEchoSorted(dst, v, defaults, true)
}

// respEchoSorted is respEchoObject for speakers who sort the type among the other keys too.
func respEchoSorted(dst []byte, v jsonx.Value, defaults []respDefault, typeFirst bool) []byte {
	if v.Kind() != jsonx.Object {
		return respEcho(dst, v, "null")
	}
	var members []respDefault
	for key := range v.Members() {
		if value := v.Get(key); !slices.ContainsFunc(members, func(m respDefault) bool { return m.key == key }) {
			members = append(members, respDefault{key, value.Raw()})
		}
	}
	for _, d := range defaults {
		i := slices.IndexFunc(members, func(m respDefault) bool { return m.key == d.key })
		switch {
		case i < 0:
			members = append(members, d)
		case members[i].value == "null":
			members[i] = d
		}
	}
	slices.SortFunc(members, func(a, b respDefault) int {
		switch {
		case a.key == b.key:
			return 0
		case typeFirst && a.key == "type":
			return -1
		case typeFirst && b.key == "type":
			return 1
		}
		return strings.Compare(a.key, b.key)
	})
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonx.AppendString(dst, m.key), ':')
		dst = jsonx.AppendCompact(dst, m.value)
	}
	return append(dst, '}')
}

func respEchoChoice(dst []byte, v jsonx.Value, lay *respLayout) []byte {
	if v.Kind() == jsonx.Object {
		return respEchoSorted(dst, v, nil, !lay.echoSorted)
	}
	return respEcho(dst, v, `"auto"`)
}

// respEchoText is the format, with the defaults of a schema, and the verbosity.
func respEchoText(dst []byte, v jsonx.Value, lay *respLayout) []byte {
	dst = append(dst, `{"format":`...)
	switch format := v.Get("format"); {
	case format.Kind() != jsonx.Object:
		dst = append(dst, `{"type":"text"}`...)
	case format.Get("type").Str() == "json_schema":
		dst = respEchoObject(dst, format, []respDefault{{"description", "null"}, {"strict", "true"}})
	default:
		dst = respEchoObject(dst, format, nil)
	}
	switch {
	case lay.noVerbosity:
	case lay.verbosityNull:
		dst = respEcho(append(dst, `,"verbosity":`...), v.Get("verbosity"), "null")
	default:
		dst = respEcho(append(dst, `,"verbosity":`...), v.Get("verbosity"), `"medium"`)
	}
	return append(dst, '}')
}
