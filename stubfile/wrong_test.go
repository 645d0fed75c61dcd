package stubfile_test

import (
	"testing"

	"github.com/mimus-go/mimus/stubfile"
)

// wrongFiles are files that are refused, and the messages for it.
var wrongFiles = []struct{ name, file, text, want string }{
	{
		"a misspelt key", "a.yaml", "stubs:\n  - name: x\n    when:\n      modell: gpt\n    answer: {}\n",
		`a.yaml:4:7: stub "x": unknown key "modell" (did you mean "model"?)`,
	},
	{
		"a snake_case key", "a.yaml", "name: x\nanswer:\n  tool_calls: []\n",
		`a.yaml:3:3: stub "x": unknown key "tool_calls" (did you mean "toolCalls"?)`,
	},
	{
		"a key of no meaning", "a.yaml", "name: x\nanswer: {}\ncolour: red\n",
		`a.yaml:3:1: stub "x": unknown key "colour"; the keys here are name, when, answer, answers, then, times, priority, delay, limits, signatures, pace`,
	},
	{
		"a wrong type", "a.yaml", "name: x\nanswer:\n  usage: {inputTokens: many}\n",
		`a.yaml:3:24: stub "x": answer.usage.inputTokens: want a whole number, 0 or more, got "many"`,
	},
	{
		"a number for a text", "a.yaml", "name: x\nwhen: {about: 8102}\nanswer: {}\n",
		`a.yaml:2:15: stub "x": when.about: want a text, got the number 8102; put it in quotes`,
	},
	{
		"a wire that is none", "a.yaml", "when: {wire: opnai}\nanswer: {}\n",
		`a.yaml:1:14: when.wire: "opnai" is no provider and no endpoint (did you mean "openai"?)`,
	},
	{
		"a wire that is far off", "a.yaml", "when: {wire: x}\nanswer: {}\n",
		`a.yaml:1:14: when.wire: "x" is no provider and no endpoint; there are openai, openai.chat, openai.responses, anthropic, anthropic.messages`,
	},
	{
		"afterTool beside embeddings", "a.yaml", "when: {endpoint: embeddings, afterTool: x}\nanswer: {}\n",
		`a.yaml:1:30: "afterTool" has no meaning for the endpoint embeddings`,
	},
	{
		"about beside models", "a.yaml", "when: {about: x, endpoint: models}\nanswer: {}\n",
		`a.yaml:1:8: "about" has no meaning for the endpoint models`,
	},
	{
		"an endpoint that is none", "a.yaml", "when: {endpoint: chats}\nanswer: {}\n",
		`a.yaml:1:18: when.endpoint: "chats" is not one of chat, embeddings, models (did you mean "chat"?)`,
	},
	{
		"about of nothing", "a.yaml", "when: {about: ''}\nanswer: {}\n",
		`a.yaml:1:15: when.about: every request holds an empty text; leave it out`,
	},
	{
		"about of no texts", "a.yaml", "when: {about: []}\nanswer: {}\n",
		`a.yaml:1:15: when.about: want at least one text in the list`,
	},
	{
		"about of a list of lists", "a.yaml", "when: {about: [[x]]}\nanswer: {}\n",
		`a.yaml:1:16: when.about[0]: want a text, or an object with contains, equals, matches, got a list`,
	},
	{
		"about left empty", "a.yaml", "when:\n  about:\nanswer: {}\n",
		`a.yaml:2:9: when.about: want a text, or an object with contains, equals, matches, got nothing`,
	},
	{
		"a bad expression", "a.yaml", "when: {user: {matches: '('}}\nanswer: {}\n",
		"a.yaml:1:24: when.user.matches: error parsing regexp: missing closing ): `(`",
	},
	{
		"two ways to compare", "a.yaml", "when: {user: {equals: a, contains: b}}\nanswer: {}\n",
		"a.yaml:1:14: when.user: want one of contains, equals, matches",
	},
	{
		"endpoint that must not be", "a.yaml", "when: {not: {endpoint: chat}}\nanswer: {}\n",
		`a.yaml:1:14: unknown key "endpoint"; the keys here are about, afterTool, wire, model, stream, system, user, toolResult, tool, header, query`,
	},
	{
		"a header of a list", "a.yaml", "when: {header: {X-A: [b]}, query: x}\nanswer: {}\n",
		`a.yaml:1:22: when.header.X-A: want a text, or an object with contains, equals, matches, got a list
a.yaml:1:35: when.query: want an object of names and values, got "x"`,
	},
	{
		"a tool of a number", "a.yaml", "when: {tool: [1], toolResult: [x]}\nanswer: {}\n",
		`a.yaml:1:15: when.tool[0]: want a text, got the number 1; put it in quotes
a.yaml:1:31: when.toolResult: want a text, or an object with contains, equals, matches, got a list`,
	},
	{
		"no answer", "a.yaml", "stubs:\n  - name: x\n    when: {about: y}\n",
		`a.yaml:2:5: stub "x": the stub has no answer; an empty one is answer: {}`,
	},
	{
		"an answer left empty", "a.yaml", "name: x\nanswer:\n",
		`a.yaml:2:9: stub "x": answer: an answer is missing; an empty one is {}`,
	},
	{"two answers", "a.yaml", "answer: {}\nanswers: [{}]\n", `a.yaml:2:1: "answers" cannot stand beside "answer"`},
	{"no answers", "a.yaml", "answers: []\n", `a.yaml:1:10: answers: want at least one answer in the list`},
	{"then without answers", "a.yaml", "answer: {}\nthen: last\n", `a.yaml:2:1: "then" needs "answers" beside it`},
	{"a wrong then", "a.yaml", "answers: [{}]\nthen: loop\n", `a.yaml:2:7: then: "loop" is not one of last, cycle, fail`},
	{"an answer of a sequence", "a.yaml", "answers:\n  - text: a\n  - text: [b]\n", `a.yaml:3:11: answers[1].text: want a text, got a list`},
	{"no times", "a.yaml", "answer: {}\ntimes: 0\n", `a.yaml:2:8: times: want a whole number from 1 to 2147483647, got the number 0`},
	{"half a priority", "a.yaml", "answer: {}\npriority: 1.5\n", `a.yaml:2:11: priority: want a whole number from -2147483647 to 2147483647, got the number 1.5`},
	{"a wrong time", "a.yaml", "answer: {}\ndelay: 3 seconds\n", `a.yaml:2:8: delay: want a time such as "250ms", "1.5s" or "2m", or a number of seconds, got "3 seconds"`},
	{
		"a wrong pace", "a.yaml", "answer: {}\npace: {jitter: 2, chunk: 0, tokensPerSecond: -1, first_token: 1s}\n",
		`a.yaml:2:16: pace.jitter: want a number from 0 to 1, got the number 2
a.yaml:2:26: pace.chunk: want a whole number from 1 to 2147483647, got the number 0
a.yaml:2:46: pace.tokensPerSecond: want a number, 0 or more, got the number -1
a.yaml:2:50: unknown key "first_token" (did you mean "firstToken"?)`,
	},
	{"limits", "a.yaml", "answer: {}\nlimits: [1]\nsignatures: all\n", `a.yaml:2:9: limits: want a text, got a list
a.yaml:3:13: signatures: "all" is not one of any`},
	{"a missing name of a tool", "a.yaml", "answer:\n  toolCalls:\n    - arguments: {}\n", `a.yaml:3:7: answer.toolCalls[0]: "name" is missing: which tool to call`},
	{"a key twice", "a.yaml", "name: x\nname: y\nanswer: {}\n", `a.yaml:2:1: the key "name" is given twice`},
	{"a key twice deep in a value", "a.yaml", "answer: {json: {a: 1, b: 2, a: 3}}\n", `a.yaml:1:29: the key "a" is given twice`},
	{"stubs misspelt", "a.yaml", "stub:\n  - answer: {}\n", `a.yaml:1:1: unknown key "stub"; the keys here are name, when, answer, answers, then, times, priority, delay, limits, signatures, pace
a.yaml:1:1: the stub has no answer; an empty one is answer: {}`},
	{"stubs of something else", "a.yaml", "stubs: {}\n", `a.yaml:1:8: stubs: want a list of stubs`},
	{"a key beside stubs", "a.yaml", "stubs: []\nname: x\n", `a.yaml:2:1: unknown key "name" beside stubs`},
	{"a stub that is a text", "a.yaml", "stubs: [x]\n", `a.yaml:1:9: want an object with name, when, answer, answers, then, times, priority, delay, limits, signatures, pace, got "x"`},
	{"a list", "a.yaml", "- name: x\n", `a.yaml:1:1: want a stub, or an object with stubs, a list of them`},
	{"a text", "a.yaml", "hello\n", `a.yaml:1:1: want a stub, or an object with stubs, a list of them`},
	{"a mapping of WireMock's", "a.json", `{"request": {}, "response": {}}`, `a.json:1:2: this looks like a WireMock mapping; those belong in a folder named mappings`},
	{"an open list", "a.yaml", "answer: {text: [\n", `a.yaml:1:16: sequence end token ']' not found`},
	{"a tab", "a.yaml", "\tname: x\n", `a.yaml:1:5: tab character cannot use as a map key directly`},
	{"an open quote", "a.yaml", "name: 'x\n", `a.yaml:1:7: could not find end character of single-quoted text`},
	{"an alias of nothing", "a.yaml", "name: &nme x\nanswer: {text: *name}\n", `a.yaml:2:16: no anchor "name" comes before this alias (did you mean "nme"?)`},
	{"an alias in itself", "a.yaml", "answer: &a\n  json: *a\n", `a.yaml:2:9: the alias "a" stands in its own anchor`},
	{"a merge of itself", "a.yaml", "answer: &a\n  <<: *a\n", `a.yaml:2:7: the alias "a" stands in its own anchor`},
	{"a merge of a text", "a.yaml", "answer:\n  <<: x\n", `a.yaml:2:7: only mappings can be merged`},
	{
		"a number that is two", "a.yaml", "answer: {json: {postcode: 04107, n: 1_000}}\n",
		`a.yaml:1:27: 04107 is read as a number by some and as a text by others; put it in quotes, or write the number plainly
a.yaml:1:37: 1_000 is read as a number by some and as a text by others; put it in quotes, or write the number plainly`,
	},
	{"a number that JSON lacks", "a.yaml", "answer: {json: .inf}\n", `a.yaml:1:16: .inf is no number that JSON has`},
	{"a tag", "a.yaml", "answer: {text: !secret x}\n", `a.yaml:1:16: the tag !secret has no meaning here`},
	{"a second document", "a.yaml", "answer: {}\n---\nname: y\nansver: {}\n", `a.yaml:3:1: stub "y": the stub has no answer; an empty one is answer: {}
a.yaml:4:1: stub "y": unknown key "ansver" (did you mean "answer"?)`},
	{"Windows' lines", "a.yaml", "stubs:\r\n  - name: x\r\n    answr: {}\r\n    answer: {}\r\n", `a.yaml:3:5: stub "x": unknown key "answr" (did you mean "answer"?)`},
	{"letters of several bytes", "a.yaml", "name: Öl\nanswer: {text: 'süß 🚚', txt: 1}\n", `a.yaml:2:25: stub "Öl": unknown key "txt" (did you mean "text"?)`},
	{"a byte order mark", "a.yaml", "\ufeffnam: x\nanswer: {}\n", `a.yaml:1:1: unknown key "nam" (did you mean "name"?)`},
	{"Latin-1", "a.yaml", "name: x\nanswer: {text: s\xfc\xdf}\n", `a.yaml:2:17: the byte 0xfc is not UTF-8`},
	{"JSON with a comma too many", "a.json", "{\n  \"name\": \"x\",\n}", `a.json:3:1: unexpected '}' instead of a member name`},
	{"JSON with a wrong key", "a.json", "{\n  \"name\": \"x\",\n  \"answer\": {\"te\\\"xt\" : 1}\n}", `a.json:3:14: stub "x": unknown key "te\"xt" (did you mean "text"?)`},
	{"JSON with a key twice", "a.json", `{"answer": {}, "answer": {}}`, `a.json:1:16: the key "answer" is given twice`},
	{"JSON of something else", "a.json", ` [1]`, `a.json:1:2: want a stub, or an object with stubs, a list of them`},
}

func TestWrongFiles(t *testing.T) {
	t.Parallel()
	for _, c := range wrongFiles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := stubfile.Parse(c.file, []byte(c.text), options)
			if err == nil {
				t.Fatal("it was loaded")
			}
			if got := err.Error(); got != c.want {
				t.Errorf("\n got  %s\n want %s", got, c.want)
			}
		})
	}
}
