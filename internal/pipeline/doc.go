// Package pipeline is the path of a request, one way and no way back: route, decode, remember, peek, refuse, commit,
// encode, deliver, journal. The Go library and the server both answer with it.
package pipeline
