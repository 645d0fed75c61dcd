package pipeline

import (
	"net/http"
	"time"

	"github.com/mimus-go/mimus/internal/deliver"
	"github.com/mimus-go/mimus/internal/journal"
	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

// send delivers the answer and writes down what left. It says whether the connection is to be broken.
func (x *exchange) send(w http.ResponseWriter, r *http.Request) (broken bool) {
	if x.handler.config.Pinned {
		x.resp.Header = x.resp.Header.Set("Date", x.handler.config.Now().UTC().Format(http.TimeFormat))
	}
	x.plan.Stop = x.handler.config.Stopping
	result := deliver.Deliver(r.Context(), deliver.NewHTTP(w, r), x.resp, x.plan)
	if result.Gone && x.lease != nil && !scripted(x.used) {
		x.lease.Return()
	}
	x.finish(&result)
	return result.Broken
}

// scripted says whether an answer is a failure that was asked for: such a step is used up however it ends.
func scripted(a *stub.Answer) bool {
	return a.Error != nil || a.CutOffAfter != nil || a.DropAfter != nil || a.HangAfter != nil || a.Malformed || a.Raw != nil
}

// finish completes the journal entry. result is nil where nothing was sent.
func (x *exchange) finish(result *deliver.Result) {
	now := time.Now()
	x.handler.config.Journal.Update(x.entry, func(e *journal.Entry) {
		e.Ended = now
		if result == nil {
			e.Outcome = journal.ClientGone
			return
		}
		e.Status, e.Header, e.Response, e.Frames = x.resp.Status, x.resp.Header, result.Body, result.Frames
		e.Outcome = journal.Whole
		if result.Gone && !hangs(x.used) {
			e.Outcome = journal.ClientGone
		}
		if x.used != nil {
			e.Fault = faultName(x.used)
		}
		if result.Gone {
			e.HungUp = true
		}
	})
}

// hangs says whether the client was meant to give up.
func hangs(a *stub.Answer) bool { return a != nil && a.HangAfter != nil }

// faultName says in a word what a stub let go wrong.
func faultName(a *stub.Answer) string {
	switch {
	case a.Error != nil:
		return "error: " + string(a.Error.Kind)
	case a.DropAfter != nil && a.Reset:
		return "reset"
	case a.DropAfter != nil:
		return "drop"
	case a.HangAfter != nil:
		return "hang"
	case a.CutOffAfter != nil:
		return "cut off"
	case a.StallAfter != nil:
		return "stall"
	case a.Malformed:
		return "malformed"
	case a.SplitBytes > 0:
		return "split bytes"
	}
	return ""
}

// Ask answers a probe without a connection: the whole pipeline but for delivery.
func (h *Handler) Ask(p *wire.Probe) wire.Response {
	x := &exchange{handler: h, probe: p, entry: &journal.Entry{Time: time.Now(), Probe: p}}
	x.decide()
	h.config.Journal.Add(x.entry)
	body := x.resp.Bytes()
	x.finish(&deliver.Result{Body: body, Frames: len(x.resp.Frames)})
	return x.resp
}
