package stub

import "strings"

// Shape is one kind of object in a stub: what it is for, and its keys. The decoder and the published schema are made of
// the same tables.
type Shape struct {
	Name, Doc string
	Keys      []Key
	// Required are the keys that cannot be left out.
	Required []string
	// Rules are further members of its JSON Schema: what keys mean to each other.
	Rules string
}

// Key is one key of a Shape. Schema is the JSON Schema of its value, which may refer to other shapes as
// "#/$defs/NAME".
type Key struct{ Name, Doc, Schema string }

// Grammar lists the shapes of a stub, the stub itself first.
func Grammar() []Shape {
	oneAnswer := shape("stub", "Answers the requests that meet all its conditions.", stubKeys)
	oneAnswer.Rules = `"oneOf":[{"required":["answer"]},{"required":["answers"]}],"dependentRequired":{"then":["answers"]}`
	answer := shape("answer", "What is answered, and what goes wrong with it.", answerKeys)
	answer.Rules = `"dependentRequired":{"reset":["dropAfter"],"stallAfter":["stallFor"],"stallFor":["stallAfter"]}`
	return []Shape{
		oneAnswer,
		shape("when", "What a request must be.", whenKeys),
		shape("not", "What a request must not be.", conditionKeys),
		answer,
		shape("content", "What one of several choices says.", contentKeys),
		shape("part", "One piece of an answer: one of these keys, and the reasoning's beside it.", partKeys),
		shape("toolCall", "A tool that the client shall run.", callKeys, "name"),
		shape("reasoning", "What the model thought.", reasoningKeys),
		shape("citation", "Where a text came from.", citationKeys),
		shape("media", "An image, a sound or a file.", mediaKeys, "kind"),
		shape("stop", "The answer came to a stop sequence.", stopKeys, "sequence"),
		shape("usage", "Token counts.", usageKeys),
		shape("error", "A failure of the provider.", errorKeys, "type"),
		shape("raw", "A response byte by byte.", rawKeys),
		shape("pace", "How fast a stream goes.", paceKeys),
	}
}

// Scalars are the schemas of the values that are more than a simple type, by name.
func Scalars() []Key {
	const values = `{"type":["string","number","boolean"]}`
	text := `{"anyOf":[{"type":"string"},{"type":"object","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{` +
		properties(textKeys) + `}}]}`
	return []Key{
		{"duration", "A time in Go's form, such as 250ms, 1.5s or 2m, or a number of seconds.", `{"anyOf":[{"type":"string","pattern":"^\\+?(0|([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h))+$"},{"type":"number","minimum":0}]}`},
		{"headers", "Header names and their values, one or a list.", `{"type":"object","additionalProperties":{"anyOf":[` + values + `,{"type":"array","items":` + values + `}]}}`},
		{"textCondition", "A text that must be found, or how a text is compared.", text},
	}
}

func shape[T any](name, doc string, keys []key[T], required ...string) Shape {
	s := Shape{Name: name, Doc: doc, Required: required}
	for _, k := range keys {
		s.Keys = append(s.Keys, Key{k.name, k.doc, k.form})
	}
	return s
}

func properties[T any](keys []key[T]) string {
	members := make([]string, len(keys))
	for i, k := range keys {
		members[i] = `"` + k.name + `":` + k.form
	}
	return strings.Join(members, ",")
}
