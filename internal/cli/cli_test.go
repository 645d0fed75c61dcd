package cli

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/internal/sample"
	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

func noEnv(string) (string, bool) { return "", false }

// runDemo runs the demo against a server with other stubs than its own.
func runDemo(t *testing.T, yaml string) (printed string, err error) {
	t.Helper()
	set, err := stubfile.Parse("other.yaml", []byte(yaml), stubfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := server.New(server.Config{Addr: "127.0.0.1:0", Stubs: set.Stubs})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	l, err := sv.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- sv.Serve(ctx, l) }()
	var out bytes.Buffer
	d := newDemo(&streams{out: &out, lookup: noEnv}, sv, l)
	d.run(ctx)
	err = d.verdict()
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	return out.String(), err
}

// TestDemoNotices shows that the demo is no show: it fails where the server does not do what the stub says.
func TestDemoNotices(t *testing.T) {
	t.Parallel()
	own := string(parcels)
	cases := []struct{ name, yaml, off string }{
		{"all is well", own, ""},
		{"another text", strings.Replace(own, "arrives today", "arrives tomorrow", 1), `the stream says "Your parcel PX-AI-8102 is out for delivery in Leipzig and arrives tomorrow."`},
		{"another call", strings.Replace(own, "reference: PX", "reference: QX", 1), "openai.responses: the calls are"},
		{"no stub", strings.Replace(own, "about: PX-AI-8102}", "about: nobody}", 1), "anthropic.messages: status 404"},
		{"a stub of another name", strings.Replace(own, "The assistant looks", "Somebody looks", 1), "journal: request 1 was to be one for /v1/chat/completions"},
		{"a cut stream", strings.Replace(own, "      text:", "      cutOffAfter: 6\n      text:", 1), "openai.chat: read the answer: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			printed, err := runDemo(t, c.yaml)
			if (err == nil) != (c.off == "") || c.off != "" && !strings.Contains(printed, "Off: ") {
				t.Errorf("the verdict is %v\n%s", err, printed)
			}
			if !strings.Contains(printed, c.off) {
				t.Errorf("it does not say %q:\n%s", c.off, printed)
			}
			if strings.Contains(printed, "\x1b") {
				t.Error("there are colours without a terminal")
			}
		})
	}
}

// TestReadBack spoils answers after they were made, and answers that should be broken.
func TestReadBack(t *testing.T) {
	t.Parallel()
	three := 3
	text := stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "Hello there"}}}}}
	with := func(change func(a *stub.Answer)) stub.Answer {
		a := text
		change(&a)
		return a
	}
	cases := []struct {
		name   string
		answer stub.Answer
		spoil  func(p *pipeline.Preview)
		want   string // part of the complaint; "" where there is none
	}{
		{"as it is", text, nil, ""},
		{"another text", text, func(p *pipeline.Preview) {
			p.Response.Frames[2].Data = bytes.Replace(p.Response.Frames[2].Data, []byte("there"), []byte("theer"), 1)
		}, "want {"},
		{"cut though nobody asked", text, func(p *pipeline.Preview) { p.Response.Frames = p.Response.Frames[:2] }, "ended before"},
		{"cut as asked", with(func(a *stub.Answer) { a.CutOffAfter = &three }), nil, ""},
		{"cut where it has long ended", with(func(a *stub.Answer) { n := 99; a.CutOffAfter = &n }), nil, ""},
		{"malformed", with(func(a *stub.Answer) { a.Malformed = true }), nil, ""},
		{"an error", with(func(a *stub.Answer) { a.Error = &stub.Error{Kind: wire.Overloaded} }), nil, ""},
		{"another error", with(func(a *stub.Answer) { a.Error = &stub.Error{Kind: wire.Overloaded} }), func(p *pipeline.Preview) {
			p.Response.Status = 429
			p.Response.Body = bytes.ReplaceAll(p.Response.Body, []byte("server_error"), []byte("rate_limit"))
		}, "want a failure of kind overloaded, got"},
		{"raw", stub.Answer{Raw: &stub.Raw{Chunks: []string{"whatever"}}}, nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := pipeline.New(pipeline.Config{Providers: all.Providers(), Space: engine.NewSpace("", 1), Journal: journal.New(1, 0)})
			p, err := h.Preview(sample.Of("openai.chat", true), &stub.Stub{}, &c.answer)
			if err != nil {
				t.Fatal(err)
			}
			if c.spoil != nil {
				c.spoil(p)
			}
			got := readBack(p, &c.answer)
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestReadBackOfAFaultThatIsMissing asks for a fault that the answer doesn't have.
func TestReadBackOfAFaultThatIsMissing(t *testing.T) {
	t.Parallel()
	h := pipeline.New(pipeline.Config{Providers: all.Providers(), Space: engine.NewSpace("", 1), Journal: journal.New(1, 0)})
	whole := stub.Answer{Choices: []wire.Answer{{Parts: []wire.Part{wire.Text{Text: "Hello"}}}}}
	p, err := h.Preview(sample.Of("anthropic.messages", false), &stub.Stub{}, &whole)
	if err != nil {
		t.Fatal(err)
	}
	for want, asked := range map[string]stub.Answer{
		"want a malformed answer":                     {Fault: stub.Fault{Malformed: true}},
		"want a failure of kind quota, got an answer": {Error: &stub.Error{Kind: wire.Quota}},
	} {
		if got := readBack(p, &asked); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]size{
		"1": 1, "1024": 1024, "2KiB": 2048, "64MiB": 64 << 20, "1 GiB": 1 << 30, "3KB": 3000, "5MB": 5e6, "1GB": 1e9, "7B": 7,
	} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "MiB", "1.5MiB", "9999999999999GiB", "64mib", "1 TB"} {
		var got size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken for %d", text, got)
		}
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"2026-11-30T12:00:00Z", "2026-11-30T13:00:00+01:00", "2026-11-30T12:00:00", "2026-11-30 12:00:00"} {
		var got moment
		if err := got.UnmarshalText([]byte(text)); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	var day moment
	if err := day.UnmarshalText([]byte("2026-11-30")); err != nil || !day.Equal(want.Add(-12*time.Hour)) {
		t.Errorf("a date alone: %v, %v", day, err)
	}
	if err := day.UnmarshalText([]byte("noon")); err == nil {
		t.Error("noon is taken for a time")
	}
}

func TestLog(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	logger := newLog(&b)
	logger.Info("mimus: listening", "stubs", 3)
	logger.With("file", "a b.yaml").Warn("odd")
	logger.Error("the key sk-proj-abcdefghijklmnop1234 is wrong", slog.String("why", `it "is"`))
	logger.Debug("not said")
	const want = "mimus: listening stubs=3\n" +
		"mimus: warning: odd file=\"a b.yaml\"\n" +
		"mimus: error: the key REDACTED is wrong why=\"it 'is'\"\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
