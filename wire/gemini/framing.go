package gemini

import "github.com/mimus-go/mimus/wire"

// arrayFraming is how Google streams an array: line ends inside are LF, around the commas CR LF, and none follows the
// closing bracket (recorded 2026-08).
var arrayFraming = wire.JSONArray{Separator: "\n,\r\n", End: "\n"}

// bare is the name of a frame that travels as it is, without "data:".
const bare = "bare"

// events frames server-sent events, which end with CR LF twice, the last one too (recorded). They have no names.
type events struct{ wire.SSE }

// Append writes one event, or a bare text and an empty line.
func (s events) Append(dst []byte, f wire.Frame, i int) []byte {
	if f.Name != bare {
		return s.SSE.Append(dst, f, i)
	}
	dst = append(dst, f.Data...)
	return append(append(dst, s.EOL...), s.EOL...)
}
