package wire

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

const defaultArgumentRunes = 16

func (s Split) pieces(text string, arguments bool) iter.Seq[string] {
	switch {
	case text == "":
		return func(func(string) bool) {}
	case s.Whole:
		return func(yield func(string) bool) { yield(text) }
	case arguments && s.ArgumentRunes > 0:
		return runes(text, s.ArgumentRunes)
	case arguments:
		return runes(text, defaultArgumentRunes)
	case s.Runes > 0:
		return runes(text, s.Runes)
	}
	return words(text)
}

// words cuts a text into words, each with the white space after it. White space at the start is a piece of its own.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, space := 0, false
		for i, r := range text {
			if unicode.IsSpace(r) {
				space = true
				continue
			}
			if space {
				if !yield(text[start:i]) {
					return
				}
				start, space = i, false
			}
		}
		yield(text[start:])
	}
}

// runes cuts a text into pieces of n runes.
func runes(text string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			end := 0
			for i := 0; i < n && end < len(text); i++ {
				_, size := utf8.DecodeRuneInString(text[end:])
				end += size
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}
