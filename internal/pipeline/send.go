package pipeline

import (
	"net/http"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// send delivers the answer and writes down what left. It says whether the connection is to be broken.
func (x *exchange) send(w http.ResponseWriter, r *http.Request) (broken bool) {
	x.plan.Stop = x.handler.config.Stopping
	result := x.deliver(w, r)
	if result.Gone && x.lease != nil && !result.Struck && !failure(x.used) {
		x.lease.Return()
	}
	x.finish(&result)
	// A handler that returned without a word would answer 200 to whoever still reads.
	return result.Broken || result.Gone
}

func (x *exchange) deliver(w http.ResponseWriter, r *http.Request) deliver.Result {
	if x.later != nil && !x.later(r.Context()) {
		return deliver.Result{Gone: true}
	}
	if x.handler.config.Pinned {
		x.resp.Header = x.resp.Header.Set("Date", x.handler.config.Now().UTC().Format(http.TimeFormat))
	}
	return deliver.Deliver(r.Context(), deliver.NewHTTP(w, r), x.resp, x.plan)
}

// failure says whether an answer is one that was asked to fail. Its step is used up, however it ends; a whole answer's
// is, too, once a fault such as a stall has begun.
func failure(a *stub.Answer) bool {
	return a != nil && (a.Error != nil || a.CutOffAfter != nil || a.DropAfter != nil || a.HangAfter != nil || a.Malformed || a.Reject != nil ||
		a.Raw != nil && a.Raw.Status >= http.StatusBadRequest)
}

// finish completes the journal entry.
func (x *exchange) finish(result *deliver.Result) {
	now := time.Now()
	x.handler.config.Journal.Finish(x.entry, func(e *journal.Entry) {
		e.Ended = now
		e.Status, e.Header, e.Response, e.Frames = x.resp.Status, x.resp.Header, result.Body, result.Frames
		if result.Body == nil && x.resp.Framing != nil {
			e.Stream, e.Left = &wire.Response{Framing: x.resp.Framing, Frames: x.resp.Frames}, result.Left
		}
		e.HungUp = result.Gone || x.cutOff
		e.Outcome = journal.Whole
		if e.HungUp && !hangs(x.used) {
			e.Outcome = journal.ClientGone
		}
		if x.used != nil {
			e.Fault = faultName(x.used)
		}
	})
}

// hangs says whether the client was meant to give up.
func hangs(a *stub.Answer) bool { return a != nil && a.HangAfter != nil }

// faultName says in a few words what a stub lets go wrong.
func faultName(a *stub.Answer) string {
	var names []string
	if a.Error != nil {
		names = append(names, "error: "+string(a.Error.Kind))
	}
	if a.CutOffAfter != nil {
		names = append(names, "cut off")
	}
	if a.Malformed {
		names = append(names, "malformed")
	}
	if transport := deliver.Planned(&a.Fault); transport != "" {
		names = append(names, transport)
	}
	return strings.Join(names, ", ")
}

// Ask answers a probe without a connection: the whole pipeline but for delivery.
func (h *Handler) Ask(p *wire.Probe) wire.Response {
	x := &exchange{handler: h, probe: p, entry: &journal.Entry{Time: time.Now(), Probe: p}}
	x.decide(nil)
	h.config.Journal.Add(x.entry)
	x.finish(&deliver.Result{Body: x.resp.Bytes(), Frames: len(x.resp.Frames)})
	return x.resp
}
