package stubfile_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/stubfile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/examples/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return files
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update to see how. It is now\n%s", file, got)
	}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for _, file := range examples(t) {
		set, err := stubfile.Load([]string{file}, options)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		var b strings.Builder
		for _, s := range set.Stubs {
			describe(&b, s)
		}
		golden(t, filepath.Join("testdata", "golden", filepath.Base(file)+".txt"), b.String())
	}
}

// describe writes what was read of a stub: everything that is not the zero value.
func describe(b *strings.Builder, s *stub.Stub) {
	fmt.Fprintf(b, "%s\n", filepath.ToSlash(s.Source.String()))
	for _, c := range s.When {
		fmt.Fprintf(b, "  when %s %s (%d)\n", c.Key, c.Want, c.Weight)
	}
	without := *s
	without.When, without.Source = nil, stub.Source{}
	fields(b, "  ", "", reflect.ValueOf(without))
}

func fields(b *strings.Builder, indent, name string, v reflect.Value) {
	if v.IsZero() && name != "" {
		return
	}
	label := indent + name
	switch v := v.Interface().(type) {
	case time.Duration:
		fmt.Fprintf(b, "%s: %s\n", label, v)
		return
	case json.RawMessage:
		fmt.Fprintf(b, "%s: %s\n", label, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.Elem().Kind() == reflect.Struct {
			fields(b, indent, strings.TrimSpace(name+" "+v.Elem().Type().String()), v.Elem())
			return
		}
		fmt.Fprintf(b, "%s: %v\n", label, v.Elem())
	case reflect.Struct:
		if name != "" {
			fmt.Fprintf(b, "%s:\n", label)
			indent += "  "
		}
		for i := range v.NumField() {
			fields(b, indent, v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			element(b, indent, fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.String:
		fmt.Fprintf(b, "%s: %q\n", label, v)
	default:
		fmt.Fprintf(b, "%s: %v\n", label, v)
	}
}

// element is a field that is shown even where it is the zero value.
func element(b *strings.Builder, indent, name string, v reflect.Value) {
	if v.IsZero() {
		fmt.Fprintf(b, "%s%s: %v\n", indent, name, v)
		return
	}
	fields(b, indent, name, v)
}
