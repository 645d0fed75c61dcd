package anthropic

import (
	"iter"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// Check yields what the provider refuses: headers, then the body.
func (messages) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return violations(&exam{call: c, body: nativeOf(c).body, d: dialectOf(c)}, headerRules[:], bodyRules[:])
}

// headerViolations are those that need no body.
func headerViolations(c *wire.Call) iter.Seq[wire.Violation] {
	return violations(&exam{call: c, d: dialectOf(c)}, headerRules[:])
}

func violations(x *exam, tables ...[]rule) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		more := true
		for _, table := range tables {
			for i := range table {
				r := &table[i]
				r.broken(x, func(path, message string) {
					if more {
						if path != "" {
							message = path + ": " + message
						}
						f := invalid(r.id, message)
						f.Kind = r.kind
						more = yield(wire.Violation{Rule: f.Rule, Sure: r.sure, Failure: f})
					}
				})
				if !more {
					return
				}
			}
		}
	}
}

// checkFields reports fields that are missing or of a wrong type. null stands for an optional field that is not there.
func checkFields(v jsonx.Value, path string, fields []field, report func(path, message string)) {
	for i := range fields {
		f := &fields[i]
		value := v.Get(f.name)
		switch {
		case !value.Exists():
			if f.required {
				report(join(path, f.name), required)
			}
		case value.IsNull() && !f.required, f.kinds.is(value):
			if n, ok := value.Int(); ok && f.hasLeast && n < f.least {
				report(join(path, f.name), "Input should be greater than or equal to "+strconv.FormatInt(f.least, 10))
			}
		default:
			report(join(path, f.name), f.kinds.want())
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func at(path string, i int) string { return path + "." + strconv.Itoa(i) }

// checkTagged reports what is wrong with a value whose type names its form. The path of what is in it goes through the
// tag: "thinking.enabled.budget_tokens".
func checkTagged(v jsonx.Value, path string, forms tagged, report func(path, message string)) {
	if !v.Exists() || v.IsNull() {
		return
	}
	if v.Kind() != jsonx.Object {
		// At the top level the field's own rule has said so.
		return
	}
	tag, ok := v.Get("type").Text()
	if !ok {
		report(join(path, "type"), required)
		return
	}
	fields, known := forms.find(tag)
	if !known {
		report(path, "Input tag '"+tag+"' found using 'type' does not match any of the expected tags: "+forms.list())
		return
	}
	checkFields(v, join(path, tag), fields, report)
}

func checkMessages(x *exam, report func(path, message string)) {
	for i, m := range x.body.Get("messages").Items() {
		if m.Kind() != jsonx.Object {
			report(at("messages", i), "Input should be a valid dictionary or object to extract fields from")
			continue
		}
		checkMessage(m, i, report)
	}
	checkBlocks(x.body.Get("system"), func() string { return "system" }, report)
}

func checkMessage(m jsonx.Value, i int, report func(path, message string)) {
	content := m.Get("content")
	switch content.Kind() {
	case jsonx.String:
	case jsonx.Array:
		checkBlocks(content, func() string { return at("messages", i) + ".content" }, report)
	case jsonx.Absent:
		report(at("messages", i)+".content", required)
	default:
		report(at("messages", i)+".content", "Input should be a valid list")
	}
	role := m.Get("role")
	switch name, ok := role.Text(); {
	case !role.Exists():
		report(at("messages", i)+".role", required)
	case !ok || name != "user" && name != "assistant" && name != "system":
		report(at("messages", i)+".role", "Input should be 'user', 'assistant' or 'system'")
	}
}

// checkBlocks looks at a list of blocks; path is only made where there is something to say.
func checkBlocks(content jsonx.Value, path func() string, report func(path, message string)) {
	for j, b := range content.Items() {
		if b.Kind() != jsonx.Object {
			report(at(path(), j), "Input should be a valid dictionary or object to extract fields from")
			continue
		}
		tag, _ := b.Get("type").Text()
		if fields, ok := blockFields.find(tag); ok && sound(b, fields) {
			continue
		}
		checkTagged(b, at(path(), j), blockFields, report)
	}
}

// sound says whether checkFields has nothing to report; it makes no paths.
func sound(v jsonx.Value, fields []field) bool {
	for i := range fields {
		f := &fields[i]
		value := v.Get(f.name)
		if f.kinds.is(value) || !f.required && (!value.Exists() || value.IsNull()) {
			continue
		}
		return false
	}
	return true
}

// checkTools looks at the client's own tools; those of the provider differ by version.
func checkTools(x *exam, report func(path, message string)) {
	for i, t := range x.body.Get("tools").Items() {
		if t.Kind() != jsonx.Object {
			report(at("tools", i), "Input should be a valid dictionary or object to extract fields from")
			continue
		}
		kind := t.Get("type")
		if name, ok := kind.Text(); kind.Exists() && !kind.IsNull() && (!ok || name != "custom") {
			if !ok {
				report(at("tools", i)+".type", "Input should be a valid string")
			}
			continue
		}
		if !sound(t, toolFields) {
			checkFields(t, at("tools", i)+".custom", toolFields, report)
		}
	}
}
