package cli

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/mimus-go/mimus/internal/redact"
)

// plainLog writes records as lines that people read: "mimus: warning: message key=value". Keys are hidden in them.
type plainLog struct {
	// mu guards w.
	mu *sync.Mutex
	w  io.Writer

	attrs string
}

func newLog(w io.Writer) *slog.Logger { return slog.New(plainLog{mu: &sync.Mutex{}, w: w}) }

// Enabled leaves debugging out.
func (l plainLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle writes one record.
func (l plainLog) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString("mimus: ")
	switch {
	case r.Level >= slog.LevelError:
		b.WriteString("error: ")
	case r.Level >= slog.LevelWarn:
		b.WriteString("warning: ")
	}
	b.WriteString(strings.TrimPrefix(r.Message, "mimus: "))
	b.WriteString(l.attrs)
	r.Attrs(func(a slog.Attr) bool {
		writeAttr(&b, a)
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := io.WriteString(l.w, redact.Text(strings.TrimRight(b.String(), "\n"))+"\n")
	return err
}

func writeAttr(b *strings.Builder, a slog.Attr) {
	b.WriteString(" " + a.Key + "=")
	value := a.Value.String()
	if strings.ContainsAny(value, " \n\"") {
		value = `"` + strings.ReplaceAll(value, `"`, `'`) + `"`
	}
	b.WriteString(value)
}

// WithAttrs keeps attributes for every record.
func (l plainLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	b.WriteString(l.attrs)
	for _, a := range attrs {
		writeAttr(&b, a)
	}
	l.attrs = b.String()
	return l
}

// WithGroup is without groups: there are none in these lines.
func (l plainLog) WithGroup(string) slog.Handler { return l }
