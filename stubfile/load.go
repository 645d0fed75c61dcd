package stubfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/stub"
)

// Options is what stub files may refer to. The zero value accepts every name in `when.wire`.
type Options struct {
	// Wires are the providers and endpoints that `when.wire` may name.
	Wires []string
}

// Set is what was loaded.
type Set struct {
	// Stubs are in the order in which they were read: of files by name, of a file as written. [stub.Stub.Origin] tells
	// WireMock's, of which the last wins, from ours, of which the first does.
	Stubs []*stub.Stub
	// Files are the files that were read, for those who watch them.
	Files []string
	// Warnings are what is odd but not wrong, such as an empty file.
	Warnings []Error
}

// Load reads files and folders. A folder with a folder mappings in it is WireMock's; of any other, every .yaml, .yml and
// .json file below it is a stub file, except where a name starts with a dot. The error is an [Errors] of all that is
// wrong with any of them; the set is then empty.
func Load(paths []string, o Options) (Set, error) {
	l := loader{o: o, seen: map[string]bool{}}
	for _, path := range paths {
		l.path(path)
	}
	return l.result()
}

// Parse reads one file that is at hand. The name says which syntax it is in, whether it is WireMock's, and stands in
// messages.
func Parse(name string, data []byte, o Options) (Set, error) {
	l := loader{o: o}
	l.reader(name)(name, data)
	return l.result()
}

type loader struct {
	o    Options
	set  Set
	errs Errors
	seen map[string]bool
}

func (l *loader) result() (Set, error) {
	if len(l.errs) > 0 {
		return Set{}, l.errs.sorted()
	}
	return l.set, nil
}

func (l *loader) wrong(file, message string) {
	l.errs = append(l.errs, Error{Source: stub.Source{File: file}, Message: message})
}

func (l *loader) path(path string) {
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		l.wrong(path, reason(err))
	case info.IsDir():
		l.folder(path)
	case !isStubFile(path):
		l.wrong(path, "a stub file's name ends in .yaml, .yml or .json")
	default:
		l.read(path, l.reader(path))
	}
}

// reader is how a file is read that was named itself: WireMock's form lies below a folder mappings.
func (l *loader) reader(path string) func(string, []byte) {
	if mappingsAbove(path) != "" {
		return l.mapping
	}
	return l.file
}

// folder reads what is below a folder.
func (l *loader) folder(path string) {
	if filepath.Base(path) == mappingsFolder {
		l.mappings(path)
		return
	}
	if isDir(filepath.Join(path, mappingsFolder)) {
		l.mappings(filepath.Join(path, mappingsFolder))
		return
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		l.wrong(path, reason(err))
		return
	}
	for _, e := range entries {
		below := filepath.Join(path, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			l.folder(below)
		case isStubFile(below):
			l.read(below, l.file)
		}
	}
}

func (l *loader) read(path string, with func(string, []byte)) {
	if l.seen[path] {
		return
	}
	l.seen[path] = true
	data, err := os.ReadFile(path)
	if err != nil {
		l.wrong(path, reason(err))
		return
	}
	l.set.Files = append(l.set.Files, path)
	with(path, data)
}

// reason is an error of the file system without the path, which stands before it.
func reason(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file or folder"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err.Error()
	}
	return err.Error()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isStubFile(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, strings.ToLower(filepath.Ext(path)))
}

// file reads a stub file: in each of its documents a stub, or a list of them under stubs.
func (l *loader) file(name string, data []byte) { l.documents(name, data, l.document) }

// documents reads each document of a file. That none holds a stub is odd.
func (l *loader) documents(name string, data []byte, read func(*document)) {
	stubs, errs := len(l.set.Stubs), len(l.errs)
	docs, wrong := parse(name, data)
	l.errs = append(l.errs, wrong...)
	for _, d := range docs {
		read(d)
	}
	if len(l.set.Stubs) == stubs && len(l.errs) == errs {
		l.set.Warnings = append(l.set.Warnings, Error{Source: stub.Source{File: name}, Message: "there is no stub in this file"})
	}
}

func (l *loader) document(d *document) {
	if d.value.Kind() != jsonx.Object {
		l.at(d.at(d.value), "want a stub, or an object with stubs, a list of them")
		return
	}
	if !d.value.Get("stubs").Exists() {
		if d.value.Get("request").Exists() || d.value.Get("mappings").Exists() {
			l.at(d.first(d.value), "this looks like a WireMock mapping; those belong in a folder named mappings")
			return
		}
		l.stub(d, d.value)
		return
	}
	for key, v := range d.value.Members() {
		switch {
		case key != "stubs":
			hint := ""
			if near := stub.Nearest(key, []string{"stubs"}); near != "" {
				hint = ` (did you mean "stubs"?)`
			}
			l.at(d.atKey(v), "unknown key "+strconv.Quote(key)+" beside stubs"+hint)
		case v.Kind() != jsonx.Array:
			l.at(d.at(v), "stubs: want a list of stubs")
		default:
			for _, item := range v.Items() {
				l.stub(d, item)
			}
		}
	}
}

func (l *loader) at(where stub.Source, message string) {
	l.errs = append(l.errs, Error{Source: where, Message: message})
}

func (l *loader) stub(d *document, v jsonx.Value) {
	s, problems := stub.Decode(v, stub.DecodeOptions{Wires: l.o.Wires})
	s.Origin, s.Source = stub.File, d.first(v)
	for _, p := range problems {
		l.errs = append(l.errs, place(d, v, s.Name, p))
	}
	l.set.Stubs = append(l.set.Stubs, s)
}

// place says where in the file a problem of a stub is.
func place(d *document, v jsonx.Value, name string, p stub.Problem) Error {
	e := Error{Stub: name, Path: p.Path, Message: p.String()}
	found := d.find(v, p.Path)
	switch {
	case p.Key:
		e.Source, e.Message = d.atKey(found), p.Message
	default:
		e.Source = d.at(found)
	}
	return e
}
