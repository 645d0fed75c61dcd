// Package awsstream writes and reads AWS event streams, the frames of
// application/vnd.amazon.eventstream in which Bedrock streams its answers.
//
// A frame is
//
//	u32 total length | u32 headers length | u32 CRC of those | headers | payload | u32 CRC of all before
//
// with big-endian numbers and CRC-32 (IEEE). A header is a name, a type and a
// value.
//
//	frame := awsstream.Append(nil, []awsstream.Header{
//		{Name: ":event-type", Value: awsstream.String("messageStart")},
//		{Name: ":content-type", Value: awsstream.String("application/json")},
//		{Name: ":message-type", Value: awsstream.String("event")},
//	}, []byte(`{"role":"assistant"}`))
//
//	r := awsstream.Reader{R: bytes.NewReader(frame)}
//	m, err := r.Next()
package awsstream

// ContentType is the media type of a body that holds frames.
const ContentType = "application/vnd.amazon.eventstream"

// The limits of the format.
const (
	MaxName    = 1<<8 - 1  // bytes of a header's name
	MaxValue   = 1<<15 - 1 // bytes of a header's value, where its type is Bytes or String
	MaxHeaders = 128 << 10 // bytes of all headers of a frame
	MaxPayload = 24 << 20  // bytes of a frame's payload, unless a Reader says otherwise
)

const (
	preludeLen = 12             // two lengths and their checksum
	minFrame   = preludeLen + 4 // an empty message
)

// Message is what a frame holds.
type Message struct {
	Headers []Header
	Payload []byte
}

// Header is a named value of a message. The order of headers is kept.
type Header struct {
	Name  string
	Value Value
}

// Header returns the first header of that name.
func (m Message) Header(name string) (Value, bool) {
	for _, h := range m.Headers {
		if h.Name == name {
			return h.Value, true
		}
	}
	return Value{}, false
}

// Get returns the text of the first header of that name, or "" if there is
// none or it is no string.
func (m Message) Get(name string) string {
	v, _ := m.Header(name)
	s, _ := v.AsString()
	return s
}
