package server

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
)

type health struct {
	Status    string `json:"status"`
	Message   string `json:"message"`
	Version   string `json:"version"`
	Uptime    int64  `json:"uptimeInSeconds"`
	Timestamp string `json:"timestamp"`
	Stubs     int    `json:"stubs"`
}

// adminHealth says that the server is there.
func (s *Server) adminHealth(*http.Request, string) (any, *adminError) {
	now := time.Now()
	return health{
		Status: "healthy", Message: "mimus is ok", Version: s.config.Version, Uptime: int64(now.Sub(s.started) / time.Second),
		Timestamp: now.UTC().Format(time.RFC3339Nano), Stubs: len(s.space.Stubs()),
	}, nil
}

type requestList struct {
	Requests []loggedRequest `json:"requests"`
	Meta     struct {
		Total int `json:"total"`
	} `json:"meta"`
	// Forgotten says that the journal was full, so that requests are missing here.
	Forgotten bool `json:"forgotten"`
	// Disabled is WireMock's; the journal is always on.
	Disabled bool `json:"requestJournalDisabled"`
}

// adminRequests lists the journal, newest first: since a time, at most so many, only those that no stub answered.
func (s *Server) adminRequests(r *http.Request, _ string) (any, *adminError) {
	filter, failure := readFilter(r)
	if failure != nil {
		return nil, failure
	}
	entries, forgotten := s.journal.Entries()
	entries = slices.DeleteFunc(entries, func(e journal.Entry) bool {
		return e.Time.Before(filter.since) || filter.unmatched && e.Matched
	})
	slices.Reverse(entries)
	list := requestList{Requests: []loggedRequest{}, Forgotten: forgotten}
	list.Meta.Total = len(entries)
	if filter.limit >= 0 {
		entries = entries[:min(filter.limit, len(entries))]
	}
	for i := range entries {
		list.Requests = append(list.Requests, logged(&entries[i]))
	}
	return list, nil
}

type filter struct {
	since     time.Time
	limit     int // -1: all
	unmatched bool
}

// readFilter reads the query of a list. What it does not know is refused, so that a wrong word never filters nothing.
func readFilter(r *http.Request) (filter, *adminError) {
	f := filter{limit: -1}
	names := []string{"since", "limit", "unmatched"}
	for name, values := range r.URL.Query() {
		value, err := values[len(values)-1], error(nil)
		switch name {
		case "since":
			if f.since, err = time.Parse(time.RFC3339, value); err != nil {
				return f, wrongParameter(name, value, "a time such as 2026-01-02T03:04:05.678Z")
			}
		case "limit":
			if f.limit, err = strconv.Atoi(value); err != nil || f.limit < 0 {
				return f, wrongParameter(name, value, "a whole number from 0 on")
			}
		case "unmatched":
			if f.unmatched, err = strconv.ParseBool(value); err != nil {
				return f, wrongParameter(name, value, "true or false")
			}
		default:
			hint := "there are since, limit and unmatched"
			if near := stub.Nearest(name, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return f, &adminError{
				Status: http.StatusBadRequest, Code: codeParameter, Title: "Unknown query parameter",
				Detail: fmt.Sprintf("there is no query parameter %q here; %s", name, hint),
			}
		}
	}
	return f, nil
}

func wrongParameter(name, value, want string) *adminError {
	return &adminError{
		Status: http.StatusBadRequest, Code: codeParameter, Title: "Wrong query parameter",
		Detail: fmt.Sprintf("%s=%s: want %s", name, value, want),
	}
}

// adminRequest shows one exchange.
func (s *Server) adminRequest(_ *http.Request, id string) (any, *adminError) {
	entries, forgotten := s.journal.Entries()
	seq := journal.SeqOf(id)
	for i := range entries {
		if entries[i].Seq == seq {
			return logged(&entries[i]), nil
		}
	}
	detail := fmt.Sprintf("the journal holds no request %q", id)
	if forgotten && seq != 0 {
		detail += "; older ones have been dropped, because it is bounded"
	}
	return nil, &adminError{Status: http.StatusNotFound, Code: codeNotFound, Title: "Request not found", Detail: detail}
}

// adminForget empties the journal.
func (s *Server) adminForget(*http.Request, string) (any, *adminError) {
	s.journal.Reset()
	return struct{}{}, nil
}

// adminReset goes back to the stubs of the files, unused, with an empty journal and nothing remembered.
func (s *Server) adminReset(*http.Request, string) (any, *adminError) {
	s.space.Set(stub.Runtime, nil)
	s.space.Reset()
	s.journal.Reset()
	return struct{}{}, nil
}
