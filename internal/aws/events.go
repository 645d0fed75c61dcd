package aws

import (
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/wire"
)

// JSON is the content type of all that is not a stream.
const JSON = "application/json"

// Events frames an AWS event stream. A frame's name is its event type, or its exception type where the frame is an
// exception; the payload is the bare document, which the name does not wrap.
//
// Recorded: the headers are :event-type, :content-type and :message-type, in this order, in every frame.
type Events struct{}

// Open adds nothing.
func (Events) Open(dst []byte) []byte { return dst }

// Append writes one frame with its checksums.
func (Events) Append(dst []byte, f wire.Frame, _ int) []byte {
	name, kind := ":event-type", "event"
	if f.Except {
		name, kind = ":exception-type", "exception"
	}
	headers := [...]awsstream.Header{
		{Name: name, Value: awsstream.String(f.Name)},
		{Name: ":content-type", Value: awsstream.String(JSON)},
		{Name: ":message-type", Value: awsstream.String(kind)},
	}
	return awsstream.Append(dst, headers[:], f.Data)
}

// Close adds nothing: the stream ends with its last frame.
func (Events) Close(dst []byte) []byte { return dst }

// Idle adds nothing: the format has no comment.
func (Events) Idle(dst []byte) []byte { return dst }
