package cli

import (
	"context"
	_ "embed" // the example
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire/all"
)

// parcels is the example, the same as examples/parcels/parcels.yaml.
//
//go:embed parcels.yaml
var parcels []byte

type demoCommand struct{}

// Help is shown by --help.
func (demoCommand) Help() string {
	return `A tool loop from one stub file: on each wire a question, answered whole by a tool call, then the tool's result, answered by a stream. Every answer is read back and compared with the stub, and the server's journal is asked what it saw. The exit code is 1 where anything is off.`
}

// Run shows the demo.
func (demoCommand) Run(s *streams) error {
	set, err := stubfile.Parse("parcels.yaml", parcels, stubfile.Options{Wires: server.WireNames(all.Providers())})
	if err != nil {
		return err
	}
	sv, err := server.New(server.Config{Addr: "127.0.0.1:0", Stubs: set.Stubs, Log: newLog(s.err), Version: readVersion().short()})
	if err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	l, err := sv.Listen(ctx)
	if err != nil {
		return err
	}
	serving, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- sv.Serve(serving, l) }()
	d := newDemo(s, sv, l)
	d.run(ctx)
	end()
	if err := <-ended; err != nil {
		return err
	}
	return d.verdict()
}

// demo is one run.
type demo struct {
	screen
	url   string
	wires int
	asked []asked  // what was asked, in order
	off   []string // what is not as it should be
}

// asked is one request of the demo, and the stub that was to answer it.
type asked struct{ path, stub string }

func newDemo(s *streams, sv *server.Server, l net.Listener) *demo {
	return &demo{screen: screen{w: s.out, colours: s.colours()}, url: sv.URL(l)}
}

const (
	stubCalls   = "The assistant looks the parcel up"
	stubAnswers = "…and answers once it has the result"
)

func (d *demo) run(ctx context.Context) {
	d.line("", "One stub file, served at "+d.url+":")
	d.block(string(parcels))
	for _, w := range demoWires() {
		d.wires++
		d.line("", "")
		d.line(bold, w.endpoint)
		if err := d.loop(ctx, w); err != nil {
			d.wrong("%s: %v", w.endpoint, err)
		}
	}
	d.line("", "")
	if err := d.journal(ctx); err != nil {
		d.wrong("journal: %v", err)
	}
}

func (d *demo) wrong(format string, args ...any) { d.off = append(d.off, fmt.Sprintf(format, args...)) }

// loop is the tool loop on one wire: the question whole, the tool's result as a stream.
func (d *demo) loop(ctx context.Context, w demoWire) error {
	d.asked = append(d.asked, asked{w.path, stubCalls})
	first, err := d.ask(ctx, w, w.question, false, `asks "`+question+`" and offers track_parcel`)
	if err != nil {
		return err
	}
	call, err := first.call()
	if err != nil {
		return err
	}
	d.line(green, "    it calls "+call.Name+" "+call.Arguments)
	d.asked = append(d.asked, asked{w.path, stubAnswers})
	second, err := d.ask(ctx, w, w.result(first.id, call.ID), true, "sends what track_parcel found, wants a stream")
	if err != nil {
		return err
	}
	text := second.text()
	d.line(green, "    it says "+text)
	if text != answerText {
		return fmt.Errorf("the stream says %q, the stub %q", text, answerText)
	}
	return nil
}

func (d *demo) verdict() error {
	if len(d.off) == 0 {
		d.line(green, fmt.Sprintf("All is well: %d requests on %d wires, every answer read back as the stub says, all in the journal.", len(d.asked), d.wires))
		return nil
	}
	for _, why := range d.off {
		d.line(red, "Off: "+why)
	}
	return errors.Join(errFound)
}
