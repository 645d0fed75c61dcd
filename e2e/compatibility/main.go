// Command compatibility writes docs/compatibility.md from what the runners of e2e/cases.yaml left in e2e/results: a
// table for each official SDK, with a line for each case. It is run in the root of the repository, by make compatibility.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

const (
	suites  = "e2e"
	results = "e2e/results"
	page    = "docs/compatibility.md"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "compatibility:", err)
		os.Exit(1)
	}
}

// run reads the results below root and writes the page.
func run(root string) error {
	languages, err := languagesOf(filepath.Join(root, suites))
	if err != nil {
		return err
	}
	var all []result
	for _, language := range languages {
		some, err := readResults(filepath.Join(root, results), language)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	return os.WriteFile(filepath.Join(root, page), pageOf(languages, all), 0o644)
}
