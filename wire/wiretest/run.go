package wiretest

import (
	"flag"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

var update = flag.Bool("update", false, "rewrite the responses of golden files that name no source")

// Run plays every *.txtar below dir, and the round trip of every answer on every request in them.
func Run(t *testing.T, p wire.Provider, dir string) {
	t.Helper()
	files := goldens(t, dir)
	if len(files) == 0 {
		t.Fatalf("no *.txtar below %s", dir)
	}
	seen := map[string]bool{}
	tripped := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".txtar"), func(t *testing.T) {
			e, stream := golden(t, p, filepath.Join(dir, file), tripped)
			if e != nil && e.Codec != nil {
				seen[fmt.Sprintf("%s stream=%t", e.Name, stream)] = true
			}
		})
	}
	t.Run("every endpoint has a golden", func(t *testing.T) {
		for _, e := range p.Endpoints() {
			if e.Codec != nil && !seen[e.Name+" stream=false"] && !seen[e.Name+" stream=true"] {
				t.Errorf("%s has no golden", e.Name)
			}
			if e.Codec != nil && e.Kind == wire.Chat && !seen[e.Name+" stream=true"] {
				t.Errorf("%s has no golden of a stream", e.Name)
			}
		}
	})
}

func goldens(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".txtar") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// golden plays one file. Its request goes through the round trips unless an equal one has: tripped holds those.
func golden(t *testing.T, p wire.Provider, file string, tripped map[string]bool) (*wire.Endpoint, bool) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(string(text))
	c, resp := answer(t, p, a)
	got := formatResponse(resp)
	want, ok := a.get("response.http")
	switch {
	case *update && a.source() == "":
		a.set("response.http", got)
		if err := os.WriteFile(file, []byte(a.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	case !ok:
		t.Fatalf("no response.http section; run with -update. The answer:\n%s", got)
	default:
		masks, _ := a.get("masks")
		got, want = mask(t, masks, got, want)
		if got != want {
			t.Errorf("the answer differs (- want, + got):\n%s", diff(want, got))
		}
	}
	request, _ := a.get("request.http")
	if c.Endpoint.Codec != nil && resp.Status < 300 && !tripped[request] {
		tripped[request] = true
		roundTrips(t, p, a)
	}
	return c.Endpoint, c.Request.Stream
}

// answer gives the response to the request of an archive.
func answer(t *testing.T, p wire.Provider, a archive) (*wire.Call, wire.Response) {
	t.Helper()
	c, f := newCall(t, p, a)
	if g, ok := p.(wire.Gatekeeper); ok {
		if f := g.Gate(c); f != nil {
			if c.Endpoint.Codec == nil {
				return c, p.Refuse(c.Probe, f)
			}
			return c, c.Endpoint.Codec.Refuse(c, f)
		}
	}
	switch {
	case c.Endpoint.Serve != nil:
		return c, c.Endpoint.Serve(c)
	case f != nil:
		return c, c.Endpoint.Codec.Refuse(c, f)
	}
	for v := range c.Endpoint.Codec.Check(c) {
		return c, c.Endpoint.Codec.Refuse(c, v.Failure)
	}
	ans := stub.Answer{}
	if text, ok := a.get("stub.json"); ok {
		v, err := jsonx.Parse(text)
		if err != nil {
			t.Fatalf("stub.json: %v", err)
		}
		var problems stub.Problems
		if ans, problems = stub.DecodeAnswer(v); len(problems) > 0 {
			t.Fatalf("stub.json: %v", problems)
		}
	}
	c.Quirks = ans.Quirks
	reply := ans.Reply(c.Request)
	if c.Request.Kind == wire.Models && reply.Models == nil {
		reply.Models = c.Env.Models()
	}
	resp, _, lost := wire.Render(c, c.Endpoint.Codec, reply, wire.Split{}, ans.Cut())
	for _, err := range lost {
		t.Log(err)
	}
	return c, resp
}

func newCall(t *testing.T, p wire.Provider, a archive) (*wire.Call, *wire.Failure) {
	t.Helper()
	text, ok := a.get("request.http")
	if !ok {
		t.Fatal("no request.http section")
	}
	probe, err := parseRequest(text)
	if err != nil {
		t.Fatal(err)
	}
	c, f, err := Call(p, probe)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

func mask(t *testing.T, masks, got, want string) (string, string) {
	t.Helper()
	for line := range strings.Lines(masks) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		if line == "header *" {
			got = sameHeader(got, want)
			continue
		}
		replace := "·"
		expr := line
		if name, ok := strings.CutPrefix(line, "header "); ok {
			expr, replace = `(?mi)^`+regexp.QuoteMeta(name)+`: .*\n`, ""
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			t.Fatalf("masks: %v", err)
		}
		if !re.MatchString(want) || replace != "" && !re.MatchString(got) {
			t.Errorf("masks: %q is found in want: %t, in got: %t", line, re.MatchString(want), re.MatchString(got))
		}
		got, want = re.ReplaceAllString(got, replace), re.ReplaceAllString(want, replace)
	}
	return got, want
}

// sameHeader leaves out the header lines of got that want has no line of the same name for.
func sameHeader(got, want string) string {
	names := map[string]bool{}
	for line := range headerLines(want) {
		names[headerName(line)] = true
	}
	for line := range headerLines(got) {
		if !names[headerName(line)] {
			got = strings.Replace(got, line, "", 1)
		}
	}
	return got
}

func headerName(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.ToLower(name)
}

// headerLines are the lines between the status and the empty line.
func headerLines(response string) iter.Seq[string] {
	return func(yield func(string) bool) {
		first := true
		for line := range strings.Lines(response) {
			if line == "\n" {
				return
			}
			if !first && !yield(line) {
				return
			}
			first = false
		}
	}
}

// diff shows the first lines that differ, and what is around them.
func diff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	var b strings.Builder
	for j := max(0, i-3); j < i; j++ {
		fmt.Fprintf(&b, "  %s\n", w[j])
	}
	for j := i; j < min(len(w), i+6); j++ {
		fmt.Fprintf(&b, "- %s\n", w[j])
	}
	for j := i; j < min(len(g), i+6); j++ {
		fmt.Fprintf(&b, "+ %s\n", g[j])
	}
	return b.String()
}
