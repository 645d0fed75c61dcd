package sdktest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallModel has one of everything that the validator knows.
const smallModel = `{"shapes":{
	"birds#Aviary":{"type":"service"},
	"birds#Bird":{"type":"structure","members":{
		"name":{"target":"smithy.api#String","traits":{"smithy.api#required":{},"smithy.api#length":{"min":1}}},
		"family":{"target":"birds#Family","traits":{"smithy.api#jsonName":"kin"}},
		"songs":{"target":"birds#Songs"},
		"weights":{"target":"birds#Weights"},
		"ring":{"target":"birds#Ring"},
		"photo":{"target":"smithy.api#Blob"},
		"note":{"target":"smithy.api#Document"},
		"tag":{"target":"birds#Tag"},
		"nest":{"target":"birds#Nest"},
		"trace":{"target":"smithy.api#String","traits":{"smithy.api#httpHeader":"X-Trace","smithy.api#required":{}}}}},
	"birds#Family":{"type":"enum","members":{"MIMIDAE":{"target":"smithy.api#Unit","traits":{"smithy.api#enumValue":"mimidae"}}}},
	"birds#Songs":{"type":"list","member":{"target":"smithy.api#String"},"traits":{"smithy.api#length":{"max":2}}},
	"birds#Weights":{"type":"map","key":{"target":"smithy.api#String"},"value":{"target":"smithy.api#Integer","traits":{"smithy.api#range":{"min":0}}}},
	"birds#Ring":{"type":"union","members":{"number":{"target":"smithy.api#Integer"},"colour":{"target":"smithy.api#String"}}},
	"birds#Tag":{"type":"string","traits":{"smithy.api#pattern":"^[A-Z]+$"}}}}`

func TestSmithyFindings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "birds.json")
	if err := os.WriteFile(file, []byte(smallModel), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := readSmithy(file)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string][]string{
		`{"name":"mockingbird","kin":"mimidae","songs":["a","b"],"weights":{"2026":49},"ring":{"number":7},"photo":"AAE=","note":[null,1],"tag":"AB"}`: nil,
		`{"kin":"mimidae"}`:                               {`/: missing member "name"`},
		`{"name":""}`:                                     {`/name: 0 is out of {"min":1}`},
		`{"name":null}`:                                   {`/name: got null, want string`},
		`{"name":"a","wings":2}`:                          {`/: unknown member "wings"`},
		`{"name":"a","family":"x"}`:                       {`/: unknown member "family"`},
		`{"name":"a","trace":"x"}`:                        {`/: unknown member "trace"`},
		`{"name":"a","kin":"x"}`:                          {`/kin: "x" is no value of the enum`},
		`{"name":"a","songs":["a",1]}`:                    {`/songs/1: got number, want string`},
		`{"name":"a","songs":[null]}`:                     {`/songs/0: got null, want string`},
		`{"name":"a","songs":[1,2,3]}`:                    {`/songs: 3 is out of {"max":2}`, `/songs/0: got number, want string`, `/songs/1: got number, want string`, `/songs/2: got number, want string`},
		`{"name":"a","songs":{}}`:                         {`/songs: got object, want list`},
		`{"name":"a","weights":{"x":1.5}}`:                {`/weights/x: got number, want integer`},
		`{"name":"a","weights":{"x":-1}}`:                 {`/weights/x: -1 is out of {"min":0}`},
		`{"name":"a","weights":[]}`:                       {`/weights: got list, want map`},
		`{"name":"a","ring":{}}`:                          {`/ring: a union of 0 members`},
		`{"name":"a","ring":{"number":1,"colour":"red"}}`: {`/ring: a union of 2 members`},
		`{"name":"a","ring":"red"}`:                       {`/ring: got string, want union`},
		`{"name":"a","photo":"%%"}`:                       {`/photo: got string, want blob`},
		`{"name":"a","tag":"ab"}`:                         {`/tag: "ab" does not match ^[A-Z]+$`},
		`{"name":"a","nest":{}}`:                          {`/nest: the model has no shape birds#Nest`},
		`[]`:                                              {`/: got list, want structure`},
	} {
		got, err := m.validate("Bird", []byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", body, d)
		}
	}
	for _, body := range []string{``, `{"name":`, `{"name":"a"} {}`} {
		if got, err := m.validate("Bird", []byte(body)); err == nil {
			t.Errorf("%s passes: %q", body, got)
		}
	}
}

func TestReadSmithyRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"text.json": "shapes", "empty.json": `{"shapes":{}}`} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readSmithy(file); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := readSmithy(filepath.Join(folder, "none.json")); err == nil {
		t.Error("a file that is not there is read")
	}
}
