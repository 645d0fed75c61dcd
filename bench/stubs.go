package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mimus-go/mimus/bench/ref"
)

// The words by which a request says which answer it wants. None of them
// occurs in another text of a request.
const (
	saySmall  = "ping"
	sayLarge  = "essay"
	sayStream = "recite"
	sayPaced  = "dictate"
	saySlow   = "drawl"
)

// How many events a second the paced answers have.
const (
	pacedRate = 20
	slowRate  = 5
)

// The folders of stubs, below the bench's own.
const (
	fewStubs  = "few"
	manyStubs = "many"
)

// words returns n words that count as one token each: three letters and a space.
func words(n int) string { return strings.TrimSuffix(strings.Repeat("owl hen jay ", n/3+1)[:4*n], " ") }

// answer is one of the answers that are asked for.
type answer struct {
	say, text string
	rate      int // events per second; 0: no pace
	stream    bool
}

// streamWords is the length of the stream without pace.
const streamWords = 200

func (b *bench) answers() []answer {
	return []answer{
		{say: saySmall, text: "Hello! How can I assist you today?"},
		{say: sayLarge, text: words(512)},
		{say: sayStream, text: words(streamWords), stream: true},
		{say: sayPaced, text: words(b.pacedWords()), rate: pacedRate, stream: true},
		{say: saySlow, text: words(b.slowWords()), rate: slowRate, stream: true},
	}
}

func (b *bench) pacedWords() int { return b.either(60, 200) }
func (b *bench) slowWords() int  { return b.either(50, 100) }

// writeStubs writes the two folders of stub files.
func (b *bench) writeStubs() error {
	var few, many strings.Builder
	few.WriteString("stubs:\n")
	for _, a := range b.answers() {
		fmt.Fprintf(&few, "  - name: %s\n    when: {about: %s}\n    answer: {text: %q}\n", a.say, a.say, a.text)
		if a.rate > 0 {
			fmt.Fprintf(&few, "    pace: {tokensPerSecond: %d}\n", a.rate)
		}
	}
	many.WriteString("stubs:\n")
	for i := range 10_000 - len(b.answers()) {
		fmt.Fprintf(&many, "  - when: {about: PX-AI-%05d}\n    answer: {text: Parcel %05d is out for delivery.}\n", i, i)
	}
	for folder, files := range map[string][]string{
		fewStubs:  {few.String()},
		manyStubs: {few.String(), many.String()},
	} {
		dir := filepath.Join(b.dir, folder)
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		for i, text := range files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("stubs-%d.yaml", i)), []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// standInAnswers are what the stub files ask for, ready to be sent.
func (b *bench) standInAnswers() map[string]ref.Answer {
	out := map[string]ref.Answer{}
	for _, a := range b.answers() {
		if !a.stream {
			out[a.say] = ref.Text(a.text)
			continue
		}
		s := ref.Stream(a.text)
		if a.rate > 0 {
			s.Gap = time.Second / time.Duration(a.rate)
		}
		out[a.say] = s
	}
	return out
}
