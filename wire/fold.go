package wire

import (
	"errors"
	"iter"
)

// Folder makes a Reply of events. Encoders use it to know what they have said; its zero value is ready.
type Folder struct {
	Reply Reply
	Head  Head
	open  []openPart
}

type openPart struct {
	choice, part int
	what         Part
	text         []byte
}

// Add takes one event.
func (f *Folder) Add(e Event) {
	if e.Usage != nil {
		u := *e.Usage
		f.Reply.Usage = &u
	}
	switch e.Op {
	case Begin:
		if e.Head != nil {
			f.Head = *e.Head
		}
	case PartStart:
		f.open = append(f.open, openPart{choice: e.Choice, part: e.Part, what: e.What})
	case Delta:
		if o := f.find(e.Choice, e.Part); o != nil {
			o.text = append(o.text, e.Text...)
		}
	case PartEnd:
		f.close(e)
	case ChoiceEnd:
		a := f.choice(e.Choice)
		a.Stop, a.Sequence = e.Stop, e.Sequence
	case End:
		if e.Rest != nil {
			f.Reply.Vectors, f.Reply.Models, f.Reply.Blocked = e.Rest.Vectors, e.Rest.Models, e.Rest.Blocked
		}
	}
}

// Partial is the reply so far, with the parts that are still open.
func (f *Folder) Partial() Reply {
	r := f.Reply
	r.Choices = append([]Answer(nil), r.Choices...)
	for i := range f.open {
		o := &f.open[i]
		for len(r.Choices) <= o.choice {
			r.Choices = append(r.Choices, Answer{})
		}
		a := &r.Choices[o.choice]
		a.Parts = append(append([]Part(nil), a.Parts...), filled(o.what, string(o.text)))
	}
	return r
}

func (f *Folder) find(choice, part int) *openPart {
	for i := range f.open {
		if o := &f.open[i]; o.choice == choice && o.part == part {
			return o
		}
	}
	return nil
}

func (f *Folder) close(e Event) {
	for i := range f.open {
		o := &f.open[i]
		if o.choice != e.Choice || o.part != e.Part {
			continue
		}
		what := e.What
		if what == nil {
			what = filled(o.what, string(o.text))
		}
		a := f.choice(e.Choice)
		a.Parts = append(a.Parts, what)
		f.open = append(f.open[:i], f.open[i+1:]...)
		return
	}
}

func (f *Folder) choice(i int) *Answer {
	for len(f.Reply.Choices) <= i {
		f.Reply.Choices = append(f.Reply.Choices, Answer{})
	}
	return &f.Reply.Choices[i]
}

// filled is a hollow part with its text.
func filled(p Part, text string) Part {
	switch p := p.(type) {
	case Text:
		p.Text = text
		return p
	case Refusal:
		p.Text = text
		return p
	case Reasoning:
		p.Text = text
		return p
	case ToolCall:
		p.Arguments = text
		return p
	}
	return p
}

// Fold makes a Reply of what a reader gives. On an error it returns what came before it too.
func Fold(events iter.Seq2[Event, error]) (Reply, error) {
	var f Folder
	for e, err := range events {
		if err != nil {
			return f.Partial(), err
		}
		f.Add(e)
	}
	if len(f.open) > 0 {
		return f.Partial(), errors.New("wire: the answer ended inside a part")
	}
	return f.Reply, nil
}
