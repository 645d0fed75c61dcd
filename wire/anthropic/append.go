package anthropic

import (
	"strconv"

	"github.com/mimus-go/mimus/internal/jsonx"
)

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendStringOrNull writes "" as null.
func appendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return jsonx.AppendString(b, s)
}
