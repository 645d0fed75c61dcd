package mimus_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/server"
)

// A snippet is a fenced block of a page, and the mark before it: "from FILE" says that the block stands in that file,
// "run" that it is a session that is run.
type snippet struct {
	page, mark, text string
	line             int
}

var marked = regexp.MustCompile("(?m)^<!-- (from [^ ]+|run) -->\n```[a-z]*\n((?s:.*?))^```$")

// snippetsOf finds the marked blocks of a page, and the number of all its blocks.
func snippetsOf(t *testing.T, page string) (snippets []snippet, blocks int) {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, m := range marked.FindAllStringSubmatchIndex(text, -1) {
		snippets = append(snippets, snippet{page, text[m[2]:m[3]], text[m[4]:m[5]], 1 + strings.Count(text[:m[4]], "\n")})
	}
	return snippets, strings.Count(text, "\n```") / 2
}

// TestSnippets holds README.md, docs/server.md and docs/go.md to files that are compiled or served, and runs their sessions.
func TestSnippets(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", filepath.Join("docs", "server.md"), filepath.Join("docs", "go.md")} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			snippets, blocks := snippetsOf(t, page)
			if len(snippets) != blocks || blocks == 0 {
				t.Errorf("%d of %d blocks say where they are from", len(snippets), blocks)
			}
			s := startDocs(t)
			for _, sn := range snippets {
				if n := strings.Count(sn.text, "\n"); n > 15 && strings.HasPrefix(page, "README") {
					t.Errorf("%s:%d: %d lines, at most 15", sn.page, sn.line, n)
				}
				if file, ok := strings.CutPrefix(sn.mark, "from "); ok {
					sn.expectIn(t, file)
				} else {
					s.session(t, sn)
				}
			}
		})
	}
}

// expectIn wants the snippet in a file, whatever it is indented by there.
func (sn snippet) expectIn(t *testing.T, file string) {
	t.Helper()
	source, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatalf("%s:%d: %v", sn.page, sn.line, err)
	}
	if !strings.Contains(outdented(string(source)), outdented(sn.text)) {
		t.Errorf("%s:%d: this does not stand in %s:\n%s", sn.page, sn.line, file, sn.text)
	}
}

func outdented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// docServer is what the sessions of a page talk to, in place of the server that they start.
type docServer struct{ url string }

func startDocs(t *testing.T) *docServer {
	t.Helper()
	s, err := server.New(server.Config{Addr: "127.0.0.1:0", Paths: []string{"examples/parcels"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l, err := s.Listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &docServer{s.URL(l)}
}

const docURL = "http://127.0.0.1:8080"

// session runs the commands of a block, lines that begin with "$ " and go on until quotes are closed, and compares what
// they print with the lines up to the next one. "…" stands for anything there.
func (s *docServer) session(t *testing.T, sn snippet) {
	t.Helper()
	for _, step := range strings.Split("\n"+sn.text, "\n$ ")[1:] {
		words, want := shellWords(step)
		got := ""
		switch {
		case len(words) > 1 && words[0] == "curl":
			got = s.curl(t, words[1:])
		case strings.Join(words, " ") == "go run ./cmd/mimus serve examples/parcels":
			got = "mimus: listening on " + docURL // the scripts of cmd/mimus run this one
		default:
			t.Errorf("%s:%d: no test knows how to run %q", sn.page, sn.line, words)
			continue
		}
		if !likened(want).MatchString(strings.TrimSpace(got)) {
			t.Errorf("%s:%d: %v prints\n%s\nand not\n%s", sn.page, sn.line, words, got, want)
		}
	}
}

// likened makes a pattern of what a page shows.
func likened(shown string) *regexp.Regexp {
	parts := strings.Split(strings.TrimSpace(shown), "…")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*?") + `\z`)
}

// shellWords splits a command at blanks outside single quotes. rest is what follows its line.
func shellWords(text string) (words []string, rest string) {
	word, quoted, begun := "", false, false
	for i, r := range text {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case !quoted && (r == ' ' || r == '\n'):
			if begun {
				words = append(words, word)
			}
			word, begun = "", false
			if r == '\n' {
				return words, text[i+1:]
			}
		default:
			word, begun = word+string(r), true
		}
	}
	return append(words, word), ""
}

// curl does what curl would, for the options that the pages use.
func (s *docServer) curl(t *testing.T, args []string) string {
	t.Helper()
	method, url, body, header := http.MethodGet, "", "", http.Header{}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-s":
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case "-d":
			i++
			method, body = http.MethodPost, args[i]
			header.Set("Content-Type", "application/x-www-form-urlencoded") // as curl has it
		default:
			path, ok := strings.CutPrefix(args[i], docURL)
			if !ok {
				return fmt.Sprintf("no test knows curl's %q", args[i])
			}
			url = s.url + path
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = header
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// TestServerPageListsEveryFlag holds the table of flags against the help, which a script of cmd/mimus holds against the
// command.
func TestServerPageListsEveryFlag(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("docs", "server.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("cmd", "mimus", "testdata", "script", "help.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, help, ok := strings.Cut(string(script), "-- serve.txt --\n")
	help, _, _ = strings.Cut(help, "\n-- ")
	flags := regexp.MustCompile(`(?m)^ {6}--([a-z-]+)`).FindAllStringSubmatch(help, -1)
	if !ok || len(flags) < 5 {
		t.Fatalf("the help of serve has %d flags", len(flags))
	}
	listed := regexp.MustCompile("(?m)^\\| `--([a-z-]+)`").FindAllStringSubmatch(string(page), -1)
	for i, f := range flags {
		if i >= len(listed) || listed[i][1] != f[1] {
			t.Fatalf("flag %d of the help is --%s, the page lists %v", i+1, f[1], listed)
		}
	}
	if len(listed) != len(flags) {
		t.Errorf("the page lists %d flags, the help %d", len(listed), len(flags))
	}
}

// TestExampleIsTheDemo keeps the copy of the example that the demo carries.
func TestExampleIsTheDemo(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(filepath.Join("examples", "parcels", "parcels.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("internal", "cli", "parcels.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("internal/cli/parcels.yaml is not examples/parcels/parcels.yaml")
	}
}
