package aws

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/wire"
)

// RequestID is the id of a call, a UUID.
func RequestID(c *wire.Call) string {
	h := c.ID("", wire.Hex, 32, "aws.request")
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// The headers of the token counts of InvokeModel.
const (
	inputTokens  = "X-Amzn-Bedrock-Input-Token-Count"
	outputTokens = "X-Amzn-Bedrock-Output-Token-Count"
	cacheRead    = "X-Amzn-Bedrock-Cache-Read-Input-Token-Count"
	cacheWrite   = "X-Amzn-Bedrock-Cache-Write-Input-Token-Count"
	latency      = "X-Amzn-Bedrock-Invocation-Latency"
)

// Head is the header of an answer with status 200 that does not stream. Converse has no more than that (recorded 2026-08).
func Head(c *wire.Call) wire.Header {
	return wire.Header{{Name: "Content-Type", Value: JSON}, {Name: "X-Amzn-Requestid", Value: RequestID(c)}}
}

// StreamHead is the header of a stream; one of InvokeModel says of what its chunks are.
func StreamHead(c *wire.Call, invoke bool) wire.Header {
	h := wire.Header{{Name: "Content-Type", Value: awsstream.ContentType}, {Name: "X-Amzn-Requestid", Value: RequestID(c)}}
	if invoke {
		h = append(h, wire.Field{Name: "X-Amzn-Bedrock-Content-Type", Value: JSON})
	}
	return h
}

// Counts says how an answer of InvokeModel counts tokens in its header.
type Counts struct {
	// Cache adds what was read from and written to a cache, which not every model has.
	Cache bool
	// NoOutput leaves out the count of what was generated, as for embeddings.
	NoOutput bool
}

// InvokeHead is the header of a whole answer of InvokeModel, where the tokens are counted.
func InvokeHead(c *wire.Call, u wire.Usage, o Counts) wire.Header {
	h := Head(c)
	add := func(name string, n int) { h = append(h, wire.Field{Name: name, Value: strconv.Itoa(n)}) }
	fresh := u.Input
	if o.Cache {
		fresh -= u.CacheRead + u.CacheWrite
		add(cacheRead, u.CacheRead)
		add(cacheWrite, u.CacheWrite)
	}
	add(inputTokens, fresh)
	add(latency, Latency(c))
	if !o.NoOutput {
		add(outputTokens, u.Output)
	}
	return h
}

// ReadCounts reads the token counts of a header. It is nil where there are none.
func ReadCounts(h *wire.ResponseHead) *wire.Usage {
	count := func(name string) int {
		n, err := strconv.Atoi(h.Header.Get(name))
		if err != nil || n < 0 {
			return 0
		}
		return n
	}
	if h.Header.Get(inputTokens) == "" && h.Header.Get(outputTokens) == "" {
		return nil
	}
	u := &wire.Usage{Output: count(outputTokens), CacheRead: count(cacheRead), CacheWrite: count(cacheWrite)}
	u.Input = count(inputTokens) + u.CacheRead + u.CacheWrite
	return u
}

// Latency is how many milliseconds an answer says that it took. It is made up like an id, never measured: the same
// request gets the same answer.
func Latency(c *wire.Call) int { return 200 + c.Rand("aws.latency").IntN(1000) }

// AppendMetrics writes what the last event of an InvokeModel stream counts, with its key.
func AppendMetrics(b []byte, c *wire.Call, u wire.Usage, cache bool) []byte {
	total := Latency(c)
	fresh := u.Input
	if cache {
		fresh -= u.CacheRead + u.CacheWrite
	}
	b = strconv.AppendInt(append(b, `"amazon-bedrock-invocationMetrics":{"inputTokenCount":`...), int64(fresh), 10)
	b = strconv.AppendInt(append(b, `,"outputTokenCount":`...), int64(u.Output), 10)
	b = strconv.AppendInt(append(b, `,"invocationLatency":`...), int64(total), 10)
	b = strconv.AppendInt(append(b, `,"firstByteLatency":`...), int64(total/2), 10)
	if cache {
		b = strconv.AppendInt(append(b, `,"cacheReadInputTokenCount":`...), int64(u.CacheRead), 10)
		b = strconv.AppendInt(append(b, `,"cacheWriteInputTokenCount":`...), int64(u.CacheWrite), 10)
	}
	return append(b, '}')
}
