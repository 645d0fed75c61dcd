package captures

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	es, err := Dir("testdata/recordings", "acme")
	if err != nil {
		t.Fatal(err)
	}
	if len(es) != 3 {
		t.Fatalf("read %d recordings, want 3", len(es))
	}
	chat, stream, tool := es[0], es[1], es[2]

	type facts struct {
		wire, kind, model                           string
		method, url                                 string
		status                                      int
		streamed, payloadLines, keyOrder, whiteness bool
	}
	for i, want := range []facts{
		{"acme", "chat", "song-1", "POST", "/v1/chat?beta=true", 200, false, false, true, true},
		{"acme", "chat-stream", "song-1", "", "", 0, true, true, true, false},
		{"acme", "tool-stream", "unknown", "POST", "/model/song/stream", 200, true, false, false, false},
	} {
		e := es[i]
		got := facts{e.Wire, e.Kind, e.Model, e.Method, e.URL, e.Status, e.Streamed, e.PayloadLines, e.KeyOrder, e.Spacing}
		if got != want {
			t.Errorf("%s:\ngot  %v\nwant %v", e.Path, got, want)
		}
	}
	if got, want := string(chat.RequestBody), "{\"text\":\"a line like\n< 200\ninside\"}"; got != want {
		t.Errorf("the request body is %q, want %q", got, want)
	}
	if got, want := chat.RequestHeader, (Header{{"host", "api.acme.example"}, {"content-type", "application/json"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("the request header is %v, want %v", got, want)
	}
	if got := chat.ResponseHeader.Get("request-ID"); got != "r1" {
		t.Errorf("the request id is %q, want r1", got)
	}
	if got := chat.ResponseHeader.Get("absent"); got != "" {
		t.Errorf("a header that is not there is %q", got)
	}
	if got, want := string(chat.ResponseBody), `{"id":"m1","text":"Out for delivery.","stop":null}`; got != want {
		t.Errorf("the response body is %q, want %q", got, want)
	}
	if stream.RequestBody != nil || stream.RequestHeader != nil {
		t.Errorf("a request that was not recorded has %q and %v", stream.RequestBody, stream.RequestHeader)
	}
	if len(tool.ResponseBody) == 0 || tool.ResponseBody[0] != 0 {
		t.Errorf("the frames were not decoded: %q", tool.ResponseBody)
	}
	if got := chat.Meta["source"]; len(got) != 1 || got[0] != "made up for the tests" {
		t.Errorf("the source is %q", got)
	}
}

func TestDirOfAnUnknownWire(t *testing.T) {
	t.Parallel()
	if es, err := Dir("testdata/recordings", "acme", "absent"); err == nil || !strings.Contains(err.Error(), `"absent"`) {
		t.Errorf("got %d recordings, %v; want an error that names the wire", len(es), err)
	}
	if _, err := Dir(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a missing folder is no error")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const meta = "# wire: acme\n# kind: chat\n"
	const sizes = "# request-body-bytes: 2\n# response-body-bytes: 2\n"
	const request = "> POST /x\n>\n{}\n"
	tests := []struct{ name, file, want string }{
		{"other file", `{"id":1}`, "no recording"},
		{"no kind", "# wire: acme\n" + sizes + request + "< 200\n<\n{}", "kind is missing"},
		{"no request", meta + sizes, "request: no line"},
		{"no path", meta + sizes + "> POST\n>\n{}\n< 200\n<\n{}", "no method and path"},
		{"open header", meta + sizes + "> POST /x\n{}\n< 200\n<\n{}", "alone after the header"},
		{"odd header", meta + sizes + "> POST /x\n> host\n>\n{}\n< 200\n<\n{}", "no header line"},
		{"no size", meta + request + "< 200\n<\n{}", "is no size"},
		{"wrong request size", meta + "# request-body-bytes: 3\n# response-body-bytes: 2\n" + request + "< 200\n<\n{}", "no line feed after"},
		{"no response", meta + sizes + request, "response: no line"},
		{"odd status", meta + sizes + request + "< fine\n<\n{}", "is no status"},
		{"cut body", meta + sizes + request + "< 200\n<\n{", "1 bytes, where 2 are declared"},
		{"long body", meta + sizes + request + "< 200\n<\n{}\n", "3 bytes, where 2 are declared"},
		{"no response size", meta + "# request-body-bytes: 2\n" + request + "< 200\n<\n{}", "is no size"},
		{"no base64", meta + "# request-body-bytes: 2\n# response-body-bytes: 2 (base64 text; 1 bytes decoded)\n" + request + "< 200\n<\n{}", "base64"},
		{"decoded size", meta + "# request-body-bytes: 2\n# response-body-bytes: 4 (base64 text; 9 bytes decoded)\n" + request + "< 200\n<\nAAAA", "3 bytes decoded"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.http")
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Read(path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("got %v, want the path and %q", err, tt.want)
			}
		})
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent")
	tests := []struct {
		name, dir, ci string
		want          string
		skip          bool
	}{
		{name: "not set", skip: true},
		{name: "not set in CI", ci: "true", skip: true},
		{name: "there", dir: "testdata", want: "testdata"},
		{name: "missing", dir: absent, skip: true},
		{name: "missing in CI", dir: absent, ci: "true"},
		{name: "no folder", dir: "captures_test.go"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := root(func(k string) string { return map[string]string{Variable: tt.dir, "CI": tt.ci}[k] })
			if got != tt.want || errors.Is(err, ErrAbsent) != tt.skip || (err == nil) != (tt.want != "") {
				t.Errorf("got %q, %v; want %q, to be skipped: %v", got, err, tt.want, tt.skip)
			}
		})
	}
}

// TestRecordings runs over the real recordings where there are some.
func TestRecordings(t *testing.T) {
	t.Parallel()
	dir, err := Root()
	if errors.Is(err, ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	es, err := Dir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(es) == 0 {
		t.Fatalf("%s holds no recording", dir)
	}
	for _, e := range es {
		for _, d := range Diff(e.Body(), e.Body(), Options{Order: true, Headers: true}) {
			t.Errorf("%s differs from itself: %s", e.Path, d)
		}
		if s, err := Look(e.Body()); err == nil && s.Count == 0 {
			t.Errorf("%s holds nothing", e.Path)
		}
	}
	t.Logf("%d recordings", len(es))
}
