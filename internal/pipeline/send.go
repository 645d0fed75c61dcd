package pipeline

import (
	"net/http"
	"strings"
	"time"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/engine"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// ending is what an exchange needs once its answer is on its way. A stream that is handed over keeps no more of it.
type ending struct {
	handler *Handler
	entry   *journal.Entry
	lease   *engine.Lease
	used    *stub.Answer // what the lease's stub answers
	cutOff  bool         // the request ended before its body was whole
	rested  bool         // the journal has all but the end
}

// send delivers the answer, and says whether the connection is to be broken.
func (x *exchange) send(w http.ResponseWriter, r *http.Request) (broken bool) {
	x.plan.Stop = x.handler.config.Stopping
	result := x.deliver(w, r)
	if result.HandedOver {
		// Nothing of the rest leaves before our caller has returned.
		x.handler.config.Journal.Rest(x.entry, func(e *journal.Entry) { e.Status, e.Header = x.resp.Status, x.resp.Header })
		return false
	}
	return x.sent(&x.resp, &result)
}

func (x *exchange) deliver(w http.ResponseWriter, r *http.Request) deliver.Result {
	if x.later != nil && !x.later(r.Context()) {
		return deliver.Result{Gone: true}
	}
	if x.handler.config.Pinned {
		x.resp.Header = x.resp.Header.Set("Date", x.handler.config.Now().UTC().Format(http.TimeFormat))
	}
	if x.plan.Pace != nil && x.resp.Framing != nil {
		x.plan.Later = x.ending.later(x.resp.Framing)
	}
	return deliver.Deliver(r.Context(), deliver.NewHTTP(w, r), x.resp, x.plan)
}

// later is what is done when a stream that was handed over has ended.
func (e ending) later(framing wire.Framing) func(deliver.Result) bool {
	e.rested = true
	return func(result deliver.Result) bool { return e.sent(&wire.Response{Framing: framing}, &result) }
}

// sent writes down what left, and says whether the connection is to be broken.
func (e *ending) sent(resp *wire.Response, result *deliver.Result) (broken bool) {
	if result.Gone && e.lease != nil && !result.Struck && !failure(e.used) {
		e.lease.Return()
	}
	e.finish(resp, result)
	// A handler that returned without a word would answer 200 to whoever still reads.
	return result.Broken || result.Gone
}

// failure says whether an answer is one that was asked to fail. Its step is used up, however it ends; a whole answer's
// is, too, once a fault such as a stall has begun.
func failure(a *stub.Answer) bool {
	return a != nil && (a.Error != nil || a.CutOffAfter != nil || a.DropAfter != nil || a.HangAfter != nil || a.Malformed || a.Reject != nil ||
		a.Raw != nil && a.Raw.Status >= http.StatusBadRequest)
}

// finish completes the journal entry.
func (e *ending) finish(resp *wire.Response, result *deliver.Result) {
	now := time.Now()
	e.handler.config.Journal.Finish(e.entry, func(to *journal.Entry) {
		to.Ended = now
		if !e.rested {
			to.Status, to.Header = resp.Status, resp.Header
		}
		to.Response, to.Frames = result.Body, result.Frames
		if result.Body == nil && resp.Framing != nil {
			to.Stream, to.Left = &wire.Response{Framing: resp.Framing, Frames: resp.Frames}, result.Left
			to.Packed = result.Packed
		}
		to.HungUp = result.Gone || e.cutOff
		to.Outcome = journal.Whole
		if to.HungUp && !hangs(e.used) {
			to.Outcome = journal.ClientGone
		}
		if e.used != nil {
			to.Fault = faultName(e.used)
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
	x := &exchange{ending: ending{handler: h, entry: &journal.Entry{Time: time.Now(), Probe: p}}, probe: p}
	x.decide(nil)
	h.config.Journal.Add(x.entry)
	x.finish(&x.resp, &deliver.Result{Body: x.resp.Bytes(), Frames: len(x.resp.Frames)})
	return x.resp
}
