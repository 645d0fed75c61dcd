package awsstream_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mimus-go/mimus/internal/awsstream"
)

// everyType has one header of each of the ten types.
var everyType = []awsstream.Header{
	{Name: "t", Value: awsstream.Bool(true)},
	{Name: "f", Value: awsstream.Bool(false)},
	{Name: "i8", Value: awsstream.Byte(-2)},
	{Name: "i16", Value: awsstream.Int16(-300)},
	{Name: "i32", Value: awsstream.Int32(-70000)},
	{Name: "i64", Value: awsstream.Int64(-5_000_000_000)},
	{Name: "b", Value: awsstream.Bytes([]byte{0, 0xff})},
	{Name: ":event-type", Value: awsstream.String("contentBlockDelta")},
	{Name: "ts", Value: awsstream.Timestamp(time.UnixMilli(1_700_000_000_123))},
	{Name: "u", Value: awsstream.UUID([16]byte{0x12, 0x34, 4: 0xab, 15: 0xff})},
}

func read(b []byte) (ms []awsstream.Message, err error) {
	r := awsstream.Reader{R: bytes.NewReader(b)}
	for {
		m, err := r.Next()
		if err != nil {
			return ms, err
		}
		ms = append(ms, m)
	}
}

// seal returns a frame with right checksums around anything.
func seal(headers, payload []byte) []byte {
	f := binary.BigEndian.AppendUint32(nil, uint32(16+len(headers)+len(payload)))
	f = binary.BigEndian.AppendUint32(f, uint32(len(headers)))
	f = binary.BigEndian.AppendUint32(f, crc32.ChecksumIEEE(f))
	f = append(append(f, headers...), payload...)
	return binary.BigEndian.AppendUint32(f, crc32.ChecksumIEEE(f))
}

func TestAppendToTheByte(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		headers []awsstream.Header
		payload string
		want    string
	}{
		// The vectors with which AWS tests its own libraries.
		{"empty", nil, "", "00000010 00000000 05c248eb 7d98c8ff"},
		{"payload, no headers", nil, "{'foo':'bar'}", "0000001d 00000000 fd528c5a 7b27666f6f273a27626172277d c3653936"},
		{
			"a number",
			[]awsstream.Header{{Name: "event-type", Value: awsstream.Int32(40972)}},
			"{'foo':'bar'}",
			"0000002d 00000010 41c424b8 0a6576656e742d7479706504 0000a00c 7b27666f6f273a27626172277d 36f480a0",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want, err := hex.DecodeString(strings.ReplaceAll(tt.want, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			if got := awsstream.Append(nil, tt.headers, []byte(tt.payload)); !bytes.Equal(got, want) {
				t.Errorf("got  %x\nwant %x", got, want)
			}
		})
	}
}

func TestEveryHeaderTypeThereAndBack(t *testing.T) {
	t.Parallel()
	stream := awsstream.Append([]byte("before"), everyType, []byte(`{"delta":{}}`))[len("before"):]
	stream = awsstream.Append(stream, nil, nil)
	got, err := read(stream)
	if !errors.Is(err, io.EOF) {
		t.Fatalf("the stream ends with %v, want io.EOF", err)
	}
	want := []awsstream.Message{{Headers: everyType, Payload: []byte(`{"delta":{}}`)}, {Payload: []byte{}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if got := got[0].Get(":event-type"); got != "contentBlockDelta" {
		t.Errorf("Get found %q", got)
	}
	if got := got[0].Get("i8"); got != "" {
		t.Errorf("Get made the text %q of a number", got)
	}
	if v, ok := got[0].Header("absent"); ok {
		t.Errorf("Header found %v", v)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	texts := []string{
		"true", "false", "-2", "-300", "-70000", "-5000000000", "00ff", "contentBlockDelta",
		"2023-11-14T22:13:20.123Z", "12340000-ab00-0000-0000-0000000000ff",
	}
	for i, h := range everyType {
		v := h.Value
		if v.Type() != awsstream.Type(i) {
			t.Errorf("%s has %v, want number %d", h.Name, v.Type(), i)
		}
		if v.String() != texts[i] {
			t.Errorf("%s prints as %q, want %q", h.Name, v, texts[i])
		}
		_, isBool := v.AsBool()
		_, isInt := v.AsInt()
		_, isBytes := v.AsBytes()
		_, isString := v.AsString()
		_, isTime := v.AsTime()
		_, isUUID := v.AsUUID()
		got := [...]bool{isBool, isInt, isBytes, isString, isTime, isUUID}
		want := [...]bool{i < 2, i >= 2 && i < 6, i == 6, i == 7, i == 8, i == 9}
		if got != want {
			t.Errorf("%s can be read as %v, want %v (bool, int, bytes, string, time, UUID)", h.Name, got, want)
		}
	}
	if n, _ := everyType[5].Value.AsInt(); n != -5_000_000_000 {
		t.Errorf("AsInt = %d", n)
	}
	if ts, _ := everyType[8].Value.AsTime(); !ts.Equal(time.UnixMilli(1_700_000_000_123)) {
		t.Errorf("AsTime = %v", ts)
	}
	if u, _ := everyType[9].Value.AsUUID(); u != [16]byte{0x12, 0x34, 4: 0xab, 15: 0xff} {
		t.Errorf("AsUUID = %x", u)
	}
	if got := awsstream.Type(10).String(); got != "type 10" {
		t.Errorf("an unknown type is %q", got)
	}
}

func TestWhatHasNoRoom(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", awsstream.MaxName+1)
	many := make([]awsstream.Header, 5)
	for i := range many {
		many[i] = awsstream.Header{Name: "x", Value: awsstream.String(strings.Repeat("v", awsstream.MaxValue))}
	}
	tests := []struct {
		name    string
		headers []awsstream.Header
		want    []awsstream.Header
	}{
		{"name", []awsstream.Header{{Name: long}}, []awsstream.Header{{Name: long[1:]}}},
		{
			"bytes",
			[]awsstream.Header{{Name: "x", Value: awsstream.Bytes(make([]byte, awsstream.MaxValue+1))}},
			[]awsstream.Header{{Name: "x", Value: awsstream.Bytes(make([]byte, awsstream.MaxValue))}},
		},
		{
			"text, not inside a rune",
			[]awsstream.Header{{Name: "x", Value: awsstream.String(strings.Repeat("é", awsstream.MaxValue/2+1))}},
			[]awsstream.Header{{Name: "x", Value: awsstream.String(strings.Repeat("é", awsstream.MaxValue/2))}},
		},
		{
			"text that is none",
			[]awsstream.Header{{Name: "x", Value: awsstream.String(strings.Repeat("\x80", awsstream.MaxValue+1))}},
			[]awsstream.Header{{Name: "x", Value: awsstream.String(strings.Repeat("\x80", awsstream.MaxValue))}},
		},
		{"all headers", many, many[:3]},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := awsstream.Check(tt.headers, nil); !errors.Is(err, awsstream.ErrTooLarge) {
				t.Errorf("Check gives %v, want ErrTooLarge", err)
			}
			if err := awsstream.Check(tt.want, nil); err != nil {
				t.Errorf("what is left is still too large: %v", err)
			}
			got, err := read(awsstream.Append(nil, tt.headers, nil))
			if !errors.Is(err, io.EOF) || len(got) != 1 || !reflect.DeepEqual(got[0].Headers, tt.want) {
				t.Errorf("%d messages with other headers than wanted, %v", len(got), err)
			}
		})
	}
	if err := awsstream.Check([]awsstream.Header{{}}, nil); err == nil {
		t.Error("Check lets a header without a name pass")
	}
	if err := awsstream.Check(nil, make([]byte, awsstream.MaxPayload+1)); !errors.Is(err, awsstream.ErrTooLarge) {
		t.Errorf("Check of a huge payload gives %v, want ErrTooLarge", err)
	}
}

func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	one := awsstream.Append(nil, everyType, []byte("first"))
	two := awsstream.Append(one, everyType, []byte("second"))
	for n := range two {
		ms, err := read(two[:n])
		want, count := io.ErrUnexpectedEOF, 0
		if n == 0 || n == len(one) {
			want = io.EOF
		}
		if n >= len(one) {
			count = 1
		}
		if err != want || len(ms) != count { //nolint:errorlint // Next promises these very values
			t.Errorf("cut after %d bytes: %d messages, %v; want %d, %v", n, len(ms), err, count, want)
		}
	}
}

func TestAnyChangedBitIsFound(t *testing.T) {
	t.Parallel()
	whole := awsstream.Append(nil, everyType[:8], []byte("payload"))
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 0x10
		_, err := read(b)
		want := awsstream.ErrMessageChecksum
		if i < 12 {
			want = awsstream.ErrPreludeChecksum
		}
		if !errors.Is(err, want) {
			t.Errorf("byte %d changed: %v, want %v", i, err, want)
		}
	}
}

func TestFramesThatNobodyMayWrite(t *testing.T) {
	t.Parallel()
	lengths := func(total, headers uint32) []byte {
		f := binary.BigEndian.AppendUint32(nil, total)
		f = binary.BigEndian.AppendUint32(f, headers)
		return binary.BigEndian.AppendUint32(f, crc32.ChecksumIEEE(f))
	}
	tests := []struct {
		name  string
		frame []byte
		want  error
	}{
		{"total too small", lengths(15, 0), awsstream.ErrMalformed},
		{"more headers than frame", lengths(20, 5), awsstream.ErrMalformed},
		{"headers overflow", lengths(16, 1<<32-1), awsstream.ErrMalformed},
		{"too many headers", lengths(1<<20, awsstream.MaxHeaders+1), awsstream.ErrTooLarge},
		{"too much payload", lengths(1<<32-1, 0), awsstream.ErrTooLarge},
		{"much promised, little sent", lengths(awsstream.MaxPayload, 0), io.ErrUnexpectedEOF},
		{"no name", seal([]byte("\x00\x00"), nil), awsstream.ErrMalformed},
		{"name ends early", seal([]byte("\x05ab"), nil), awsstream.ErrMalformed},
		{"no type", seal([]byte("\x01a"), nil), awsstream.ErrMalformed},
		{"unknown type", seal([]byte("\x01a\x0a"), nil), awsstream.ErrMalformed},
		{"number ends early", seal([]byte("\x01a\x05\x00\x00"), nil), awsstream.ErrMalformed},
		{"no count", seal([]byte("\x01a\x07\x00"), nil), awsstream.ErrMalformed},
		{"text ends early", seal([]byte("\x01a\x07\x00\x03ab"), nil), awsstream.ErrMalformed},
		{"text too long", seal(append([]byte("\x01a\x07\x80\x00"), make([]byte, 1<<15)...), nil), awsstream.ErrTooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := awsstream.Reader{R: bytes.NewReader(tt.frame)}
			_, err := r.Next()
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if _, again := r.Next(); again != err { //nolint:errorlint // the same value is what is promised
				t.Errorf("asked again: %v, want the same error", again)
			}
		})
	}
}

func TestErrorsNameTheMessage(t *testing.T) {
	t.Parallel()
	stream := awsstream.Append(nil, nil, []byte("good"))
	stream = append(stream, seal([]byte("\x02ab\x0a"), nil)...)
	_, err := read(stream)
	const want = `awsstream: message 1: header "ab": malformed: no header has type 10`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestReaderLimit(t *testing.T) {
	t.Parallel()
	frame := awsstream.Append(nil, everyType, make([]byte, 100))
	for limit, want := range map[int]error{99: awsstream.ErrTooLarge, 100: nil} {
		r := awsstream.Reader{R: bytes.NewReader(frame), MaxPayload: limit}
		if _, err := r.Next(); !errors.Is(err, want) {
			t.Errorf("a limit of %d gives %v, want %v", limit, err, want)
		}
	}
}

func TestReaderTakesWhatComes(t *testing.T) {
	t.Parallel()
	big := bytes.Repeat([]byte("x"), 100_000)
	frame := awsstream.Append(nil, everyType, big)
	src := io.MultiReader(iotest.OneByteReader(bytes.NewReader(frame)), strings.NewReader("left"))
	r := awsstream.Reader{R: src}
	m, err := r.Next()
	if err != nil || !bytes.Equal(m.Payload, big) {
		t.Fatalf("%d bytes of payload, %v; want %d", len(m.Payload), err, len(big))
	}
	if rest, _ := io.ReadAll(src); string(rest) != "left" {
		t.Errorf("the reader left %q, want %q", rest, "left")
	}
	broken := errors.New("line is down")
	r = awsstream.Reader{R: io.MultiReader(bytes.NewReader(frame[:50]), iotest.ErrReader(broken))}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Errorf("a broken source gives %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add(awsstream.Append(nil, nil, nil))
	f.Add(awsstream.Append(awsstream.Append(nil, everyType, []byte(`{"role":"assistant"}`)), everyType[7:8], []byte("{}")))
	f.Add(seal([]byte("\x01a\x07\x00\x03ab"), nil))
	f.Add(seal([]byte("\x05ab"), []byte("x")))
	f.Fuzz(func(t *testing.T, b []byte) {
		ms, err := read(b)
		if err == nil {
			t.Fatal("a stream has no end")
		}
		var again []byte
		for _, m := range ms {
			if err := awsstream.Check(m.Headers, m.Payload); err != nil {
				t.Errorf("a message was read that may not be written: %v", err)
			}
			again = awsstream.Append(again, m.Headers, m.Payload)
		}
		if !bytes.HasPrefix(b, again) {
			t.Errorf("read and written again:\n%x\nwhich %x does not begin with", again, b)
		}
		// Fuzzing hardly ever gets a checksum right: try the same bytes as headers.
		_, _ = read(seal(b, nil)) // that it does not panic is enough
	})
}

func BenchmarkAppend(b *testing.B) {
	headers := []awsstream.Header{
		{Name: ":event-type", Value: awsstream.String("contentBlockDelta")},
		{Name: ":content-type", Value: awsstream.String("application/json")},
		{Name: ":message-type", Value: awsstream.String("event")},
	}
	payload := []byte(`{"contentBlockIndex":0,"delta":{"text":"parcel "},"p":"abcdefghijk"}`)
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		buf = awsstream.Append(buf[:0], headers, payload)
	}
}
