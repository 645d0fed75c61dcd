package ollama

import (
	"strconv"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// appendDone closes the last record: why it stopped, how long it took, what was counted. Fields that are zero are left
// out. words are the tokens of a whole answer, for their probabilities.
func (e *encoder) appendDone(b []byte, words []string) []byte {
	reason := doneWord(e.stop)
	if e.q.DoneReason != "" {
		reason = e.q.DoneReason
	}
	if e.q.NoDoneReason {
		reason = ""
	}
	if e.q.OldOrder && reason != "" && !e.prompt {
		b = append(appendString(append(b, `,"done_reason":`...), reason), `,"done":true`...)
	} else {
		b = append(b, `,"done":true`...)
		if reason != "" {
			b = appendString(append(b, `,"done_reason":`...), reason)
		}
	}
	if e.prompt {
		b = e.appendContext(b)
	} else if e.n.logprobs && len(words) > 0 {
		b = e.appendLogprobs(b, words)
	}
	b = e.appendMetrics(b)
	if e.prompt && e.n.logprobs && len(words) > 0 {
		b = e.appendLogprobs(b, words)
	}
	return append(b, '}')
}

// appendMetrics tells times as the stub's pace plans them: its delay is the time to load the model, the time to the first
// token that to read the prompt. Where nobody said how fast the answer is, the times are those of a quick machine.
func (e *encoder) appendMetrics(b []byte) []byte {
	speed := e.c.Speed
	loaded := orTime(speed.Delay, usualLoad)
	read := orTime(speed.FirstToken, time.Duration(e.usage.Input)*usualRead)
	wrote := orTime(speed.Taking(e.usage.Output), time.Duration(e.usage.Output)*usualWrite)
	b = appendTime(b, "total_duration", loaded+read+wrote)
	b = appendTime(b, "load_duration", loaded)
	if e.usage.Input > 0 && !e.q.NoPromptCount {
		b = appendInt(append(b, `,"prompt_eval_count":`...), e.usage.Input)
	}
	b = appendTime(b, "prompt_eval_duration", read)
	if e.usage.Output > 0 {
		b = appendInt(append(b, `,"eval_count":`...), e.usage.Output)
	}
	return appendTime(b, "eval_duration", wrote)
}

// The times of a machine that has the model in its memory, about as recorded in August 2025.
const (
	usualLoad  = 41 * time.Millisecond
	usualRead  = 1900 * time.Microsecond
	usualWrite = 4900 * time.Microsecond
)

func orTime(d, other time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return other
}

// appendTime writes a time in nanoseconds.
func appendTime(b []byte, key string, d time.Duration) []byte {
	if d == 0 {
		return b
	}
	b = append(append(append(b, `,"`...), key...), `":`...)
	return strconv.AppendInt(b, int64(d), 10)
}

const longestContext = 128

// appendContext writes the numbers of the conversation's tokens, which a client may send back; of a long one the first.
func (e *encoder) appendContext(b []byte) []byte {
	n := min(e.usage.Input+e.usage.Output, longestContext)
	if e.q.NoContext || e.n.raw || n == 0 {
		return b
	}
	source := e.c.Rand("ollama.context")
	b = append(b, `,"context":[`...)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, source.IntN(100000))
	}
	return append(b, ']')
}

// embedMetrics are those of embeddings.
func embedMetrics(b []byte, c *wire.Call, tokens int) []byte {
	loaded := orTime(c.Speed.Delay, usualLoad)
	b = appendTime(b, "total_duration", loaded+orTime(c.Speed.FirstToken, time.Duration(tokens)*usualRead))
	b = appendTime(b, "load_duration", loaded)
	if tokens > 0 {
		b = appendInt(append(b, `,"prompt_eval_count":`...), tokens)
	}
	return b
}
