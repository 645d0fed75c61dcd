package openai

import "github.com/mimus-go/mimus/wire"

// responsesQuirks are the quirks of the Responses API.
type responsesQuirks struct{}

// responsesQuirkFields are the fields of responsesQuirks that JSON can set.
func responsesQuirkFields() []quirk { return nil }

// responsesEndpoints are the endpoints of the Responses API.
func responsesEndpoints() []wire.Endpoint { return nil }
