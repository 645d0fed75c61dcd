package aws_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/aws"
	"github.com/mimus-go/mimus/internal/awsstream"
	"github.com/mimus-go/mimus/wire"
)

func call() *wire.Call {
	return &wire.Call{Probe: &wire.Probe{Header: http.Header{}}, Seed: 7}
}

func TestEventsFramesInTheRecordedOrder(t *testing.T) {
	t.Parallel()
	f := aws.Events{}
	body := f.Open(nil)
	body = f.Append(body, wire.Frame{Name: "messageStart", Data: []byte(`{"role":"assistant"}`)}, 0)
	body = f.Append(body, wire.Frame{Name: "throttlingException", Data: []byte(`{"message":"slow"}`), Except: true}, 1)
	body = f.Idle(f.Close(body))
	r := awsstream.Reader{R: bytes.NewReader(body)}
	for _, want := range []string{
		`:event-type=messageStart :content-type=application/json :message-type=event {"role":"assistant"}`,
		`:exception-type=throttlingException :content-type=application/json :message-type=exception {"message":"slow"}`,
	} {
		m, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, h := range m.Headers {
			got.WriteString(h.Name + "=" + h.Value.String() + " ")
		}
		got.Write(m.Payload)
		if got := got.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last frame: %v", err)
	}
}

func TestChunkHoldsAnEvent(t *testing.T) {
	t.Parallel()
	for _, pad := range []string{"", "abc"} {
		b := aws.AppendChunk([]byte("x"), []byte(`{"type":"ping"}`), pad)
		want := `x{"bytes":"eyJ0eXBlIjoicGluZyJ9"}`
		if pad != "" {
			want = `x{"bytes":"eyJ0eXBlIjoicGluZyJ9","p":"abc"}`
		}
		if string(b) != want {
			t.Errorf("got %s, want %s", b, want)
		}
		v, err := aws.ReadChunk(b[1:])
		if err != nil || v.Get("type").Str() != "ping" {
			t.Errorf("read %s, %v", v.Raw(), err)
		}
	}
	for payload, want := range map[string]string{`{`: "no JSON", `{"bytes":"%"}`: "no base64", `{"bytes":"eA=="}`: "no JSON"} {
		if _, err := aws.ReadChunk([]byte(payload)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", payload, err, want)
		}
	}
	if v, err := aws.ReadChunk([]byte(`{"p":"abc"}`)); err != nil || v.Exists() {
		t.Errorf("a chunk of nothing: %s, %v", v.Raw(), err)
	}
}

func TestRequestIDIsAUUID(t *testing.T) {
	t.Parallel()
	id := aws.RequestID(call())
	if len(id) != 36 || id[8] != '-' || id[13] != '-' || id[18] != '-' || id[23] != '-' || id != aws.RequestID(call()) {
		t.Errorf("id %s", id)
	}
}

// TestStubsMayNameAnException lets the code of a failure be any exception, in either spelling.
func TestStubsMayNameAnException(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		code, name, inside string
		status             int
	}{
		{"ModelNotReadyException", "ModelNotReadyException", "modelNotReadyException", 429},
		{"modelErrorException", "ModelErrorException", "modelErrorException", 424},
		{"ExpiredTokenException", "ExpiredTokenException", "expiredTokenException", 403},
		{"HouseException", "HouseException", "houseException", 500},
		{"Parcel_unknown", "Parcel_unknown", "Parcel_unknown", 500},
		{"", "InternalServerException", "internalServerException", 500},
	} {
		f := &wire.Failure{Kind: wire.ServerError, Code: row.code}
		r := aws.Refuse(call(), f, aws.Form{})
		name, _, _ := strings.Cut(r.Header.Get("X-Amzn-Errortype"), ":")
		if r.Status != row.status || name != row.name {
			t.Errorf("%s: %d %s", row.code, r.Status, name)
		}
		if x := aws.Exception(call(), f, true); x.Name != row.inside || !x.Except {
			t.Errorf("%s: frame %s", row.code, x.Name)
		}
	}
	if r := aws.Refuse(call(), &wire.Failure{Status: 418}, aws.Form{}); r.Status != 418 {
		t.Errorf("status %d", r.Status)
	}
}

func TestUnmodeledErrorInAStream(t *testing.T) {
	t.Parallel()
	f := aws.ReadException(awsstream.Message{Headers: []awsstream.Header{
		{Name: ":message-type", Value: awsstream.String("error")},
		{Name: ":error-code", Value: awsstream.String("throttlingException")},
		{Name: ":error-message", Value: awsstream.String("slow down")},
	}})
	if f == nil || f.Kind != wire.RateLimit || f.Message != "slow down" {
		t.Errorf("%+v", f)
	}
	f = aws.ReadException(awsstream.Message{Headers: []awsstream.Header{
		{Name: ":message-type", Value: awsstream.String("exception")},
		{Name: ":exception-type", Value: awsstream.String("modelStreamErrorException")},
	}, Payload: []byte(`{"message":"m","originalStatusCode":429}`)})
	if f == nil || f.Kind != wire.RateLimit || f.Code != "ModelStreamErrorException" {
		t.Errorf("%+v", f)
	}
	if f := aws.ReadException(awsstream.Message{Headers: []awsstream.Header{{Name: ":message-type", Value: awsstream.String("event")}}}); f != nil {
		t.Errorf("an event is read as %+v", f)
	}
}
