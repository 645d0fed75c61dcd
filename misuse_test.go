package mimus_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mimus-go/mimus"
	"github.com/mimus-go/mimus/wire"
)

func TestMisuse(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		misuse func(m *mimus.Mock)
		says   []string
	}{
		{"a stub without a reply", func(m *mimus.Mock) { m.On(mimus.About("x")).Times(2) }, []string{"misuse_test.go:", "no reply", ".Reply("}},
		{"Reply without a reply", func(m *mimus.Mock) { m.On().Reply() }, []string{"Reply without a reply", `mimus.Text("")`}},
		{"a reply that is nil", func(m *mimus.Mock) { m.On().Reply(mimus.Text("a"), nil) }, []string{"reply 2 is nil"}},
		{"no times", func(m *mimus.Mock) { m.On().Times(0).Reply(mimus.Text("a")) }, []string{"Times(0)", "leave Times out"}},
		{"a second Reply", func(m *mimus.Mock) {
			s := m.On()
			s.Reply(mimus.Text("a"))
			s.Reply(mimus.Text("b"))
		}, []string{"a second Reply after Reply"}},
		{"Times after Reply", func(m *mimus.Mock) {
			s := m.On()
			s.Reply(mimus.Text("a"))
			s.Times(2)
		}, []string{"Times after Reply", "comes last"}},
		{"a matcher that is nil", func(m *mimus.Mock) { m.On(nil).Reply(mimus.Text("a")) }, []string{"matcher 1 is nil", "give none"}},
		{"an Exchange in a stub", func(m *mimus.Mock) { m.On().Reply(mimus.Exchange(mimus.About("x"), mimus.Text("a"))) }, []string{"belongs into a Script"}},
		{"an empty Script", func(m *mimus.Mock) { m.Script() }, []string{"Script without replies"}},
		{"nil in a Script", func(m *mimus.Mock) { m.Script(nil) }, []string{"reply 1 of the Script is nil"}},
		{"a nil matcher in a Script", func(m *mimus.Mock) { m.Script(mimus.Exchange(nil, mimus.Text("a"))) }, []string{"the matcher of reply 1"}},
		{"a nil matcher of Asked", func(m *mimus.Mock) { m.Asked(nil) }, []string{"matcher 1 of Asked is nil"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ft := fake(t)
			c.misuse(mimus.New(ft))
			ft.end()
			ft.wantFailure(t, c.says...)
		})
	}
}

func TestOnAfterAScriptBegan(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.On().Reply(mimus.Text("never asked"))
	m.Script(mimus.Text("one"), mimus.Text("two"))
	askChat(t, m.Client(), "")
	m.On().Reply(mimus.Text("three"))
	ft.wantFailure(t, "On after the first call of a Script", "give Script this reply")
	askChat(t, m.Client(), "")
}

func TestUseAfterTheTest(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	ft.end()
	ft.mu.Lock()
	ft.ended = false // to hear what it is told
	ft.mu.Unlock()
	m.On().Reply(mimus.Text("late"))
	ft.wantFailure(t, "the test TestParcels has ended")
	m.Script(mimus.Text("late"))
	ft.wantFailure(t, "the test TestParcels has ended")
}

// A function of the test that panics does so on a goroutine of the mock, where it would end the whole test run.
func TestFunctionsThatPanic(t *testing.T) {
	t.Parallel()
	ft := fake(t)
	m := mimus.New(ft)
	m.On(mimus.Where("broken", func(*wire.Request) bool { panic("no map") })).Reply(mimus.Text("a"))
	m.On().Reply(mimus.Func(func(*wire.Request) mimus.Replier { panic("no list") }))
	got := askChat(t, m.Client(), "")
	if got.status != http.StatusInternalServerError || !strings.Contains(got.body, "no list") {
		t.Errorf("got %+v", got)
	}
	ft.end()
	said := strings.Join(ft.said(), "\n")
	for _, want := range []string{"the function of a matcher panicked (broken): no map", "the function of a reply panicked: no list"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q in\n%s", want, said)
		}
	}
}

func TestFunctionThatGivesNil(t *testing.T) {
	t.Parallel()
	m := mimus.New(t)
	m.On().Reply(mimus.Func(func(*wire.Request) mimus.Replier { return nil }))
	if got := askChat(t, m.Client(), ""); got.status != http.StatusInternalServerError || !strings.Contains(got.body, "gave nil") {
		t.Errorf("got %+v", got)
	}
}

func TestJSONOfNoValue(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic for a channel")
		}
	}()
	mimus.JSON(make(chan int))
}
