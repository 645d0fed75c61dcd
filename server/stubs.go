package server

import (
	"fmt"
	"slices"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
	"github.com/mimus-go/mimus/wire"
)

// load reads the stub files and takes their stubs over. With a wrong file it changes nothing.
func (s *Server) load() error {
	if len(s.config.Paths) == 0 {
		files := s.config.Stubs
		if len(files) == 0 {
			files = []*stub.Stub{echo()}
			s.config.Log.Info("no stub files were given, so every chat is answered by saying what was heard; `mimus serve DIR` serves stubs")
		}
		s.space.Set(stub.File, files)
		return nil
	}
	s.seen = fingerprint(s.config.Paths)
	set, err := stubfile.Load(s.config.Paths, stubfile.Options{Wires: WireNames(s.config.Providers)})
	if err != nil {
		return fmt.Errorf("the stub files are wrong:\n%w", err)
	}
	for _, w := range set.Warnings {
		s.config.Log.Warn(w.Error())
	}
	files, mappings := s.config.Stubs, []*stub.Stub(nil)
	for _, st := range set.Stubs {
		if st.Origin == stub.WireMock {
			mappings = append(mappings, st)
		} else {
			files = append(slices.Clip(files), st)
		}
	}
	s.space.Set(stub.File, files)
	s.space.Set(stub.WireMock, mappings)
	return nil
}

// WireNames are the names that the condition `wire` may want: providers and their endpoints.
func WireNames(providers []wire.Provider) []string {
	var names []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, p := range providers {
		add(p.Name())
		for _, e := range p.Endpoints() {
			add(e.Name)
		}
	}
	return names
}
