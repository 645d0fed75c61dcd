package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long the watcher waits after a change, since editors and copies change several things at once.
const settle = 100 * time.Millisecond

// watcher sees changes of stub files.
type watcher struct {
	fs    *fsnotify.Watcher
	paths []string
}

func newWatcher(paths []string) (*watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watcher{fs: events, paths: paths}
	if err := w.follow(); err != nil {
		_ = events.Close()
		return nil, err
	}
	return w, nil
}

// follow watches all folders that matter: those below a path, and the one that a file is in, since a file is often
// replaced by another of its name.
func (w *watcher) follow() error {
	var first error
	for _, path := range w.paths {
		err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir():
				return w.fs.Add(name)
			case name == path:
				return w.fs.Add(filepath.Dir(name))
			}
			return nil
		})
		if first == nil {
			first = err
		}
	}
	return first
}

// watch reads the stubs again whenever their files have changed, until ctx is done.
func (s *Server) watch(ctx context.Context, w *watcher) {
	defer func() { _ = w.fs.Close() }()
	s.reload(w) // what changed before anybody watched
	var due <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case _, ok := <-w.fs.Events:
			if !ok {
				return
			}
			if due == nil {
				due = time.After(settle)
			}
		case err, ok := <-w.fs.Errors:
			if !ok {
				return
			}
			s.config.Log.Warn("watching the stub files: " + err.Error())
		case <-due:
			due = nil
			s.reload(w)
		}
	}
}

// reload takes over the stubs of changed files. With a wrong file the last good stubs stay.
func (s *Server) reload(w *watcher) {
	if err := w.follow(); err != nil {
		s.config.Log.Warn("watching the stub files: " + err.Error())
	}
	if fingerprint(w.paths) == s.seen {
		return
	}
	if err := s.load(); err != nil {
		s.config.Log.Error(err.Error())
		s.config.Log.Error("the stub files have changed and are wrong; the last good stubs stay")
		return
	}
	s.config.Log.Info("the stub files have changed and were read again", "stubs", len(s.space.Stubs()))
}

// fingerprint changes with every file that may hold stubs. What can't be read counts as not there: reading the stubs
// will say so.
func fingerprint(paths []string) [sha256.Size]byte {
	h := sha256.New()
	for _, path := range paths {
		_ = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || name != path && !holdsStubs(name) {
				return nil //nolint:nilerr // counts as not there
			}
			_, _ = io.WriteString(h, name+"\x00")
			if f, err := os.Open(name); err == nil {
				_, _ = io.Copy(h, f)
				_ = f.Close()
			}
			_, _ = io.WriteString(h, "\x00")
			return nil
		})
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func holdsStubs(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return strings.Contains(filepath.ToSlash(name), "/__files/")
}
