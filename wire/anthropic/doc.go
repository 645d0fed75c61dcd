// Package anthropic speaks Anthropic's Messages API, streamed and whole, its token count and its model list, and Claude
// on Google's Vertex AI.
//
// Other speakers of the same wire are dialects: a row of a table with the prefixes of ids and the [Quirks] that tell the
// speaker from Anthropic itself. "vertex" is known by its paths, "ollama" has to be named. An event becomes a frame in
// one place only, so that a dialect with another envelope (Claude on Bedrock's InvokeModel) is a row and a method there.
//
// Facts about the wire cite their source in the comments. "Recorded" means that answers of the provider itself show it.
package anthropic
