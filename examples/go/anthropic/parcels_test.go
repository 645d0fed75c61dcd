package parcels

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/mimus-go/mimus"
)

func assistant(m *mimus.Mock) *Assistant {
	return &Assistant{
		Client: anthropic.NewClient(option.WithHTTPClient(m.Client()), option.WithAPIKey("test")),
		State:  func(reference string) string { return reference + ": OUT_FOR_DELIVERY" },
	}
}

func TestToolLoop(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On(mimus.About("PX-AI-8102")).Reply(mimus.CallTool("track_parcel", `{"reference":"PX-AI-8102"}`))
	m.On(mimus.About("PX-AI-8102"), mimus.AfterTool("track_parcel")).Reply(mimus.Text("Out for delivery."))

	got, err := assistant(m).Ask(t.Context(), "Where is PX-AI-8102?")
	if err != nil || got != "Out for delivery." {
		t.Errorf("got %q, %v", got, err)
	}
	asked := m.Asked(mimus.About("PX-AI-8102"))
	asked.Times(2)
	asked.OfferedTool("track_parcel")
	asked.Contains("OUT_FOR_DELIVERY")
}

// A gap of half a minute is fine where the limit is a minute; a stream that hangs is given up, and hung up.
func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply mimus.Reply
		want  error
		took  time.Duration
	}{
		"a gap":  {mimus.Text("Out for delivery.").StallAfter(5, 30*time.Second), nil, 30 * time.Second},
		"a hang": {mimus.Text("Out for delivery.").HangAfter(5), ErrIdle, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				m.On().Reply(c.reply)
				begin := time.Now()
				var said strings.Builder
				err := assistant(m).Stream(t.Context(), "Where is my parcel?", time.Minute, func(s string) { said.WriteString(s) })
				if !errors.Is(err, c.want) || time.Since(begin) != c.took || !strings.HasPrefix(said.String(), "Out for") {
					t.Errorf("got %q, %v after %s", said.String(), err, time.Since(begin))
				}
				if c.want != nil {
					m.Asked().HungUp()
				}
			})
		})
	}
}

func TestCutOff(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.Script(mimus.Text("Out for delivery.").CutAfter(4), mimus.Text("Out for delivery.").Interrupted(), mimus.Text("Out").ErrorAfter(2, mimus.ServerError()))
	for range 3 {
		if err := assistant(m).Stream(t.Context(), "Where is my parcel?", time.Minute, func(string) {}); err == nil {
			t.Error("half an answer passed as a whole one")
		}
	}
}

// The SDK waits as long as the provider says, and no retry follows an exhausted quota.
func TestRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.Script(mimus.RateLimited().RetryAfter(50*time.Second), mimus.Overloaded(), mimus.Text("Out for delivery."))
		got, err := assistant(m).Ask(t.Context(), "Where is my parcel?")
		if err != nil || got != "Out for delivery." {
			t.Errorf("got %q, %v", got, err)
		}
		asked := m.Asked()
		asked.Retried(2)
		if waits := asked.Waits(); waits[0] < 50*time.Second || waits[0] > time.Minute {
			t.Errorf("waited %v", waits)
		}
	})
}

// TestSDKTimeout hits the SDK's ten minutes, three times: it tries again.
func TestSDKTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.On().Reply(mimus.Text("").HangAfter(0))
		a := assistant(m)
		a.Client = anthropic.NewClient(option.WithHTTPClient(m.Client()), option.WithAPIKey("test"), option.WithRequestTimeout(10*time.Minute))
		begin := time.Now()
		_, err := a.Ask(t.Context(), "Where is my parcel?")
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) < 30*time.Minute {
			t.Errorf("got %v after %s", err, time.Since(begin))
		}
		m.Asked().Retried(2)
		m.Asked().HungUp()
	})
}

func TestExtract(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.Script(mimus.JSON(Arrival{"PX-AI-8102", 2}), mimus.ContentFiltered(""), mimus.InvalidOutput(), mimus.OutputLimited(`{"reference":"PX`))
	a := assistant(m)
	if got, err := a.Extract(t.Context(), "PX-AI-8102 comes in two days."); err != nil || got != (Arrival{"PX-AI-8102", 2}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, says := range []string{"refuses", "no schema", "no schema"} {
		if _, err := a.Extract(t.Context(), "And this?"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	m.Asked().AskedForSchema(Schema)
}
