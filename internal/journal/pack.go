package journal

import (
	"encoding/binary"
	"net/http"
	"net/url"

	"github.com/mimus-go/mimus/wire"
)

// packed is an entry at rest: what is only looked at again when somebody asks, in one piece of memory that holds no
// pointers. Ten thousand requests taken apart would be what the garbage collector spends its time on.
type packed struct {
	// head is the probe without its body, and the answer's header.
	head []byte
	body []byte
	// asked says that the entry had a Request, which is decoded again when it is asked for; history is what that
	// request continued.
	asked   bool
	history *wire.Turn
}

// pack puts an entry to rest, unless it is.
func (e *Entry) pack() {
	if e.rest != nil {
		return
	}
	p := e.Probe
	b := make([]byte, 0, 768)
	for _, s := range [...]string{p.Method, p.Host, p.Path, p.Target, p.Dialect} {
		b = appendText(b, s)
	}
	b = appendValues(b, p.Header)
	b = appendValues(b, p.Query)
	b = binary.AppendUvarint(b, uint64(len(p.Vars)))
	for name, value := range p.Vars {
		b = appendText(appendText(b, name), value)
	}
	tls := byte(0)
	if p.TLS {
		tls = 1
	}
	b = append(b, tls)
	for _, f := range e.Header {
		b = appendText(appendText(b, f.Name), f.Value)
	}
	e.rest = &packed{head: b, body: p.Body, asked: e.Request != nil}
	if e.Request != nil {
		e.rest.history = e.Request.History
	}
	e.Probe, e.Request, e.Header = nil, nil, nil
}

// unpack wakes a copy of an entry. decode gives the request again.
func (e *Entry) unpack(decode func(*Entry, *wire.Turn) *wire.Request) {
	r := e.rest
	if r == nil {
		return
	}
	in := reader(r.head)
	p := &wire.Probe{Body: r.body}
	p.Method, p.Host, p.Path, p.Target, p.Dialect = in.text(), in.text(), in.text(), in.text(), in.text()
	p.Header = http.Header(in.values())
	if q := in.values(); len(q) > 0 {
		p.Query = url.Values(q)
	}
	if n := in.number(); n > 0 {
		p.Vars = make(map[string]string, n)
		for range n {
			name := in.text()
			p.Vars[name] = in.text()
		}
	}
	p.TLS = in[0] == 1
	in = in[1:]
	for len(in) > 0 {
		name := in.text()
		e.Header = append(e.Header, wire.Field{Name: name, Value: in.text()})
	}
	e.Probe, e.rest = p, nil
	if r.asked && decode != nil {
		e.Request = decode(e, r.history)
	}
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendValues(b []byte, m map[string][]string) []byte {
	b = binary.AppendUvarint(b, uint64(len(m)))
	for name, values := range m {
		b = appendText(b, name)
		b = binary.AppendUvarint(b, uint64(len(values)))
		for _, v := range values {
			b = appendText(b, v)
		}
	}
	return b
}

// reader takes apart what pack wrote; it is only ever given that.
type reader []byte

func (r *reader) number() int {
	n, size := binary.Uvarint(*r)
	*r = (*r)[size:]
	return int(n)
}

func (r *reader) text() string {
	n := r.number()
	s := string((*r)[:n])
	*r = (*r)[n:]
	return s
}

func (r *reader) values() map[string][]string {
	n := r.number()
	m := make(map[string][]string, n)
	for range n {
		name := r.text()
		values := make([]string, r.number())
		for i := range values {
			values[i] = r.text()
		}
		m[name] = values
	}
	return m
}
