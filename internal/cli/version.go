package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/mimus-go/mimus/wire/all"
)

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s *streams) error {
	v := readVersion()
	fmt.Fprintf(s.out, "mimus %s\n", v.long())
	fmt.Fprintf(s.out, "built with %s for %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	names := make([]string, 0, 4)
	for _, p := range all.Providers() {
		names = append(names, p.Name())
	}
	fmt.Fprintf(s.out, "provider APIs as of %s: %s\n", all.AsOf, strings.Join(names, ", "))
	return nil
}

// version is what the build says of itself.
type version struct {
	module, commit, date string
	modified             bool
}

func readVersion() version {
	v := version{module: "(unknown)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.module = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.commit = s.Value
		case "vcs.time":
			v.date = s.Value
		case "vcs.modified":
			v.modified = s.Value == "true"
		}
	}
	return v
}

func (v version) short() string { return v.module }

func (v version) long() string {
	text := v.module
	if v.commit != "" {
		text += " commit " + v.commit[:min(12, len(v.commit))]
		if v.date != "" {
			text += " of " + v.date
		}
		if v.modified {
			text += ", with changes"
		}
	}
	return text
}
