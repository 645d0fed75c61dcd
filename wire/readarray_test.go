package wire_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

func readArray(r io.Reader) (elements []string, err error) {
	for e, err := range wire.ReadJSONArray(r) {
		if err != nil {
			return elements, err
		}
		elements = append(elements, e)
	}
	return elements, nil
}

func TestReadJSONArray(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		in   string
		want []string
		err  error
	}{
		"objects":               {"[{\n \"a\": 1\n}\n,\r\n{\"b\": \"]},{\"}\n]", []string{"{\n \"a\": 1\n}", `{"b": "]},{"}`}, nil},
		"escaped quotes":        {`[{"a":"\"\\"},{"b":"\\\""}]`, []string{`{"a":"\"\\"}`, `{"b":"\\\""}`}, nil},
		"empty":                 {" [ ] ", nil, nil},
		"nothing":               {"", nil, nil},
		"scalars":               {`[1, "a",null ,true]`, []string{"1", `"a"`, "null", "true"}, nil},
		"nested":                {`[[1,[2]],{"a":[{}]}]`, []string{"[1,[2]]", `{"a":[{}]}`}, nil},
		"no array":              {`{"error":{"code":503}}` + "\n", []string{`{"error":{"code":503}}` + "\n"}, nil},
		"cut off after comma":   {`[{"a":1},`, []string{`{"a":1}`}, io.ErrUnexpectedEOF},
		"cut off in an element": {`[{"a":1},{"b"`, []string{`{"a":1}`}, io.ErrUnexpectedEOF},
		"cut off in an escape":  {`[{"a":"\`, nil, io.ErrUnexpectedEOF},
		"cut off in a number":   {`[1`, nil, io.ErrUnexpectedEOF},
		"cut off before ]":      {`[{"a":1}`, []string{`{"a":1}`}, io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, r := range map[string]io.Reader{
				"whole":        strings.NewReader(test.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(test.in)),
				"with its end": iotest.DataErrReader(strings.NewReader(test.in)),
			} {
				got, err := readArray(r)
				if !slices.Equal(got, test.want) || !errors.Is(err, test.err) {
					t.Errorf("%s: got %q, %v, want %q, %v", kind, got, err, test.want, test.err)
				}
			}
		})
	}
}

func TestReadJSONArrayRefuses(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`[,1]`, `[1,]`, `[{} {}]`, `[1,,2]`} {
		if got, err := readArray(strings.NewReader(in)); err == nil {
			t.Errorf("%s: got %q, want an error", in, got)
		}
	}
	broken := errors.New("broken")
	if _, err := readArray(io.MultiReader(strings.NewReader(`[{},`), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}

func FuzzReadJSONArray(f *testing.F) {
	for _, s := range []string{`[]`, `[{"a":1},{"b":[2]}]`, `[1,"x\"",null]`, "[{\n}\n,\r\n{}\n]", `{"error":{}}`, `[{"a"`, `]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := readArray(strings.NewReader(in))
		slow, slowErr := readArray(iotest.OneByteReader(strings.NewReader(in)))
		if !slices.Equal(got, slow) || (err == nil) != (slowErr == nil) {
			t.Fatalf("fragmentation matters: %q %v, %q %v", got, err, slow, slowErr)
		}
		v, bad := jsonx.Parse(in)
		if bad != nil || v.Kind() != jsonx.Array {
			return
		}
		var want []string
		for _, e := range v.Items() {
			want = append(want, e.Raw())
		}
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	})
}
