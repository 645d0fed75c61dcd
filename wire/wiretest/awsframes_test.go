package wiretest

import (
	"testing"

	"github.com/mimus-go/mimus/internal/awsstream"
)

func TestFormatFrames(t *testing.T) {
	t.Parallel()
	h := func(name string) []awsstream.Header {
		return []awsstream.Header{{Name: ":event-type", Value: awsstream.String(name)}, {Name: ":n", Value: awsstream.Int16(7)}}
	}
	body := awsstream.Append(nil, h("chunk"), []byte(`{"bytes":"eyJ4Ijoi8J+amiJ9","p":"ab"}`))
	body = awsstream.Append(body, h("metadata"), []byte(`{}`))
	got, err := formatFrames(body)
	want := ":event-type=chunk :n=7\n{\"bytes\":«{\"x\":\"🚚\"}»,\"p\":\"ab\"}\n:event-type=metadata :n=7\n{}\n"
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	body[len(body)-1]++
	if _, err := formatFrames(body); err == nil {
		t.Error("a wrong checksum goes unseen")
	}
}
