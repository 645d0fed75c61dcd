package pipeline

import (
	"time"

	"github.com/mimus-go/mimus/wire"
)

// env is what the codecs of a provider may know of this server.
type env struct {
	handler  *Handler
	provider wire.Provider
}

func (e *env) Now() time.Time { return e.handler.config.Now() }

func (e *env) Store() wire.Store { return e.handler.config.Space.Store() }

func (e *env) Ask(p *wire.Probe) wire.Response { return e.handler.Ask(p) }

// Models are the models that stubs list, else those of the configuration, else the provider's usual ones.
func (e *env) Models() []string {
	for _, s := range e.handler.config.Space.Stubs() {
		if s.Kind == wire.Models && len(s.Answers) > 0 && s.Answers[0].Models != nil {
			return s.Answers[0].Models
		}
	}
	if e.handler.config.Models != nil {
		return e.handler.config.Models
	}
	if l, ok := e.provider.(wire.Lister); ok {
		return l.UsualModels()
	}
	return nil
}
