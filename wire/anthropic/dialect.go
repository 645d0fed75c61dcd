package anthropic

import "github.com/mimus-go/mimus/wire"

const (
	vertexName  = "vertex"
	bedrockName = "bedrock"
	ollamaName  = "ollama"
)

// dialect is what tells one speaker of the wire from another, apart from quirks that a stub may have too.
type dialect struct {
	name string
	// message and tool are the prefixes of ids; idLength is how many characters follow the message's.
	message, tool string
	idAlphabet    string
	idLength      int
	// google says that Google's own layer stands before the model: its headers, and its errors for keys and quotas.
	google bool
	// aws says that the wire is carried by Amazon Bedrock: its event streams, its headers and its errors.
	aws bool
	// version is where the API version is: a header, the body, or nowhere.
	version versionPlace
	quirks  Quirks
}

type versionPlace uint8

const (
	versionInHeader versionPlace = iota
	versionInBody
	versionNowhere
)

// dialects lists Anthropic itself and the others. Lengths and prefixes of ids are recorded.
var dialects = [...]dialect{
	{name: "", message: "msg_01", tool: "toolu_", idAlphabet: wire.Base62, idLength: 22},
	{
		// Recorded: Vertex sends the ping before the first block, four token counters, and neither stop_details nor caller.
		name: vertexName, message: "msg_vrtx_01", tool: "toolu_vrtx_", idAlphabet: wire.Base62, idLength: 22,
		google: true, version: versionInBody,
		quirks: Quirks{Ping: "afterMessageStart", Usage: "counters", DeltaUsage: "output", NoStopDetails: true, NoCaller: true},
	},
	{
		// Recorded 2025-2026: no ping and no spaces, as chunks are padded themselves; the newer usage without service tier
		// and region, and neither stop_details nor caller.
		name: bedrockName, message: "msg_bdrk_01", tool: "toolu_bdrk_", idAlphabet: wire.Base62, idLength: 22,
		aws: true, version: versionInBody,
		quirks: Quirks{Ping: "never", NoPadding: true, Usage: "untiered", DeltaUsage: "output", NoStopDetails: true, NoCaller: true},
	},
	{
		// github.com/ollama/ollama anthropic/anthropic.go, Aug 2026: no ping, no padding, no signature, the whole input in
		// one delta, empty keys left out; an error inside a stream is swallowed.
		name: ollamaName, message: "msg_", tool: "call_", idAlphabet: wire.Hex, idLength: 24, version: versionNowhere,
		quirks: Quirks{
			Ping: "never", NoPadding: true, Usage: "plain", DeltaUsage: "plain", NoStopDetails: true, NoCaller: true,
			OldOrder: true, NoNulls: true, NoSignature: true, WholeInput: true, SwallowErrors: true,
		},
	},
}

// dialectOf is the speaker of a call; a name that is not in the table is Anthropic itself.
func dialectOf(c *wire.Call) *dialect {
	name := c.Probe.Dialect
	if c.Endpoint != nil && c.Endpoint.Name == bedrockEndpoint {
		// Nobody else speaks on this path, whatever name the request goes by.
		name = bedrockName
	}
	if name != "" {
		for i := range dialects {
			if dialects[i].name == name {
				return &dialects[i]
			}
		}
	}
	return &dialects[0]
}
