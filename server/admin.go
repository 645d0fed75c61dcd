package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/stub"
)

// adminPrefix is where the admin API begins. Its paths and shapes are WireMock's, so that its clients work.
const adminPrefix = "/__admin"

// adminRoute is one call of the admin API. A segment {id} of the path is given to serve.
type adminRoute struct {
	method, path string
	serve        func(s *Server, r *http.Request, id string) (any, *adminError)
}

// adminRoutes are all calls of the admin API.
func adminRoutes() []adminRoute {
	return []adminRoute{
		{http.MethodGet, "/health", (*Server).adminHealth},
		{http.MethodGet, "/requests", (*Server).adminRequests},
		{http.MethodDelete, "/requests", (*Server).adminForget},
		{http.MethodGet, "/requests/{id}", (*Server).adminRequest},
		{http.MethodPost, "/reset", (*Server).adminReset},
	}
}

// adminError is an error in WireMock's form.
type adminError struct {
	Status int    `json:"-"`
	Code   int    `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	allow  []string
}

// The codes of admin errors.
const (
	codeUnknownPath = 40
	codeWrongMethod = 41
	codeParameter   = 42
	codeNotFound    = 43
)

func (s *Server) admin(w http.ResponseWriter, r *http.Request, path string) {
	route, id, failure := findAdmin(r.Method, path)
	var answer any
	if failure == nil {
		answer, failure = route.serve(s, r, id)
	}
	if failure != nil {
		if len(failure.allow) > 0 {
			w.Header().Set("Allow", strings.Join(failure.allow, ", "))
		}
		writeJSON(w, failure.Status, struct {
			Errors []*adminError `json:"errors"`
		}{[]*adminError{failure}})
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// findAdmin finds the call, or says what is wrong with method or path.
func findAdmin(method, path string) (*adminRoute, string, *adminError) {
	path = strings.TrimSuffix(path, "/")
	if method == http.MethodHead {
		method = http.MethodGet
	}
	routes := adminRoutes()
	var allow, paths []string
	for i := range routes {
		route := &routes[i]
		paths = append(paths, adminPrefix+route.path)
		id, ok := route.match(path)
		switch {
		case !ok:
		case route.method == method:
			return route, id, nil
		default:
			allow = append(allow, route.method)
		}
	}
	if len(allow) > 0 {
		return nil, "", &adminError{
			Status: http.StatusMethodNotAllowed, Code: codeWrongMethod, Title: "Method not allowed", allow: allow,
			Detail: fmt.Sprintf("%s %s%s: the method here is %s", method, adminPrefix, path, strings.Join(allow, " or ")),
		}
	}
	paths = slices.Compact(paths)
	hint := "; there are " + strings.Join(paths, ", ")
	if near := stub.Nearest(adminPrefix+path, paths); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return nil, "", &adminError{
		Status: http.StatusNotFound, Code: codeUnknownPath, Title: "Unknown admin path",
		Detail: fmt.Sprintf("%s %s%s: there is no such path%s", method, adminPrefix, path, hint),
	}
}

func (a *adminRoute) match(path string) (id string, ok bool) {
	before, hasID := strings.CutSuffix(a.path, "{id}")
	if !hasID {
		return "", path == a.path
	}
	id, ok = strings.CutPrefix(path, before)
	return id, ok && id != "" && !strings.Contains(id, "/")
}

// writeJSON writes what people and programs can read.
func writeJSON(w http.ResponseWriter, status int, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}
