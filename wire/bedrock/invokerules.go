package bedrock

import (
	"iter"
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// malformed is how the schema gate of InvokeModel says what is wrong: each place, and a request to do better.
func malformed(what string) string {
	return "Malformed input request: " + what + ", please reformat your input and try again."
}

func missingKey(at, key string) string {
	return malformed(at + ": required key [" + key + "] not found")
}

func wrongKind(at string, want string, found jsonx.Value) string {
	return malformed(at + ": expected type: " + want + ", found: " + javaName(found.Kind()))
}

// invokeRules are what every form needs, and what Nova's blocks may not have.
var invokeRules = [...]rule{
	tooLarge,
	{"fields", true, func(x *exam, report func(string)) {
		f := formOfCall(x.call)
		v, want := x.body.Get(f.missing), jsonx.String
		if f.missing == "messages" {
			want = jsonx.Array
		}
		switch {
		case !v.Exists():
			report(missingKey("#", f.missing))
		case v.Kind() != want:
			report(wrongKind("#/"+f.missing, javaName(want), v))
		case v.Len() == 0 && want == jsonx.Array:
			report(malformed("#/messages: expected minimum item count: 1, found: 0"))
		}
	}},
	// Only Nova's form has it, and nobody must send it (docs.aws.amazon.com/nova/latest/nova2-userguide/
	// request-response-schema.html, Nov 2026).
	{"version", true, func(x *exam, report func(string)) {
		v := x.body.Get("schemaVersion")
		if formOfCall(x.call).name == "nova" && v.Exists() && v.Kind() != jsonx.String {
			report(wrongKind("#/schemaVersion", javaName(jsonx.String), v))
		}
	}},
	{"blocks", true, func(x *exam, report func(string)) {
		if formOfCall(x.call).name != "nova" {
			return
		}
		for i, m := range x.body.Get("messages").Items() {
			at := "#/messages/" + strconv.Itoa(i)
			content := m.Get("content")
			switch {
			case !m.Get("role").Exists():
				report(missingKey(at, "role"))
			case !content.Exists():
				report(missingKey(at, "content"))
			case content.Kind() != jsonx.Array:
				report(wrongKind(at+"/content", "JSONArray", content))
			}
			for j, b := range content.Items() {
				if b.Get("type").Exists() {
					report(malformed(at + "/content/" + strconv.Itoa(j) + ": extraneous key [type] is not permitted"))
				}
			}
		}
	}},
}

// Check yields what the schema gate refuses.
func (invoke) Check(c *wire.Call) iter.Seq[wire.Violation] {
	return violations(&exam{c, nativeOf(c).body}, "invoke.", invokeRules[:])
}
