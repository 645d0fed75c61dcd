package gemini

import (
	"strings"

	"github.com/mimus-go/mimus/wire"
)

const vertexName = "vertex"

// isVertex knows Vertex AI by its paths, and by its hosts: REGION-aiplatform.googleapis.com, aiplatform.googleapis.com,
// aiplatform.REGION.rep.googleapis.com. Claude's and other publishers' paths on Vertex are not this provider's.
func isVertex(p *wire.Probe) bool {
	if i := strings.Index(p.Path, "/publishers/"); i >= 0 {
		return strings.HasPrefix(p.Path[i:], "/publishers/google/")
	}
	if strings.Contains(p.Path, "/endpoints/openapi/") || !strings.Contains(p.Path, "/v1") {
		return false
	}
	return strings.HasSuffix(p.Host, ".googleapis.com") && strings.Contains(p.Host, "aiplatform") ||
		strings.Contains(p.Path, "/projects/") && strings.Contains(p.Path, "/locations/") ||
		strings.Contains(p.Path, "/endpoints/")
}

// surface is who answers a call: AI Studio, or Vertex AI, and with which API version.
type surface struct {
	vertex bool
	// service is the host's name without the region, as errors have it.
	service string
	version string
}

func surfaceOf(c *wire.Call) surface {
	s := surface{service: studioHost, version: versionOf(c.Probe.Path)}
	if c.Probe.Dialect == vertexName {
		s.vertex, s.service = true, "aiplatform.googleapis.com"
	}
	return s
}

// versionOf is the segment of a path that is an API version.
func versionOf(path string) string {
	for _, v := range [...]string{"v1beta1", "v1alpha", "v1beta", "v1"} {
		if strings.Contains(path, "/"+v+"/") {
			return v
		}
	}
	return ""
}

// resource is the path of what was asked, from projects/ or publishers/ on, without the verb.
func resource(c *wire.Call) string {
	path := c.Probe.Path
	for _, start := range [...]string{"/projects/", "/publishers/", "/endpoints/"} {
		if i := strings.Index(path, start); i >= 0 {
			path = path[i+1:]
			break
		}
	}
	if i := strings.LastIndexByte(path, ':'); i >= 0 {
		path = path[:i]
	}
	return strings.TrimPrefix(path, "/")
}

// verbOf is the method after the last colon of a path, which some clients escape.
func verbOf(c *wire.Call) string {
	last := c.Probe.Path[strings.LastIndexByte(c.Probe.Path, '/')+1:]
	at := -1
	for _, colon := range [...]string{":", "%3A", "%3a"} {
		if i := strings.LastIndex(last, colon); i >= 0 {
			at = max(at, i+len(colon))
		}
	}
	if at < 0 {
		return ""
	}
	return last[at:]
}

// keyed says whether an API key came with the request.
func keyed(p *wire.Probe) bool { return p.Header.Get(keyHeader) != "" || p.Query.Get(keyQuery) != "" }

// bearer says whether a token came with the request.
func bearer(p *wire.Probe) bool { return p.Header.Get("Authorization") != "" }

// express says that the path names no project, so that an API key will do on Vertex.
func express(p *wire.Probe) bool { return !strings.Contains(p.Path, "/projects/") }
