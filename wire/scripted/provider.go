package scripted

import (
	"net/http"
	"strings"

	"github.com/mimus-go/mimus/wire"
)

// Host is where the provider would be, if there were one.
const Host = "scripted.mimus.invalid"

// Provider is the provider that nobody knows.
func Provider() wire.Provider { return provider{} }

type provider struct{}

// Name is "mimus".
func (provider) Name() string { return "mimus" }

// Endpoints is the one that chats.
func (provider) Endpoints() []wire.Endpoint {
	return []wire.Endpoint{{Name: "mimus.scripted", Kind: wire.Chat, Method: http.MethodPost, Suffix: "/scripted", Codec: codec{}}}
}

// Owns knows the host, and the path that nobody else has.
func (provider) Owns(p *wire.Probe) int {
	if p.Host == Host || strings.Contains(p.Path+"/", "/scripted/") {
		return 100
	}
	return 0
}

// Refuse answers where no endpoint does.
func (provider) Refuse(_ *wire.Probe, f *wire.Failure) wire.Response { return refuse(f) }

type codec struct{}

// Refuse is the message in plain text.
func (codec) Refuse(_ *wire.Call, f *wire.Failure) wire.Response { return refuse(f) }
