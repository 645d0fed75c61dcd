// Command bench measures mimus against bare servers on the same machine at the
// same time, and prints how far each of our goals for its speed is met.
//
//	cd bench && go run .                 everything, about a quarter of an hour
//	go run . -quick                      about two minutes, less certain
//	go run . -only unary,stream          some of it
//	go run . -wire bedrock               whole answers and streams on another wire
//	go run . -target ref                 measure the bench itself
//	go run . -target ./mimus             a binary that is there already
//	go run . load -url URL -c 64 -d 5s   the load generator alone
//
// Ratios come from runs that alternate between the two servers; the median of
// the rounds counts. Where a goal is absolute, a bare server does the same
// first, and if it fails, too, the machine was too busy for the row to count.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mimus-go/mimus/bench/load"
	"github.com/mimus-go/mimus/bench/ref"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the whole program; it returns the exit status: 0 if every goal that
// was measured is met, 1 if not, 2 for wrong usage.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, sigterm)
	defer stop()
	var err error
	switch {
	case len(args) > 0 && args[0] == "ref":
		err = runRef(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "load":
		err = runLoad(ctx, args[1:], stdout, stderr)
	case len(args) > 0 && args[0] == "standin":
		err = runStandIn(ctx, args[1:], stdout, stderr)
	default:
		return runBench(ctx, args, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	return 0
}

// runRef is the reference server, as bench starts it.
func runRef(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("bench ref", flag.ContinueOnError)
	fs.SetOutput(stderr)
	addr := fs.String("addr", "127.0.0.1:0", "`address` to listen on")
	file := fs.String("answer", "", "`file` with the body to answer with")
	var a ref.Answer
	fs.BoolVar(&a.SSE, "sse", false, "the body is an event stream")
	fs.StringVar(&a.Framing, "framing", "", "of an event stream: sse, ndjson or aws")
	fs.BoolVar(&a.Flush, "flush", false, "flush after each event")
	fs.DurationVar(&a.Gap, "gap", 0, "send an event every so often")
	if err := fs.Parse(args); err != nil {
		return err
	}
	var err error
	if a.Body, err = os.ReadFile(*file); err != nil {
		return err
	}
	return ref.Serve(ctx, *addr, "ref", ref.Handler(a), stdout)
}

// runStandIn is a server with the command line of mimus that answers the
// bench's requests. It looks at no stub file.
func runStandIn(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var b bench
	own := flag.NewFlagSet("bench standin", flag.ContinueOnError)
	own.SetOutput(stderr)
	own.BoolVar(&b.quick, "quick", false, "answer with the shorter streams")
	if err := own.Parse(args); err != nil {
		return err
	}
	if own.Arg(0) != "serve" {
		return fmt.Errorf("want \"standin serve\", got %q", args)
	}
	serve := flag.NewFlagSet("bench standin serve", flag.ContinueOnError)
	serve.SetOutput(stderr)
	addr := serve.String("addr", "127.0.0.1:0", "`address` to listen on")
	if err := serve.Parse(own.Args()[1:]); err != nil {
		return err
	}
	return ref.Serve(ctx, *addr, "mimus", ref.StandIn(b.standInAnswers()), stdout)
}

func runBench(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	b := &bench{progress: stderr}
	fs.BoolVar(&b.quick, "quick", false, "shorter runs, fewer rounds")
	only := fs.String("only", "", "measure only these, of "+caseNames())
	fs.StringVar(&b.wire, "wire", "openai", "the `wire` of unary and stream, of "+strings.Join(load.Wires(), ", ")+"; the other cases are OpenAI's only")
	target := fs.String("target", "", "the `binary` to measure; \"ref\" is a stand-in; empty builds ../cmd/mimus")
	fs.Int64Var(&b.requests, "requests", 0, "how many requests the growth case sends (default 1000000, with -quick 100000)")
	fs.DurationVar(&b.length, "d", 0, "length of one run (default 3s, with -quick 1s)")
	fs.IntVar(&b.rounds, "rounds", 0, "rounds of a comparison (default 7, with -quick 3)")
	limit := fs.Duration("limit", time.Hour, "give up after this time")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if b.wire != "openai" && *only == "" {
		*only = "unary,stream"
	}
	selected, err := selectCases(*only)
	if err == nil {
		err = b.checkWire(selected, *target)
	}
	if err != nil || fs.NArg() > 0 {
		fmt.Fprintln(stderr, "bench: wrong arguments:", err, fs.Args())
		return 2
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	if b.dir, err = os.MkdirTemp("", "mimus-bench-"); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	defer os.RemoveAll(b.dir)
	if err := b.prepare(ctx, *target); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	rows := b.measure(ctx, selected)
	printTable(stdout, rows)
	if slices.ContainsFunc(rows, Row.Missed) || ctx.Err() != nil {
		return 1
	}
	return 0
}

// checkWire refuses what cannot be measured on a wire.
func (b *bench) checkWire(selected []benchCase, target string) error {
	if _, err := (load.Chat{}).Query(b.wire); err != nil || b.wire == "openai" {
		return err
	}
	if target == "ref" {
		return errors.New("the stand-in speaks OpenAI's wire only")
	}
	for _, c := range selected {
		if c.name != "unary" && c.name != "stream" {
			return fmt.Errorf("%s is measured on OpenAI's wire only", c.name)
		}
	}
	return nil
}

// prepare finds or builds the binary to measure, and writes the stub files.
func (b *bench) prepare(ctx context.Context, target string) (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	b.defaults()
	switch target {
	case "ref":
		b.target = []string{b.self, "standin", fmt.Sprintf("-quick=%v", b.quick)}
	case "":
		bin := filepath.Join(b.dir, "mimus")
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "./cmd/mimus")
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build mimus (run this in bench/, or name a -target): %w\n%s", err, out)
		}
		b.target = []string{bin}
	default:
		b.target = []string{target}
	}
	return b.writeStubs()
}

// selectCases returns the cases with these names, separated by commas.
func selectCases(only string) ([]benchCase, error) {
	if only == "" {
		return cases, nil
	}
	var out []benchCase
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(cases, func(c benchCase) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no case %q; there are %s", name, caseNames())
		}
		out = append(out, cases[i])
	}
	return out, nil
}

func caseNames() string {
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}
