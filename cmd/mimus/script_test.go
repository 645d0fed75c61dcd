package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mimus": main})
}

// TestScripts runs testdata/script: a file for each command. Beside testscript's own commands there are
//
//	start [args]                 mimus serve --addr 127.0.0.1:0 with args; waits until it listens, sets $URL and $ADDR
//	ask METHOD PATH [FILE]       sends a request to it, with the headers that all providers want; prints status and body.
//	                             ($REPO is the repository)
//	until REGEXP METHOD PATH [FILE]   asks until the answer matches
//	warned REGEXP                waits until the server's standard error matches
//	[!] stop [SIGNAL]            ends it (TERM) and checks the exit code; prints what it wrote
//	exits CODE [args]            mimus with args; checks the exit code and prints what it wrote
func TestScripts(t *testing.T) {
	t.Parallel()
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Values[served{}] = &serving{}
			e.Vars = append(e.Vars, "REPO="+repo)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"start": start, "ask": ask, "until": until, "warned": warned, "stop": stop, "exits": exits,
		},
	})
}

// served is the key of a script's server.
type served struct{}

type serving struct {
	cmd    *exec.Cmd
	url    string
	client *http.Client
	stdout bytes.Buffer
	stderr file
}

// file is the server's standard error, which can be read while it runs.
type file struct{ path string }

func (f file) text(ts *testscript.TestScript) string { return ts.ReadFile(f.path) }

const patience = 20 * time.Second

func server(ts *testscript.TestScript) *serving { return ts.Value(served{}).(*serving) }

func start(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("start cannot be negated; use ! exec mimus serve")
	}
	s := server(ts)
	s.stderr.path = ts.MkAbs(".server-stderr")
	stderr, err := os.Create(s.stderr.path)
	ts.Check(err)
	s.cmd = exec.Command(lookPath(ts, "mimus"), append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...) //nolint:gosec,noctx // ended by stop
	s.cmd.Dir, s.cmd.Stderr = ts.MkAbs("."), stderr
	s.cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR"), "PATH=" + ts.Getenv("PATH")}
	out, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Check(stderr.Close())
	ts.Defer(func() {
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
	})
	timer := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	line, err := bufio.NewReader(io.TeeReader(out, &s.stdout)).ReadString('\n')
	timer.Stop()
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "mimus: listening on ")
	if err != nil || !ok {
		ts.Fatalf("mimus serve: %v, it printed %q, and on standard error:\n%s", err, line, s.stderr.text(ts))
	}
	s.url, s.client = url, &http.Client{Timeout: patience}
	ts.Setenv("URL", url)
	ts.Setenv("ADDR", url[strings.Index(url, "//")+2:])
	if cert, err := os.ReadFile(ts.MkAbs("cert.pem")); err == nil {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(cert)
		s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	}
}

func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, name); exists(path) {
			return path
		}
	}
	ts.Fatalf("%s is not in $PATH", name)
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// answered asks once: the status, the content type, and the body.
func answered(ts *testscript.TestScript, args []string) (string, error) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("want METHOD PATH [FILE]")
	}
	s := server(ts)
	var body io.Reader = http.NoBody
	if len(args) == 3 {
		body = strings.NewReader(ts.ReadFile(args[2]))
	}
	req, err := http.NewRequestWithContext(context.Background(), args[0], s.url+args[1], body)
	ts.Check(err)
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Authorization": "Bearer sk-test-0123456789abcdef0123", "X-Api-Key": "sk-ant-test-0123456789abcdef",
		"Anthropic-Version": "2023-06-01",
	} {
		if strings.HasPrefix(args[1], "/__admin") || strings.HasSuffix(args[1], "/models") && name == "Anthropic-Version" {
			continue
		}
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return fmt.Sprintf("%s %s %s\n%s\n", resp.Proto, resp.Status, resp.Header.Get("Content-Type"), text), err
}

func ask(ts *testscript.TestScript, neg bool, args []string) {
	text, err := answered(ts, args)
	_, _ = io.WriteString(ts.Stdout(), text)
	if (err != nil) != neg {
		ts.Fatalf("ask: error %v, want one: %t", err, neg)
	}
}

func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("until REGEXP METHOD PATH [FILE]")
	}
	re, last := regexp.MustCompile(args[0]), ""
	for range poll(ts, &last) {
		var err error
		if last, err = answered(ts, args[1:]); err == nil && re.MatchString(last) {
			return
		}
	}
}

func warned(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("warned REGEXP")
	}
	re, last := regexp.MustCompile(args[0]), ""
	for range poll(ts, &last) {
		if last = server(ts).stderr.text(ts); re.MatchString(last) {
			return
		}
	}
}

// poll ticks until its loop is left, and fails the script where that takes too long.
func poll(ts *testscript.TestScript, last *string) func(yield func() bool) {
	return func(yield func() bool) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		deadline := time.After(patience)
		for yield() {
			select {
			case <-tick.C:
			case <-deadline:
				ts.Fatalf("in vain; the last was:\n%s", *last)
			}
		}
	}
}

func stop(ts *testscript.TestScript, neg bool, args []string) {
	s := server(ts)
	signal := syscall.SIGTERM
	if len(args) == 1 && args[0] == "INT" {
		signal = syscall.SIGINT
	}
	ts.Check(s.cmd.Process.Signal(signal))
	timer := time.AfterFunc(patience, func() { _ = s.cmd.Process.Kill() })
	err := s.cmd.Wait()
	timer.Stop()
	_, _ = ts.Stdout().Write(s.stdout.Bytes())
	_, _ = io.WriteString(ts.Stderr(), s.stderr.text(ts))
	if (err != nil) != neg {
		ts.Fatalf("the server ended with %v, want an error: %t\n%s", err, neg, s.stderr.text(ts))
	}
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("exits CODE [args]")
	}
	cmd := exec.Command(lookPath(ts, "mimus"), args[1:]...) //nolint:gosec,noctx // the script's own arguments
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), ts.Stdout(), ts.Stderr()
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR"), "PATH=" + ts.Getenv("PATH")}
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	_ = cmd.Run()
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
