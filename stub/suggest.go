package stub

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest gives the one of words that somebody who wrote word most likely meant: the same word in another case or with
// other separators, else the one that is reached with the fewest typing errors. It is "" where none is near.
func Nearest(word string, words []string) string {
	plain := plainWord(word)
	best, fewest := "", typosIn(plain)+1
	for _, w := range words {
		n := 0
		if p := plainWord(w); p != plain {
			n = 1 + typos(plain, p)
		}
		if n < fewest {
			best, fewest = w, n
		}
	}
	return best
}

// typosIn is how many errors (plus one) a word may have and still be recognised. Texts that are no words have none.
func typosIn(plain string) int {
	const longest = 40
	n := utf8.RuneCountInString(plain)
	switch {
	case n == 0 || n > longest:
		return 0
	case n <= 3:
		return 2
	}
	return 1 + min(n/3, 3)
}

// plainWord leaves out what people mix up: case, and how the parts of a word are joined.
func plainWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// typos counts letters left out, added, replaced or swapped with their neighbour.
func typos(a, b string) int {
	x, y := []rune(a), []rune(b)
	var before []int
	last, row := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i, r := range x {
		row[0] = i + 1
		for j, s := range y {
			cost := 1
			if r == s {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && r == y[j-1] && x[i-1] == s {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if before == nil {
			before = make([]int, len(y)+1)
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
