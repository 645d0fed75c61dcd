package mimus

import "time"

// Option changes what [New] makes.
type Option func(*options)

type options struct {
	listen  bool
	lenient bool
	seed    uint64
	as      string
	keep    int
	now     func() time.Time
}

// Listen makes the mock listen on a loopback port, which [Mock.URL] names, for code that can't be given a client. A
// socket is nothing that a testing/synctest bubble can wait for.
func Listen() Option { return func(o *options) { o.listen = true } }

// AllowUnmatched lets requests that nothing answers pass as what they are to the client: a 404 in the provider's own
// form. Without it they fail the test too. A [Mock.Script] stays strict.
func AllowUnmatched() Option { return func(o *options) { o.lenient = true } }

// Seed makes other ids and paddings than the usual seed 1. The same seed and the same requests give the same bytes.
func Seed(n uint64) Option { return func(o *options) { o.seed = n } }

// As names who speaks where a request doesn't say: "azure", "deepseek".
func As(dialect string) Option { return func(o *options) { o.as = dialect } }

// Keep is how many requests the mock remembers for [Mock.Asked]; 10,000 is usual. What needs a forgotten one fails as not
// provable.
func Keep(requests int) Option { return func(o *options) { o.keep = requests } }

// At dates every answer with one time, so that its bytes are always the same.
func At(t time.Time) Option { return func(o *options) { o.now = func() time.Time { return t } } }
