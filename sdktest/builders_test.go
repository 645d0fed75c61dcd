package sdktest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
)

// built is what a builder of the Go library, or a method that changes a reply, must come out as.
type built struct {
	// proves names the builders and methods as Go does, with spaces between: "Text", "Reply.CutAfter".
	proves string
	name   string // where one builder has several rows
	reply  mimus.Replier
	// replies are given one after the other; of makes the reply of an endpoint, where it speaks the endpoint's own words.
	replies []mimus.Replier
	of      func(endpoint string) mimus.Replier
	// script says that the replies are those of a Script.
	script bool
	ask    ask
	want   want
	// words is how many events of a stream come, so that its text is the words among them.
	words int
	// where are the runs that there are; all where it is nil. Those of except cannot show it, and those of but do it so.
	where  selectors
	except []exception
	but    []otherwise
}

// otherwise is what comes out otherwise in some runs, and why.
type otherwise struct {
	where selectors
	why   string
	set   func(w *want)
}

// opening is how many events a stream of an endpoint sends before its first word.
var opening = map[string]int{
	"openai.chat":         1, // the role
	"azure.chat":          2, // what Azure thinks of the prompt, and the role
	"openai.responses":    4, // the response, that it goes on, the message and its part
	"azure.responses":     4,
	"anthropic.messages":  3, // the message, the block and a ping
	"vertex.messages":     3, // the message, a ping and the block
	"bedrock.messages":    2, // the message and the block
	"bedrock.converse":    1, // the message
	"gemini.generate":     0,
	"aiplatform.generate": 0,
	"ollama.native":       0,
}

// wants is what a run must see.
func (b *built) wants(r run) *want {
	w := b.want
	if w.Error != nil {
		e := *w.Error
		w.Error = &e
	}
	if b.words > 0 && r.mode == stream {
		w.Text = strings.Join(strings.SplitAfter(long, " ")[:b.words-opening[r.endpoint]], "")
	}
	for _, d := range b.but {
		if r.isAny(d.where) {
			d.set(&w)
		}
	}
	return &w
}

// takes says whether there is a run, and if it is excepted, why.
func (b *built) takes(r run) (ok bool, why string) {
	return (&scenario{Where: b.where, Except: b.except}).takes(r)
}

// given are the replies on an endpoint.
func (b *built) given(endpoint string) []mimus.Replier {
	switch {
	case b.of != nil:
		return []mimus.Replier{b.of(endpoint)}
	case b.replies != nil:
		return b.replies
	}
	return []mimus.Replier{b.reply}
}

// title is the name of the row's tests.
func (b *built) title() string {
	return strings.TrimSpace(strings.ReplaceAll(b.proves, " ", ",") + " " + b.name)
}

// counted notes when requests leave the SDK.
type counted struct {
	base  http.RoundTripper
	mu    sync.Mutex
	times []time.Time
}

// RoundTrip implements [http.RoundTripper].
func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.times = append(c.times, time.Now())
	c.mu.Unlock()
	return c.base.RoundTrip(r)
}

// TestBuilders gives every reply that the Go library can build to the official SDK of every endpoint, whole and streamed.
func TestBuilders(t *testing.T) {
	t.Parallel()
	b := load(t)
	said := &report{}
	t.Cleanup(func() { said.print(t) })
	for _, row := range builders() {
		for _, on := range row.reasons() {
			if err := b.checkReason(on.Where, on.Why); err != nil {
				t.Fatalf("%s: %v", row.title(), err)
			}
		}
		for _, endpoint := range slices.Sorted(maps.Keys(drivers)) {
			for _, mode := range []string{whole, stream} {
				r := run{endpoint: endpoint, mode: mode}
				ok, why := row.takes(r)
				if why != "" {
					said.add(endpoint+", the SDK cannot show it", why, row.title())
				}
				if !ok {
					continue
				}
				t.Run(row.title()+"/"+endpoint+"/"+mode, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { build(t, b, row, r) })
				})
			}
		}
	}
}

// reasons are all the exceptions of a row.
func (b *built) reasons() []exception {
	all := slices.Clone(b.except)
	for _, d := range b.but {
		all = append(all, exception{Where: d.where, Why: d.why})
	}
	return all
}

// build is one run.
func build(t *testing.T, b *book, row *built, r run) {
	t.Helper()
	m := mimus.New(t)
	if row.script {
		m.Script(row.replies...)
	} else {
		m.On().Reply(row.given(r.endpoint)...)
	}
	transport := &counted{base: m.Transport()}
	e := b.Endpoints[r.endpoint]
	d := drivers[r.endpoint](b, e, &http.Client{Transport: transport})
	a, w := row.ask, row.wants(r)
	if a.User == "" && a.Op == "" {
		a.User = "Where is PX-AI-8102?"
	}
	start := time.Now()
	o := put(t, d, &a, r.mode)
	took := time.Since(start)
	synctest.Wait()
	seen := arrivals{times: transport.times}
	if w.HungUp != nil {
		seen.hungUp = *w.HungUp
		m.Asked().HungUp()
	}
	for _, wrong := range append(compareTraffic(e, w, seen, took), compare(e, w, o)...) {
		t.Error(wrong)
	}
}

// TestEveryBuilderIsProven holds the rows against the library's source: a builder without one is named.
func TestEveryBuilderIsProven(t *testing.T) {
	t.Parallel()
	source, err := exported("..")
	if err != nil {
		t.Fatal(err)
	}
	proven := map[string]bool{}
	for _, row := range builders() {
		for name := range strings.FieldsSeq(row.proves) {
			proven[name] = true
			if !source[name] {
				t.Errorf("the row %s proves %s, which the library has not", row.title(), name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(source)) {
		if !proven[name] {
			t.Errorf("no row proves %s", name)
		}
	}
}

// exported names what a folder's package makes and changes replies with: exported functions that give a reply of some
// kind, and the exported methods of those kinds.
func exported(folder string) (map[string]bool, error) {
	kinds := map[string]bool{"Reply": true, "Failure": true, "Replier": true, "Steps": true, "Lowered": true}
	names := map[string]bool{}
	files, err := fs.Glob(os.DirFS(folder), "*.go")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), folder+"/"+file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			switch of := receiver(f); {
			case of == "" && f.Type.Results != nil && kinds[typeName(f.Type.Results.List[0].Type)]:
				names[f.Name.Name] = true
			case kinds[of] && of != "Lowered":
				names[of+"."+f.Name.Name] = true
			}
		}
	}
	return names, nil
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return typeName(f.Recv.List[0].Type)
}

func typeName(e ast.Expr) string {
	if pointer, ok := e.(*ast.StarExpr); ok {
		e = pointer.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
