package cli

import (
	"io"
	"os"
)

// isTerminal says whether somebody reads along.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colours says whether colours are wanted: on a terminal that has them, unless NO_COLOR is set.
func (s *streams) colours() bool {
	if no, _ := s.lookup("NO_COLOR"); no != "" {
		return false
	}
	if term, _ := s.lookup("TERM"); term == "dumb" || term == "" {
		return false
	}
	return isTerminal(s.out)
}
