package wiretest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/mimus-go/mimus/internal/awsstream"
)

// chunkBytes finds what an AWS chunk holds in base64.
var chunkBytes = regexp.MustCompile(`"bytes":"([A-Za-z0-9+/]*={0,2})"`)

// formatFrames writes an AWS event stream for people: two lines a frame, the headers in their order and the payload. What
// a chunk holds in base64 stands decoded between « and ». A stream that is no valid one is an error.
func formatFrames(body []byte) (string, error) {
	var b strings.Builder
	r := awsstream.Reader{R: bytes.NewReader(body)}
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		for i, h := range m.Headers {
			if i > 0 {
				b.WriteString(" ")
			}
			fmt.Fprintf(&b, "%s=%s", h.Name, h.Value)
		}
		b.WriteString("\n")
		b.Write(chunkBytes.ReplaceAllFunc(m.Payload, func(match []byte) []byte {
			raw, err := base64.StdEncoding.DecodeString(string(chunkBytes.FindSubmatch(match)[1]))
			if err != nil {
				return match
			}
			return fmt.Appendf(nil, `"bytes":«%s»`, raw)
		}))
		b.WriteString("\n")
	}
}
