package redact_test

import (
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/internal/redact"
)

func TestBody(t *testing.T) {
	t.Parallel()
	const key = "sk-proj-abcdefghijklmnop1234"
	cases := []struct{ name, body, want string }{
		{"plain text", "my key is " + key, "my key is REDACTED"},
		{"nothing to hide", `{"a": "Köln",  "b": [1, "\u00e9"]}`, `{"a": "Köln",  "b": [1, "\u00e9"]}`},
		{"no text", "\xff\xfe\x00", "\xff\xfe\x00"},
		{"one document", `{"content":"my key is ` + key + `."}`, `{"content":"my key is REDACTED."}`},
		{"a member's name", `{"api_key":"hunter2", "password":"", "apiKey":"x", "token":"the"}`, `{"api_key":"REDACTED", "password":"", "apiKey":"REDACTED", "token":"the"}`},
		{
			"over deltas",
			"data: {\"delta\":{\"text\":\"It is sk-proj-abc\"}}\n\ndata: {\"delta\":{\"text\":\"defghijklmnop\"}}\n\ndata: {\"delta\":{\"text\":\"1234, yes\"}}\n\ndata: [DONE]\n\n",
			"data: {\"delta\":{\"text\":\"It is REDACTED\"}}\n\ndata: {\"delta\":{\"text\":\"\"}}\n\ndata: {\"delta\":{\"text\":\", yes\"}}\n\ndata: [DONE]\n\n",
		},
		{
			"a whole key, and its end in the next delta",
			"data: {\"t\":\"" + key + "\"}\r\n\r\ndata: {\"t\":\"5678\"}\r\n\r\n",
			"data: {\"t\":\"REDACTED\"}\r\n\r\ndata: {\"t\":\"\"}\r\n\r\n",
		},
		{
			"interleaved choices",
			`{"index":0,"t":"sk-proj-abcd"}` + "\n" + `{"index":1,"t":"Hello "}` + "\n" + `{"index":0,"t":"efghijklmnop"}` + "\n" + `{"index":1,"t":"there"}` + "\n",
			`{"index":0,"t":"REDACTED"}` + "\n" + `{"index":1,"t":"Hello "}` + "\n" + `{"index":0,"t":""}` + "\n" + `{"index":1,"t":"there"}` + "\n",
		},
		{
			"escaped, in a tool's arguments",
			`{"a":"{\"key\":\"sk-proj-"}` + "\n" + `{"a":"abcdefghijklmnop\"}"}` + "\n",
			`{"a":"{\"key\":\"REDACTED"}` + "\n" + `{"a":"\"}"}` + "\n",
		},
		{
			"the tokens of log probabilities",
			`{"logprobs":[{"token":"sk-"},{"token":"abcdefgh"},{"token":"ijklmnop"}]}`,
			`{"logprobs":[{"token":"REDACTED"},{"token":""},{"token":""}]}`,
		},
		{
			"elements of an array",
			"[{\"t\":\"sk-abcdefgh\"}\n,\r\n{\"t\":\"ijklmnopqr\"}\n]",
			"[{\"t\":\"REDACTED\"}\n,\r\n{\"t\":\"\"}\n]",
		},
		{"two keys", `{"t":"` + key + ` and ` + key + `"}`, `{"t":"REDACTED and REDACTED"}`},
		{"half a document", `{"t":"` + key + `", `, `{"t":"REDACTED", `},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := redact.Body([]byte(c.body)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func FuzzBody(f *testing.F) {
	f.Add("data: {\"t\":\"sk-proj-abc\"}\n\ndata: {\"t\":\"defghijklmnop1234\"}\n\n")
	f.Add(`{"index":0,"password":"x","a":[{"b":"sk-aaaaaaaaaaaaaaaaaaaa"}]}`)
	f.Add("[{\"t\":\"\"},\n{\"t\":1}]\n")
	f.Fuzz(func(t *testing.T, body string) {
		got := redact.Body([]byte(body))
		if jsonx.Valid(body) && !jsonx.Valid(got) {
			t.Errorf("the JSON is broken: %q", got)
		}
		if again := redact.Text(got); again != got {
			t.Errorf("a key was left: %q", got)
		}
	})
}
