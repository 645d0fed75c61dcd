package parcels

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/mimus-go/mimus"
)

func assistant(m *mimus.Mock) *Assistant {
	return &Assistant{
		Client: bedrockruntime.New(bedrockruntime.Options{
			Region: "eu-west-1", HTTPClient: m.Client(),
			Credentials: aws.CredentialsProviderFunc(staticKey),
		}),
		State: func(reference string) string { return reference + ": OUT_FOR_DELIVERY" },
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

func TestIdleTimeout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reply mimus.Reply
		want  error
		took  time.Duration
	}{
		"a gap":  {mimus.Text("Out for delivery.").StallAfter(3, 30*time.Second), nil, 30 * time.Second},
		"a hang": {mimus.Text("Out for delivery.").HangAfter(3), ErrIdle, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := mimus.New(t)
				m.On().Reply(c.reply)
				begin := time.Now()
				var said strings.Builder
				err := assistant(m).Stream(t.Context(), "Where is my parcel?", time.Minute, func(s string) { said.WriteString(s) })
				if !errors.Is(err, c.want) || time.Since(begin) != c.took || !strings.HasPrefix(said.String(), "Out ") {
					t.Errorf("got %q, %v after %s", said.String(), err, time.Since(begin))
				}
				if c.want != nil {
					m.Asked().HungUp()
				}
			})
		})
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := mimus.New(t)
		m.Script(mimus.RateLimited(), mimus.ServerError(), mimus.Text("Out for delivery."))
		got, err := assistant(m).Ask(t.Context(), "Where is my parcel?")
		if err != nil || got != "Out for delivery." {
			t.Errorf("got %q, %v", got, err)
		}
		m.Asked().Retried(2)
	})
}

// An exhausted quota is no throttling, and no retry follows it.
func TestQuota(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.Script(mimus.QuotaExceeded())
	if got, err := assistant(m).Ask(t.Context(), "Where is my parcel?"); err == nil || !strings.Contains(err.Error(), "ServiceQuotaExceededException") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestExtract(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.Script(mimus.JSON(Arrival{"PX-AI-8102", 2}), mimus.ContentFiltered(""), mimus.PromptBlocked(), mimus.InvalidOutput(), mimus.OutputLimited(`{"reference":"PX`))
	a := assistant(m)
	if got, err := a.Extract(t.Context(), "PX-AI-8102 comes in two days."); err != nil || got != (Arrival{"PX-AI-8102", 2}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, says := range []string{"refuses", "refuses", "no schema", "no schema"} {
		if _, err := a.Extract(t.Context(), "And this?"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	m.Asked().AskedForSchema(Schema)
}
