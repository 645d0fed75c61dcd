package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/internal/pipeline"
	"github.com/mimus-go/mimus/internal/sample"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
	"github.com/mimus-go/mimus/wire/all"
)

type renderCommand struct {
	File   string `arg:"" help:"A stub file, or a folder of them."`
	Wire   string `required:"" placeholder:"WIRE" help:"The endpoint: openai.chat, openai.responses, anthropic.messages and so on."`
	Stream bool   `help:"Render streams."`
	Check  bool   `help:"Read the bytes back, and compare with what the stub says."`
	Seed   uint64 `default:"1" placeholder:"N" help:"What ids and all else that is left to chance are made of."`
	Time   moment `default:"2026-01-01T00:00:00Z" placeholder:"TIME" help:"The time of the answers."`
}

// Help is shown by --help.
func (renderCommand) Help() string {
	return `Standard output is the bytes of the bodies and nothing else; a line on standard error says whose they are. The answers are those to a small request that the provider would accept. Faults of content are in the bytes; those of the connection are not.`
}

// Run renders each answer that the endpoint could give.
func (c *renderCommand) Run(s *streams) error {
	kind, err := c.kind()
	if err != nil {
		return &usageError{err}
	}
	set, err := loadStubs([]string{c.File})
	if err != nil {
		return err
	}
	h := pipeline.New(pipeline.Config{
		Providers: all.Providers(), Space: engine.NewSpace("", c.Seed), Journal: journal.New(1, 0),
		Now: func() time.Time { return c.Time.Time },
	})
	rendered, wrong := 0, false
	for _, st := range set.Stubs {
		if st.Kind != kind || !c.meant(st) {
			continue
		}
		for i := range st.Answers {
			rendered++
			p, err := h.Preview(sample.Of(c.Wire, c.Stream), st, &st.Answers[i])
			if err != nil {
				return err
			}
			c.print(s, st, i, p)
			if c.Check {
				if why := readBack(p, &st.Answers[i]); why != "" {
					fmt.Fprintf(s.err, "#   read back: %s\n", why)
					wrong = true
				}
			}
		}
	}
	switch {
	case wrong:
		return errFound
	case rendered == 0:
		return fmt.Errorf("%s: none of %s answers %s", c.File, count(len(set.Stubs), "stub"), c.Wire)
	}
	return nil
}

// kind is what kind of endpoint is asked for.
func (c *renderCommand) kind() (wire.Kind, error) {
	var names []string
	for _, p := range all.Providers() {
		for _, e := range p.Endpoints() {
			if e.Codec == nil || sample.Of(e.Name, false) == nil || slices.Contains(names, e.Name) {
				continue
			}
			names = append(names, e.Name)
			if e.Name != c.Wire {
				continue
			}
			if sample.Of(e.Name, c.Stream) == nil {
				return 0, fmt.Errorf("--stream: %s does not stream", c.Wire)
			}
			return e.Kind, nil
		}
	}
	if near := stub.Nearest(c.Wire, names); near != "" {
		return 0, fmt.Errorf("--wire: there is no endpoint %q, did you mean %q?", c.Wire, near)
	}
	return 0, fmt.Errorf("--wire: there is no endpoint %q; there are %s", c.Wire, strings.Join(names, ", "))
}

// meant says whether the stub's own words rule the endpoint out.
func (c *renderCommand) meant(st *stub.Stub) bool {
	provider, _, _ := strings.Cut(c.Wire, ".")
	r := &wire.Request{Endpoint: c.Wire, Provider: provider, Stream: c.Stream}
	for _, cond := range st.When {
		if (cond.Key == "wire" || cond.Key == "stream") && !cond.Match(r) {
			return false
		}
	}
	return true
}

func (c *renderCommand) print(s *streams, st *stub.Stub, i int, p *pipeline.Preview) {
	which := ""
	if n := len(st.Answers); n > 1 {
		which = fmt.Sprintf(", answer %d of %d", i+1, n)
	}
	events := ""
	if p.Response.Framing != nil {
		events = ", " + count(len(p.Response.Frames), "event")
	}
	fmt.Fprintf(s.err, "# %s: %s%s: %d %s%s\n", c.Wire, st.Title(), which, p.Response.Status, p.Response.Header.Get("Content-Type"), events)
	for _, lost := range p.Lost {
		fmt.Fprintf(s.err, "#   %s\n", lost)
	}
	body := p.Response.Bytes()
	_, _ = s.out.Write(body)
	if len(body) > 0 && body[len(body)-1] != '\n' && p.Response.Framing == nil && isTerminal(s.out) {
		fmt.Fprintln(s.out)
	}
}

// readBack reads the bytes as a client would, and says what is not as it should be.
func readBack(p *pipeline.Preview, a *stub.Answer) string {
	header := http.Header{}
	p.Response.Header.WriteTo(header)
	head := &wire.ResponseHead{Status: p.Response.Status, Header: header, Request: p.Request}
	got, err := wire.Fold(p.Codec.Read(head, bytes.NewReader(p.Response.Bytes())))
	var failure *wire.Failure
	errors.As(err, &failure)
	switch {
	case a.Raw != nil:
		return "" // what it is, only its author knows
	case a.Error != nil && failure == nil:
		return fmt.Sprintf("want a failure of kind %s, got an answer", a.Error.Kind)
	case a.Error != nil && failure.Kind != a.Error.Kind:
		return fmt.Sprintf("want a failure of kind %s, got %s", a.Error.Kind, failure.Kind)
	case a.Error != nil:
		return ""
	case a.CutOffAfter != nil && *a.CutOffAfter == len(p.Response.Frames) && p.Request.Stream:
		return "" // cut, or just as long as that
	case a.Malformed && err == nil:
		return "want a malformed answer, got a whole one"
	case a.Malformed:
		return ""
	case err != nil && a.Blocked != "" && failure != nil:
		return ""
	case err != nil:
		return err.Error()
	case !reflect.DeepEqual(got, p.Fitted):
		return fmt.Sprintf("want %+v, got %+v", p.Fitted, got)
	}
	return ""
}
