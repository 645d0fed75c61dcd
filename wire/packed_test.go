package wire

import (
	"reflect"
	"strings"
	"testing"
)

// TestPack gives back what was packed, also where frames have little in common.
func TestPack(t *testing.T) {
	t.Parallel()
	for name, frames := range map[string][]Frame{
		"none":     {},
		"one":      {{Name: "a", Data: []byte("x"), Tokens: 3, Except: true}},
		"empty":    {{Data: []byte{}}, {Data: []byte("x")}, {Data: []byte{}}},
		"names":    {{Name: "a", Data: []byte("1")}, {Name: "a", Data: []byte("1")}, {Data: []byte("12")}, {Name: "b", Data: []byte("")}},
		"overlaps": {{Data: []byte("aaaa")}, {Data: []byte("aaaaaa")}, {Data: []byte("aa")}, {Data: []byte("abaa")}, {Data: []byte("aabaaaba")}},
		"steps": {
			{Data: []byte("first 1 second 2 third 3 fourth 4 fifth 5 sixth 6 seventh 7")},
			{Data: []byte("first a second b third c fourth d fifth e sixth f seventh g")},
			{Data: []byte("first aa second bb third cc fourth dd fifth ee sixth ff seventh gg")},
			{Data: []byte("first 11 second 22 third 33 fourth 44 fifth 55 sixth 66 seventh 77")},
		},
		"tokens": {{Data: []byte("a"), Tokens: -1}, {Data: []byte("b"), Tokens: 1 << 40, Except: true}, {Data: []byte("c")}},
		"long":   {{Data: []byte(strings.Repeat("x", 1000))}, {Data: []byte("y")}, {Data: []byte(strings.Repeat("x", 2000))}},
	} {
		if got := Pack(frames).Frames(); !reflect.DeepEqual(got, frames) {
			t.Errorf("%s: got %v, want %v", name, got, frames)
		}
	}
}

// TestPackIsSmall holds what it is for.
func TestPackIsSmall(t *testing.T) {
	t.Parallel()
	var frames []Frame
	for range 100 {
		for _, word := range []string{"owl ", "hen ", "jay "} {
			frames = append(frames, Frame{Data: []byte(`{"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"delta":{"content":"` + word + `"}}]}`), Tokens: 1})
		}
	}
	p := Pack(frames)
	if p.Len() != len(frames) || p.Size() > 7*len(frames) {
		t.Errorf("%d frames take %d bytes", p.Len(), p.Size())
	}
}

func FuzzPack(f *testing.F) {
	f.Add("data: a|data: b||data: bb", "a|b")
	f.Add("aaaa|aaaaaa|aa|abaa|aabaaaba", "")
	f.Fuzz(func(t *testing.T, data, names string) {
		name := strings.Split(names, "|")
		frames := []Frame{}
		for i, d := range strings.Split(data, "|") {
			frames = append(frames, Frame{Name: name[i%len(name)], Data: []byte(d), Tokens: len(d) - 2, Except: i%3 == 1})
		}
		if got := Pack(frames).Frames(); !reflect.DeepEqual(got, frames) {
			t.Errorf("got %v, want %v", got, frames)
		}
	})
}
