package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc. It is 1/100 s on every Linux that Go
// runs on (USER_HZ).
const tick = time.Second / 100

// CPU returns the time that the process has spent, in user and system mode.
func (s *Server) CPU() (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return parseStat(b)
}

// parseStat adds the fields utime and stime. The name of the program stands
// before them in brackets, and may hold anything.
func parseStat(b []byte) (time.Duration, error) {
	i := bytes.LastIndexByte(b, ')')
	fields := strings.Fields(string(b[i+1:]))
	const utime, stime = 14 - 3, 15 - 3 // the line's fields count from 1, ours begin with the third
	if i < 0 || len(fields) <= stime {
		return 0, fmt.Errorf("/proc/…/stat: %q", b)
	}
	var sum time.Duration
	for _, f := range []string{fields[utime], fields[stime]} {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/…/stat: %w", err)
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}

// Memory is how much of the machine's memory a process has, in bytes.
type Memory struct{ Now, Peak int64 }

// Memory returns what the process has now, and had at most.
func (s *Server) Memory() (Memory, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return Memory{}, err
	}
	return parseStatus(b)
}

func parseStatus(b []byte) (m Memory, err error) {
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(line, ":")
		var to *int64
		switch key {
		case "VmRSS":
			to = &m.Now
		case "VmHWM":
			to = &m.Peak
		default:
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		if err != nil {
			return m, fmt.Errorf("/proc/…/status: %w", err)
		}
		*to = n << 10
	}
	if m.Now == 0 || m.Peak == 0 {
		return m, fmt.Errorf("/proc/…/status has no memory: %q", b)
	}
	return m, nil
}
