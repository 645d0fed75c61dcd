package journal

import (
	"strconv"
	"sync"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// Limits are the usual bounds of a journal.
const (
	DefaultEntries = 10_000
	DefaultBytes   = 64 << 20
)

// Outcome says how an exchange ended.
type Outcome uint8

// The outcomes. An exchange is Open until its answer has left, or did not.
const (
	Open       Outcome = iota
	Whole              // the answer left as it was meant to, faults that a stub asked for included
	ClientGone         // the client hung up, timed out or lost the connection before that
)

// String is the outcome in words.
func (o Outcome) String() string {
	switch o {
	case Whole:
		return "delivered"
	case ClientGone:
		return "client_cancelled"
	}
	return "open"
}

// Entry is one exchange. Its fields are read through [Journal.Entries], which copies them.
type Entry struct {
	Seq     uint64
	Time    time.Time
	Probe   *wire.Probe
	Request *wire.Request // nil where no endpoint claimed the path, or the body could not be read
	// Endpoint is the endpoint's name, "" where none claimed the path.
	Endpoint string
	Stub     string
	Matched  bool
	// Reason says why there was no stub's answer: a refusal's rule or text.
	Reason string
	Near   []string
	// Warnings say what the wire could not carry of the stub's answer.
	Warnings []string

	Status   int
	Header   wire.Header
	Response []byte // what left, where Stream does not say
	// Stream is an answer in frames, of whose bytes the first Left left. See [Entry.Body].
	Stream *wire.Response
	// Packed, where it is set, are the frames of Stream.
	Packed  *wire.Packed
	Left    int
	Frames  int // events that left
	Outcome Outcome
	HungUp  bool   // the client closed before the answer had ended
	Fault   string // the fault that a stub asked for
	Ended   time.Time

	size int
	rest *packed // the rest of it, once it has ended
}

// Body is what left.
func (e *Entry) Body() []byte {
	if e.Stream == nil {
		return e.Response
	}
	stream := *e.Stream
	if e.Packed != nil {
		stream.Frames = e.Packed.Frames()
	}
	b := stream.Bytes()
	return b[:min(e.Left, len(b))]
}

// weight is roughly what an entry holds in memory.
func (e *Entry) weight() int {
	n := overhead + len(e.Response)
	if e.rest != nil {
		n += len(e.rest.head) + len(e.rest.body)
	} else {
		n += 2 * len(e.Probe.Body)
	}
	if e.Packed != nil {
		n += e.Packed.Size()
	}
	if e.Stream != nil {
		for i := range e.Stream.Frames {
			n += len(e.Stream.Frames[i].Data) + frameOverhead
		}
	}
	return n
}

// ID is the entry's name in the admin API.
func (e *Entry) ID() string {
	const hex = "0123456789abcdef"
	id := []byte("00000000-0000-4000-8000-000000000000")
	for i, n := len(id)-1, e.Seq; n > 0 && i > 23; i-- {
		id[i] = hex[n&15]
		n >>= 4
	}
	return string(id)
}

// SeqOf is the sequence number in an ID, or 0.
func SeqOf(id string) uint64 {
	const prefix = "00000000-0000-4000-8000-"
	if len(id) != len(prefix)+12 || id[:len(prefix)] != prefix {
		return 0
	}
	n, err := strconv.ParseUint(id[len(prefix):], 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// Journal is a ring of entries. It is safe for concurrent use.
type Journal struct {
	maxEntries, maxBytes int
	decode               func(*Entry, *wire.Turn) *wire.Request

	// mu guards what follows and the entries' fields.
	mu     sync.Mutex
	ring   []*Entry // oldest at start
	start  int
	count  int
	bytes  int
	seq    uint64
	oldest uint64 // entries below this number are gone
	// forgotten says that entries were evicted since the last reset.
	forgotten bool
}

// New makes a journal that holds at most so many entries and bytes; 0 takes the usual bound.
func New(entries, bytes int) *Journal {
	if entries <= 0 {
		entries = DefaultEntries
	}
	if bytes <= 0 {
		bytes = DefaultBytes
	}
	return &Journal{maxEntries: entries, maxBytes: bytes}
}

// DecodeWith says how the request of an ended entry is read again, given what it continued. It is set before the journal
// is used.
func (j *Journal) DecodeWith(decode func(e *Entry, history *wire.Turn) *wire.Request) {
	j.decode = decode
}

// Add takes an exchange that has begun. It gives it its number.
func (j *Journal) Add(e *Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	e.Seq = j.seq
	e.size = e.weight()
	j.bytes += e.size
	if j.count == len(j.ring) {
		j.grow()
	}
	j.ring[(j.start+j.count)%len(j.ring)] = e
	j.count++
	j.evict()
}

// overhead is roughly what an entry weighs beside its bodies.
const overhead = 1024

// frameOverhead is roughly what a frame weighs beside its data.
const frameOverhead = 64

// Update changes an entry that has not ended.
func (j *Journal) Update(e *Entry, change func(*Entry)) { j.change(e, change) }

// Rest changes an entry that will not end soon, and puts it to rest already: only what Finish sets may still come.
func (j *Journal) Rest(e *Entry, change func(*Entry)) { j.Finish(e, change) }

// Finish changes an entry for the last time, and puts it to rest.
func (j *Journal) Finish(e *Entry, change func(*Entry)) {
	j.change(e, func(e *Entry) {
		change(e)
		e.pack()
	})
}

func (j *Journal) change(e *Entry, change func(*Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	before := e.size
	change(e)
	e.size = e.weight()
	if e.Seq >= j.oldest {
		j.bytes += e.size - before
		j.evict()
	}
}

func (j *Journal) grow() {
	n := min(max(64, 2*len(j.ring)), j.maxEntries+1)
	ring := make([]*Entry, n)
	for i := range j.count {
		ring[i] = j.ring[(j.start+i)%len(j.ring)]
	}
	j.ring, j.start = ring, 0
}

func (j *Journal) evict() {
	for j.count > j.maxEntries || j.bytes > j.maxBytes && j.count > 1 {
		e := j.ring[j.start]
		j.ring[j.start] = nil
		j.start = (j.start + 1) % len(j.ring)
		j.count--
		j.bytes -= e.size
		j.oldest, j.forgotten = e.Seq+1, true
	}
}

// Entries are copies of the entries, oldest first. forgotten says that older ones were evicted, so that nothing can be
// proven about all requests.
func (j *Journal) Entries() (entries []Entry, forgotten bool) {
	entries, forgotten = j.copies()
	for i := range entries {
		entries[i].unpack(j.decode)
	}
	return entries, forgotten
}

func (j *Journal) copies() (entries []Entry, forgotten bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	entries = make([]Entry, j.count)
	for i := range entries {
		entries[i] = *j.ring[(j.start+i)%len(j.ring)]
	}
	return entries, j.forgotten
}

// Reset forgets everything.
func (j *Journal) Reset() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ring, j.start, j.count, j.bytes = nil, 0, 0, 0
	j.oldest, j.forgotten = j.seq+1, false
}
