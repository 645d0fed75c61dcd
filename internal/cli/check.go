package cli

import (
	"errors"
	"fmt"

	"github.com/mimus-go/mimus/server"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire/all"
)

type checkCommand struct {
	Paths []string `arg:"" name:"path" help:"Stub files, folders of them, or WireMock folders."`
}

// Help is shown by --help.
func (checkCommand) Help() string {
	return `Prints one line for each problem, "file:line:column: what", with the right word where one is near. The exit code is 1 where there is any, else 0.`
}

// Run checks the files.
func (c *checkCommand) Run(s *streams) error {
	set, err := loadStubs(c.Paths)
	var wrong stubfile.Errors
	if err != nil && !errors.As(err, &wrong) {
		return err
	}
	if len(wrong) > 0 {
		files := map[string]bool{}
		for _, e := range wrong {
			fmt.Fprintln(s.out, e.Error())
			files[e.File] = true
		}
		fmt.Fprintf(s.err, "mimus: %s in %s\n", count(len(wrong), "problem"), count(len(files), "file"))
		return errFound
	}
	for _, w := range set.Warnings {
		fmt.Fprintln(s.out, "warning: "+w.Error())
	}
	fmt.Fprintf(s.out, "%s in %s: all fine\n", count(len(set.Stubs), "stub"), count(len(set.Files), "file"))
	return nil
}

func loadStubs(paths []string) (stubfile.Set, error) {
	return stubfile.Load(paths, stubfile.Options{Wires: server.WireNames(all.Providers())})
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
