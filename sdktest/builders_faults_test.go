package sdktest

import (
	"syscall"
	"time"

	"github.com/mimus-go/mimus"
)

var (
	// wordless is of errors of Bedrock, and of Google's own layer in streams.
	wordless = otherwise{selectors{"bedrock.messages"}, "AWS's envelope has no error object, in which Anthropic's SDK looks for the message", func(w *want) { w.Error.Message = "-" }}
	listed   = otherwise{selectors{"vertex stream"}, "Google wraps the error of a stream in a list, in which Anthropic's SDK finds no message", func(w *want) { w.Error.Message = "-" }}

	// eager is of answers that break off: whether an SDK asks again is its own rule.
	eager = []otherwise{
		{selectors{"chat", "responses", "generate", "converse", "native"}, "the SDK does not ask again once it has read a part of the body, or never", func(w *want) { w.Requests = 1 }},
		{selectors{"stream"}, "no SDK asks again for a stream that broke off", func(w *want) { w.Requests = 1 }},
		{selectors{"native whole"}, "Ollama's client takes what came for a line", func(w *want) { w.Symptom = "bad json" }},
	}
	again = otherwise{selectors{"converse whole"}, "the AWS SDK asks again where the connection was reset", func(w *want) { w.Requests = 3 }}

	// deaf is of SDKs that take a stream that breaks off for one that has ended.
	deafOllama = otherwise{selectors{"native stream"}, "Ollama's client does not look at why the lines ended", unnoticed}
	deafAWS    = otherwise{selectors{"converse stream"}, "the AWS SDK takes a stream that breaks off for one that has ended", unnoticed}
)

func unnoticed(w *want) { w.Symptom, w.Finish = "", "none" }

func fails(kind string) want { return want{Error: &failure{Kind: kind}} }

// failures are the rows of what a provider refuses.
func failures() []*built {
	waited := func() want {
		w := says("At last.")
		w.Requests, w.Waits, w.Elapsed = 2, []string{"7s"}, "7s"
		return w
	}
	once := func(w *want) {
		*w = want{Error: &failure{Kind: "rate_limit"}, Requests: 1, Elapsed: "0s"}
	}
	slow := fails("auth")
	slow.Elapsed = "3s"
	own := want{Error: &failure{Kind: "invalid_request", Code: "parcel_unknown", Message: "The parcel is unknown.", Requests: 1}}
	return []*built{
		{proves: "RateLimited", reply: mimus.RateLimited(), want: fails("rate_limit"), but: []otherwise{wordless, listed}},
		{proves: "QuotaExceeded", reply: mimus.QuotaExceeded(), want: fails("quota"), but: []otherwise{wordless, listed}},
		{proves: "Overloaded", reply: mimus.Overloaded(), want: fails("overloaded"), but: []otherwise{wordless}},
		{proves: "Unauthorized", reply: mimus.Unauthorized(), want: fails("auth"), but: []otherwise{wordless, listed}},
		{proves: "ContextTooLong", reply: mimus.ContextTooLong(), want: fails("context_length"), but: []otherwise{wordless}},
		{proves: "ServerError", reply: mimus.ServerError(), want: fails("server"), but: []otherwise{wordless}},
		{
			proves: "StatusError", reply: mimus.StatusError(422, "The parcel is unknown."),
			want: want{Error: &failure{Kind: "invalid_request", Status: 422, Message: "The parcel is unknown."}}, but: []otherwise{
				wordless,
				{selectors{"generate"}, "Google has no word for 422", func(w *want) { w.Error.Code = "FAILED_PRECONDITION" }},
			},
		},
		{
			proves: "Failure.RetryAfter", replies: []mimus.Replier{mimus.RateLimited().RetryAfter(6500 * time.Millisecond), mimus.Text("At last.")},
			want: waited(), but: []otherwise{
				{selectors{"generate", "native"}, "the SDK asks once, unless it is told to try again", once},
				{selectors{"bedrock"}, "Bedrock says nothing of when to come back", func(w *want) { w.Waits, w.Elapsed = nil, "" }},
				{selectors{"azure", "anthropic", "vertex"}, "beside the seconds, which are rounded up, there are milliseconds", func(w *want) { w.Waits, w.Elapsed = []string{"6.5s"}, "6.5s" }},
			},
		},
		{
			proves: "Failure.Message Failure.Code", reply: mimus.StatusError(400, "no").Message("The parcel is unknown.").Code("parcel_unknown"), want: own,
			but: []otherwise{
				{selectors{"bedrock.messages"}, wordless.why, func(w *want) { w.Error.Message, w.Error.Code = "-", "-" }},
				{selectors{"native"}, "Ollama's envelope has a text only", func(w *want) { w.Error.Code = "-" }},
			},
		},
		{
			proves: "Failure.Header", replies: []mimus.Replier{mimus.RateLimited().Header("retry-after", "7"), mimus.Text("At last.")},
			want: waited(), but: []otherwise{
				{selectors{"generate", "native"}, "the SDK asks once, unless it is told to try again", once},
				{selectors{"converse"}, "the AWS SDK draws its waits by lot", func(w *want) { w.Waits, w.Elapsed = nil, "" }},
			},
		},
		{proves: "Failure.Delay", reply: mimus.Unauthorized().Delay(3 * time.Second), want: slow, but: []otherwise{wordless, listed}},
		{
			proves: "StreamError", want: fails("rate_limit"), but: []otherwise{
				{selectors{"stream"}, "all that was said comes before the error", func(w *want) { w.Text, w.Error.InStream = long, true }},
				{selectors{"whole"}, "a request that does not stream gets the error response", func(w *want) { w.Error.Message = "Too fast." }},
				{selectors{"bedrock.messages whole"}, wordless.why, func(w *want) { w.Error.Message = "-" }},
				{selectors{"azure"}, "the code is the one that was given, not the usual one of Azure", func(w *want) { w.Error.Code = ownCode("azure.chat") }},
			},
			of: func(endpoint string) mimus.Replier {
				return mimus.StreamError(mimus.Text(long), ownCode(endpoint), "Too fast.")
			},
		},
		{
			proves: "ResponseFailed", reply: mimus.ResponseFailed(mimus.Text(long), "server_error", "It broke."), where: selectors{"responses stream"},
			want: want{Error: &failure{InStream: true, Code: "server_error", Message: "It broke."}, Status: "failed"},
		},
		{
			proves: "Reply.ErrorAfter", reply: mimus.Text(long).ErrorAfter(six, mimus.Overloaded()), words: six, want: fails("overloaded"), but: []otherwise{
				{selectors{"stream"}, "the status line has left, so that the error comes inside the stream", func(w *want) { w.Error.InStream = true }},
				{selectors{"bedrock.messages whole"}, wordless.why, func(w *want) { w.Error.Message = "-" }},
			},
		},
	}
}

// faults are the rows of what breaks.
func faults() []*built {
	broken := want{Symptom: "truncated", Requests: 3}
	reset := want{Symptom: "reset", Requests: 3}
	yes := true
	hangs := want{Symptom: "timeout", Elapsed: "30s", HungUp: &yes}
	patient := ask{User: "Where is PX-AI-8102?", Deadline: "30s"}
	stalled := says(long)
	stalled.Elapsed = "5m"
	spoken := otherwise{selectors{"stream"}, "all that was said comes, but not that it was all", func(w *want) { w.Text = long }}
	return []*built{
		{
			proves: "Reply.CutAfter", reply: mimus.Text(long).CutAfter(six), words: six, want: says(long),
			but: []otherwise{{selectors{"stream"}, "what would end the answer is missing", func(w *want) { w.Finish = "none" }}},
		},
		{proves: "Reply.DropAfter", reply: mimus.Text(long).DropAfter(six), words: six, want: broken, but: append([]otherwise{deafOllama, deafAWS}, eager...)},
		{proves: "Reply.ResetAfter", reply: mimus.Text(long).ResetAfter(six), words: six, want: reset, but: append([]otherwise{deafOllama}, append(eager, again)...)},
		{proves: "Reply.Interrupted", reply: mimus.Text(long).Interrupted(), want: broken, but: append([]otherwise{spoken, deafOllama, deafAWS}, eager...)},
		{proves: "Reply.Hang", reply: mimus.Text(long).Hang(), ask: patient, want: hangs, but: []otherwise{spoken, deafOllama}},
		{proves: "Reply.HangAfter", reply: mimus.Text(long).HangAfter(six), ask: patient, words: six, want: hangs, but: []otherwise{deafOllama}},
		{proves: "Reply.StallAfter", reply: mimus.Text(long).StallAfter(six, 5*time.Minute), want: stalled},
		{
			proves: "Reply.Malformed", reply: mimus.Text(long).Malformed(), want: want{Symptom: "bad json"}, but: []otherwise{
				{selectors{"vertex stream"}, "the second event there is a ping, which the SDK skips unread", func(w *want) { *w = says(long) }},
				{selectors{"generate stream", "native stream"}, "the first event is a word", func(w *want) { w.Text = "Your " }},
			},
		},
		{
			proves: "Reject", reply: mimus.Reject(syscall.ECONNRESET), want: reset, but: []otherwise{
				{selectors{"generate", "native"}, "the SDK asks once, unless it is told to try again", func(w *want) { w.Requests = 1 }},
			},
		},
	}
}

// steps are the rows of streams by hand: a request that does not stream waits for the end.
func steps() []*built {
	stepped := func(play func(s *mimus.Steps)) *mimus.Steps {
		s := mimus.Stream()
		play(s)
		return s
	}
	inside := []otherwise{
		{selectors{"stream"}, "what was said before comes first", func(w *want) { w.Text, w.Error.InStream = "Hel", true }},
		{selectors{"bedrock.messages whole"}, wordless.why, func(w *want) { w.Error.Message = "-" }},
	}
	limited := says("Hello")
	limited.Finish = "length"
	thought := want{wantChoice: wantChoice{Reasoning: "Hm.", Signature: true, Text: "Late.", Parts: []string{"reasoning", "text"}}}
	counted := says("Hello")
	counted.Usage = &usage{Input: 12, Output: 3}
	return []*built{
		{proves: "Stream Steps.Send Steps.End", want: says("Hello"), reply: stepped(func(s *mimus.Steps) { s.Send("Hel"); s.Send("lo"); s.End() })},
		{proves: "Steps.Stop", want: limited, reply: stepped(func(s *mimus.Steps) { s.Send("Hello"); s.Stop("length") })},
		{
			proves: "Steps.Reasoning", ask: thinking, want: thought, but: hidden,
			reply: stepped(func(s *mimus.Steps) { s.Reasoning("Hm."); s.Send("Late."); s.End() }),
		},
		{
			proves: "Steps.CallTool", ask: withTool, want: calls("I look.", tracked("")),
			reply: stepped(func(s *mimus.Steps) { s.Send("I look."); s.CallTool("track_parcel", tracking); s.End() }),
		},
		{proves: "Steps.Fail", want: fails("overloaded"), but: inside, reply: stepped(func(s *mimus.Steps) { s.Send("Hel"); s.Fail(mimus.Overloaded()) })},
		{
			proves: "Steps.Reply", want: counted,
			reply: stepped(func(s *mimus.Steps) { s.Send("Hello"); s.End() }).Reply().Usage(12, 3),
		},
	}
}
