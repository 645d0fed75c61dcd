package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A module is one Go module of the repository.
type module struct {
	dir  string // absolute
	rel  string // relative to the repository's root, "." for the root itself
	path string // the module path
}

// findModules returns the modules at and below root that hold Go packages, the
// root first. Modules without any, such as tools, have nothing to test.
func findModules(root string) ([]module, error) {
	var modules []module
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != root && (name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if name != "go.mod" {
			return nil
		}
		m := module{dir: filepath.Dir(path)}
		if m.rel, err = filepath.Rel(root, m.dir); err != nil {
			return err
		}
		if m.path, err = goOutput(m.dir, "list", "-m"); err != nil {
			return err
		}
		packages, err := goOutput(m.dir, "list", "./...")
		if err != nil {
			return err
		}
		if packages != "" {
			modules = append(modules, m)
		}
		return nil
	})
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.rel, b.rel) })
	return modules, err
}

// goCommand is the go command in dir. A go.work of the developer's is ignored:
// each module stands on its own go.mod.
func goCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}

// goOutput runs the go command and returns what it printed, trimmed.
func goOutput(dir string, args ...string) (string, error) {
	cmd := goCommand(dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), dir, err, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}
