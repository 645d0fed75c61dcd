package jsonx_test

import (
	"errors"
	"fmt"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func ExampleParse() {
	body, err := jsonx.Parse(`{"model":"m1","messages":[{"role":"user","content":"Hi\n"}]}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(body.Get("model").Str())
	for i, m := range body.Get("messages").Items() {
		fmt.Printf("%d %s %q\n", i, m.Get("role").Str(), m.Get("content").Str())
	}
	fmt.Println(body.At("tools", 0, "name").Exists())
	// Output:
	// m1
	// 0 user "Hi\n"
	// false
}

func ExamplePosition() {
	doc := "{\n  \"model\": m1\n}"
	_, err := jsonx.Parse(doc)
	if syntax, ok := errors.AsType[*jsonx.SyntaxError](err); ok {
		line, column := jsonx.Position(doc, syntax.Offset)
		fmt.Printf("body.json:%d:%d: %s\n", line, column, syntax.Msg)
	}
	// Output: body.json:2:12: unexpected 'm' instead of a value
}

func ExampleAppendIndent() {
	fmt.Printf("%s\n", jsonx.AppendIndent(nil, `{"a":[1,{}],"b":[]}`, "  "))
	// Output:
	// {
	//   "a": [
	//     1,
	//     {}
	//   ],
	//   "b": []
	// }
}

func ExampleAppendSpaced() {
	fmt.Printf("%s\n", jsonx.AppendSpaced(nil, `{"text":"Hi","index":0}`))
	// Output: {"text": "Hi","index": 0}
}
