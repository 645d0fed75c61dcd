package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// result is a line of e2e/results: what came of one run. e2e/README.md says more.
type result struct {
	Language string `json:"language"`
	SDK      string `json:"sdk"`
	Version  string `json:"version"`
	Endpoint string `json:"endpoint"`
	Case     string `json:"case"`
	Mode     string `json:"mode"`
	Result   string `json:"result"`
	Why      string `json:"why"`
}

// order is that of the languages on the page; others come behind.
var order = []string{"go", "node", "python", "java"}

// languagesOf are the languages that have a runner: Go, and each folder with a check.sh.
func languagesOf(folder string) ([]string, error) {
	scripts, err := filepath.Glob(filepath.Join(folder, "*", "check.sh"))
	if err != nil {
		return nil, err
	}
	all := []string{"go"}
	for _, script := range scripts {
		all = append(all, filepath.Base(filepath.Dir(script)))
	}
	slices.SortStableFunc(all, func(a, b string) int { return place(a) - place(b) })
	return all, nil
}

func place(language string) int {
	if i := slices.Index(order, language); i >= 0 {
		return i
	}
	return len(order)
}

// readResults reads what one runner left. A run that failed is an error: the page tells what SDKs can do, not what is
// broken here.
func readResults(folder, language string) ([]result, error) {
	name := filepath.Join(folder, language+".jsonl")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no results; make check-%s writes them", name, language)
	}
	if err != nil {
		return nil, err
	}
	var all []result
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if err := r.check(language); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		all = append(all, r)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no results", name)
	}
	return all, lines.Err()
}

func (r result) check(language string) error {
	switch {
	case r.Language != language:
		return fmt.Errorf("a result of language %q", r.Language)
	case r.SDK == "" || r.Version == "" || r.Endpoint == "" || r.Case == "" || r.Mode == "":
		return errors.New("a result without its SDK, version, endpoint, case or mode")
	case r.Result == "fail":
		return fmt.Errorf("case %s failed on %s with %s, %s: %s", r.Case, r.Endpoint, r.SDK, r.Mode, r.Why)
	case r.Result == "cannot" && r.Why == "":
		return fmt.Errorf("case %s is left out on %s with %s without a reason", r.Case, r.Endpoint, r.SDK)
	case r.Result != "pass" && r.Result != "cannot":
		return fmt.Errorf("no result is called %q", r.Result)
	}
	return nil
}

var withVariant = regexp.MustCompile(`^(.*) \((.*)\)$`)

// client is the SDK's name without the word for which of its clients was asked, and that word.
func (r result) client() (name, variant string) {
	if m := withVariant.FindStringSubmatch(r.SDK); m != nil {
		return m[1], m[2]
	}
	return r.SDK, ""
}
