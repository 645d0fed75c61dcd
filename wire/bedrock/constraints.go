package bedrock

import (
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// breaches collects what is wrong with the fields of a request. The service's model names a place by its path, where the
// elements of a list are counted from 1: messages.1.member.role.
type breaches struct{ list []string }

func (b *breaches) add(value jsonx.Value, path, constraint string) {
	what := "Value"
	if value.Exists() && !value.IsNull() {
		text := value.Raw()
		if s, ok := value.Text(); ok {
			text = s
		}
		what += " '" + text + "'"
	}
	b.list = append(b.list, what+" at '"+path+"' failed to satisfy constraint: "+constraint)
}

// checkConstraints reports all that the service's model (com.amazonaws.bedrockruntime, Nov 2026) refuses, in one message.
func checkConstraints(x *exam, report func(string)) {
	var b breaches
	b.modelID(x.call.Request.Model)
	b.messages(x.body.Get("messages"))
	b.kind(x.body, "", "system", jsonx.Array)
	b.kind(x.body, "", "inferenceConfig", jsonx.Object)
	b.inference(x.body.Get("inferenceConfig"))
	b.kind(x.body, "", "toolConfig", jsonx.Object)
	b.tools(x.body.Get("toolConfig"))
	if len(b.list) == 0 {
		return
	}
	noun := " validation errors"
	if len(b.list) == 1 {
		noun = " validation error"
	}
	report(strconv.Itoa(len(b.list)) + noun + " detected: " + strings.Join(b.list, "; "))
}

func (b *breaches) modelID(id string) {
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._:/$", c) >= 0:
		default:
			b.list = append(b.list, "Value '"+id+"' at 'modelId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9-_.:/]+")
			return
		}
	}
}

// kind refuses a field of another kind of JSON; null stands for one that is not there.
func (b *breaches) kind(v jsonx.Value, path, key string, want jsonx.Kind) bool {
	value := v.Get(key)
	if !value.Exists() || value.IsNull() {
		return false
	}
	if value.Kind() == want {
		return true
	}
	if path != "" {
		path += "."
	}
	word := "a list"
	switch want {
	case jsonx.Object:
		word = "a structure"
	case jsonx.String:
		word = "a string"
	case jsonx.Number:
		word = "a number"
	}
	b.add(jsonx.Value{}, path+key, "Member must be "+word)
	return false
}

func (b *breaches) required(v jsonx.Value, path, key string, want jsonx.Kind) bool {
	if value := v.Get(key); !value.Exists() || value.IsNull() {
		b.add(jsonx.Value{}, path+"."+key, "Member must not be null")
		return false
	}
	return b.kind(v, path, key, want)
}

func member(path string, i int) string { return path + "." + strconv.Itoa(i+1) + ".member" }

func (b *breaches) messages(v jsonx.Value) {
	if v.Exists() && !v.IsNull() && v.Kind() != jsonx.Array {
		b.add(jsonx.Value{}, "messages", "Member must be a list")
		return
	}
	for i, m := range v.Items() {
		if m.Kind() != jsonx.Object {
			b.add(jsonx.Value{}, member("messages", i), "Member must be a structure")
			continue
		}
		role := m.Get("role").Str()
		if role != "user" && role != "assistant" && role != "system" && b.required(m, member("messages", i), "role", jsonx.String) {
			b.add(m.Get("role"), member("messages", i)+".role", "Member must satisfy enum value set: [user, assistant, system]")
		}
		if m.Get("content").Kind() != jsonx.Array {
			b.required(m, member("messages", i), "content", jsonx.Array)
		}
		for j, block := range m.Get("content").Items() {
			b.block(block, func() string { return member(member("messages", i)+".content", j) })
		}
	}
}

func (b *breaches) block(v jsonx.Value, path func() string) {
	if v.Kind() != jsonx.Object {
		b.add(jsonx.Value{}, path(), "Member must be a structure")
		return
	}
	if text := v.Get("text"); text.Exists() && text.Kind() != jsonx.String {
		b.kind(v, path(), "text", jsonx.String)
	}
	if call := v.Get("toolUse"); call.Exists() {
		at := path() + ".toolUse"
		b.id(call, at)
		b.name(call, at)
		if !call.Get("input").Exists() {
			b.add(jsonx.Value{}, at+".input", "Member must not be null")
		}
	}
	if res := v.Get("toolResult"); res.Exists() {
		at := path() + ".toolResult"
		b.id(res, at)
		b.required(res, at, "content", jsonx.Array)
	}
}

// id checks a toolUseId: 1 to 64 of a few characters.
func (b *breaches) id(v jsonx.Value, path string) {
	if b.required(v, path, "toolUseId", jsonx.String) {
		b.word(v.Get("toolUseId"), path+".toolUseId", "-_.:", "[a-zA-Z0-9_.:-]+")
	}
}

// name checks the name of a tool: 1 to 64 characters, where Anthropic's own API allows 128.
func (b *breaches) name(v jsonx.Value, path string) {
	if b.required(v, path, "name", jsonx.String) {
		b.word(v.Get("name"), path+".name", "-_", "[a-zA-Z0-9_-]+")
	}
}

func (b *breaches) word(v jsonx.Value, path, marks, pattern string) {
	s := v.Str()
	switch {
	case s == "":
		b.add(v, path, "Member must have length greater than or equal to 1")
		return
	case len(s) > 64:
		b.add(v, path, "Member must have length less than or equal to 64")
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte(marks, c) >= 0:
		default:
			b.add(v, path, "Member must satisfy regular expression pattern: "+pattern)
			return
		}
	}
}

func (b *breaches) inference(v jsonx.Value) {
	const path = "inferenceConfig"
	if b.kind(v, path, "maxTokens", jsonx.Number) {
		if n, ok := v.Get("maxTokens").Int(); !ok || n < 1 {
			b.add(v.Get("maxTokens"), path+".maxTokens", "Member must have value greater than or equal to 1")
		}
	}
	for _, key := range [...]string{"temperature", "topP"} {
		if !b.kind(v, path, key, jsonx.Number) {
			continue
		}
		switch n, _ := v.Get(key).Float(); {
		case n < 0:
			b.add(v.Get(key), path+"."+key, "Member must have value greater than or equal to 0")
		case n > 1:
			b.add(v.Get(key), path+"."+key, "Member must have value less than or equal to 1")
		}
	}
	b.kind(v, path, "stopSequences", jsonx.Array)
}

func (b *breaches) tools(v jsonx.Value) {
	if v.Kind() != jsonx.Object {
		return
	}
	if !b.required(v, "toolConfig", "tools", jsonx.Array) {
		return
	}
	if v.Get("tools").Len() == 0 {
		b.add(jsonx.Value{}, "toolConfig.tools", "Member must have length greater than or equal to 1")
	}
	for i, t := range v.Get("tools").Items() {
		spec := t.Get("toolSpec")
		if !spec.Exists() {
			continue
		}
		at := member("toolConfig.tools", i) + ".toolSpec"
		b.name(spec, at)
		b.required(spec, at, "inputSchema", jsonx.Object)
	}
}
