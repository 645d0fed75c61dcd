package parcels

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mimus-go/mimus"
	"github.com/ollama/ollama/api"
)

func assistant(m *mimus.Mock) *Assistant {
	return &Assistant{
		Client: api.NewClient(&url.URL{Scheme: "http", Host: "localhost:11434"}, m.Client()),
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
	asked.Contains("PX-AI-8102: OUT_FOR_DELIVERY")
}

// A gap of half a minute is fine where the limit is a minute; a stream that hangs is given up, and hung up.
func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply mimus.Reply
		want  error
		took  time.Duration
	}{
		"a gap":  {mimus.Text("Out for delivery.").StallAfter(2, 30*time.Second), nil, 30 * time.Second},
		"a hang": {mimus.Text("Out for delivery.").HangAfter(2), ErrIdle, time.Minute},
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
	m.Script(mimus.Text("Out for delivery.").CutAfter(2), mimus.Text("Out for delivery.").Interrupted(), mimus.Text("Out").ErrorAfter(1, mimus.ServerError()))
	for range 3 {
		if err := assistant(m).Stream(t.Context(), "Where is my parcel?", time.Minute, func(string) {}); err == nil {
			t.Error("half an answer passed as a whole one")
		}
	}
}

// The program asks again where that may help, and only there.
func TestRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.Script(mimus.Overloaded(), mimus.ServerError(), mimus.Text("Out for delivery."))
		got, err := assistant(m).Ask(t.Context(), "Where is my parcel?")
		if err != nil || got != "Out for delivery." {
			t.Errorf("got %q, %v", got, err)
		}
		m.Asked().Retried(2, time.Second, 2*time.Second)

		m.Script(mimus.ContextTooLong())
		if _, err := assistant(m).Ask(t.Context(), "And all the others?"); err == nil {
			t.Error("a failure passed as an answer")
		}
	})
}

func TestExtract(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.Script(mimus.JSON(Arrival{"PX-AI-8102", 2}), mimus.InvalidOutput(), mimus.OutputLimited(`{"reference":"PX`))
	a := assistant(m)
	if got, err := a.Extract(t.Context(), "PX-AI-8102 comes in two days."); err != nil || got != (Arrival{"PX-AI-8102", 2}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for range 2 {
		if _, err := a.Extract(t.Context(), "And this?"); err == nil || !strings.Contains(err.Error(), "no schema") {
			t.Errorf("got %v", err)
		}
	}
	m.Asked().AskedForSchema(Schema)
}
