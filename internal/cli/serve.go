package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/mimus-go/mimus/server"
)

type serveCommand struct {
	Paths   []string `arg:"" optional:"" name:"path" help:"Stub files (YAML or JSON), folders of them, or WireMock folders. Without any, every chat is answered by saying what was heard."`
	Addr    string   `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen; port 0 picks a free one."`
	Watch   bool     `help:"Read the stub files again when they change. A wrong edit keeps the last good ones."`
	Seed    uint64   `default:"1" placeholder:"N" help:"What ids and all else that is left to chance are made of."`
	TLS     bool     `name:"tls" help:"Serve https, with a certificate that is made at the start."`
	TLSCert string   `name:"tls-cert" placeholder:"FILE" help:"Write that certificate there, for clients to trust."`
	As      string   `placeholder:"NAME" help:"Who speaks where a request does not say: azure, deepseek, or another dialect."`
	Time    moment   `placeholder:"TIME" help:"The time of every answer, such as 2026-11-30T12:00:00Z, instead of now."`
	MaxBody size     `default:"64MiB" placeholder:"SIZE" help:"The largest request body; a larger one gets the provider's refusal."`
}

// Help is shown by --help.
func (serveCommand) Help() string {
	return `Prints "mimus: listening on http://HOST:PORT" on standard output once it accepts. HTTP/1.1 and HTTP/2 without TLS (h2c) share the port. Any prefix before a provider's own path is fine, so the base URL of a client is that address, with /v1 or whatever the client expects after it. GET /__admin/requests shows what was asked.

SIGTERM and SIGINT end it: streams may go on for five seconds, and the exit code is 0.`
}

// gcPercent lets the heap grow to four times what is kept before it is collected. The journal bounds what is kept, and
// collecting it as often as Go does by itself would cost a sixth of a small request.
const gcPercent = 300

// Run serves until a signal comes.
func (c *serveCommand) Run(s *streams) error {
	if c.TLSCert != "" && !c.TLS {
		return &usageError{errors.New("--tls-cert: there is no certificate without --tls")}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sv, err := server.New(server.Config{
		Addr: c.Addr, Paths: c.Paths, Watch: c.Watch, Seed: c.Seed, TLS: c.TLS, As: c.As, Time: c.Time.Time, MaxBody: int64(c.MaxBody),
		Log: newLog(s.err), Version: readVersion().short(),
	})
	if err != nil {
		return err
	}
	if c.TLSCert != "" {
		if err := os.WriteFile(c.TLSCert, sv.CertificatePEM(), 0o644); err != nil { //nolint:gosec // a certificate is public
			return fmt.Errorf("--tls-cert: %w", err)
		}
	}
	l, err := sv.Listen(ctx)
	if err != nil {
		return err
	}
	if _, own := s.lookup("GOGC"); !own {
		debug.SetGCPercent(gcPercent)
	}
	fmt.Fprintf(s.out, "mimus: listening on %s\n", sv.URL(l))
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	return sv.Serve(ctx, l)
}

// moment is a time on the command line.
type moment struct{ time.Time }

// UnmarshalText reads a date, or a date and a time.
func (m *moment) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			m.Time = t.UTC()
			return nil
		}
	}
	return fmt.Errorf("want a time such as 2026-11-30T12:00:00Z, got %q", text)
}

// size is a number of bytes on the command line.
type size int64

// UnmarshalText reads 1048576, 1024KiB, 1MiB or 1MB.
func (n *size) UnmarshalText(text []byte) error {
	units := []struct {
		suffix string
		bytes  int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}
	for _, u := range units {
		number, ok := strings.CutSuffix(strings.TrimSpace(string(text)), u.suffix)
		if !ok {
			continue
		}
		v, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
		if err != nil || v <= 0 || v > (1<<62)/u.bytes {
			break
		}
		*n = size(v * u.bytes)
		return nil
	}
	return fmt.Errorf("want a size such as 64MiB, got %q", text)
}
