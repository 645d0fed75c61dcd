// Package captures reads recorded answers of LLM providers, one HTTP exchange
// a file, and compares their shapes with ours. It is for tests only.
//
// A recording is a text file:
//
//	# key: value           where it comes from; several notes are possible
//	# request-body-bytes: 2
//	# response-body-bytes: 11
//	> POST /v1/messages
//	> name: value
//	>
//	{}                     exactly as many bytes as declared, and a line feed
//	< 200
//	< name: value
//	<
//	{"id":"x1"}            exactly as many bytes as declared, to the end of the file
//
// Where the request was not recorded the first line is "> unknown …", where
// the status was not, "< unknown …". An AWS event stream is base64 text.
//
// [Diff] tells how two bodies differ in shape: keys, types, events and their
// order, framing; never ids, numbers or words.
package captures

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Variable is the environment variable that names the folder of recordings.
const Variable = "MIMUS_CAPTURES"

// ErrAbsent is what [Root] returns where there are no recordings and there
// need not be: the test should be skipped.
var ErrAbsent = errors.New("no recordings here")

// Exchange is one recorded request and its answer.
type Exchange struct {
	Path string
	// Meta has every "# key: value" line, and Wire, Kind, Model and Streamed
	// the most wanted of them. Model is "unknown" where it is not known.
	Meta              map[string][]string
	Wire, Kind, Model string
	Streamed          bool

	// Method and URL are empty where only the response was recorded. URL is
	// the path with its query.
	Method, URL   string
	RequestHeader Header
	RequestBody   []byte

	// Status is 0 where it was not recorded. ResponseBody is decoded where
	// the file has it as base64.
	Status         int
	ResponseHeader Header
	ResponseBody   []byte

	// PayloadLines says that ResponseBody is not what was sent, but the JSON
	// payload of each event on a line of its own.
	PayloadLines bool
	// KeyOrder and Spacing say whether the order of JSON keys and the white
	// space between them are the provider's own.
	KeyOrder, Spacing bool
}

// Body returns the response, to be compared.
func (e *Exchange) Body() Body {
	return Body{Data: e.ResponseBody, Status: e.Status, Header: e.ResponseHeader, PayloadLines: e.PayloadLines}
}

// Header is a list of header fields in the order in which they were recorded.
// Recorders change the case of names, so it means nothing.
type Header []Field

// Field is one header field.
type Field struct{ Name, Value string }

// Get returns the value of the first field of that name, in any case, or "".
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Read reads the recording at path.
func Read(path string) (*Exchange, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	e.Path = path
	return e, nil
}

// Dir reads the recordings below root, in the order of their paths: of the
// named wires, or of all. It fails if a wire has none.
func Dir(root string, wires ...string) ([]*Exchange, error) {
	var es []*Exchange
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".http" {
			return err
		}
		e, err := Read(path)
		if err != nil {
			return err
		}
		if len(wires) == 0 || slices.Contains(wires, e.Wire) {
			es = append(es, e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, w := range wires {
		if !slices.ContainsFunc(es, func(e *Exchange) bool { return e.Wire == w }) {
			return nil, fmt.Errorf("%s: no recording of wire %q", root, w)
		}
	}
	slices.SortFunc(es, func(a, b *Exchange) int { return cmp.Compare(a.Path, b.Path) })
	return es, nil
}

// Root returns the folder that [Variable] names. The error is [ErrAbsent] if
// the variable is not set, or if the folder is missing and this is not CI; a
// test skips then. It must fail on every other error.
func Root() (string, error) { return root(os.Getenv) }

func root(getenv func(string) string) (string, error) {
	dir := getenv(Variable)
	if dir == "" {
		return "", fmt.Errorf("%w: set %s to their folder", ErrAbsent, Variable)
	}
	info, err := os.Stat(dir)
	switch {
	case err == nil && info.IsDir():
		return dir, nil
	case err == nil:
		return "", fmt.Errorf("%s: %s is no folder", Variable, dir)
	case errors.Is(err, fs.ErrNotExist) && getenv("CI") != "true":
		return "", fmt.Errorf("%w: %s names %s, which does not exist", ErrAbsent, Variable, dir)
	default:
		return "", fmt.Errorf("%s: %w", Variable, err)
	}
}
