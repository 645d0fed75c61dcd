// Package anthropic speaks Anthropic's Messages API, streamed and whole, its token count and its model list, and Claude
// on Google's Vertex AI and on Amazon Bedrock's InvokeModel.
//
// Other speakers of the same wire are dialects: a row of a table with the prefixes of ids and the [Quirks] that tell the
// speaker from Anthropic itself. "vertex" and "bedrock" are known by their paths, "ollama" has to be named. An event
// becomes a frame in one place only, where Bedrock puts it into a chunk of an AWS event stream.
//
// Facts about the wire cite their source in the comments. "Recorded" means that answers of the provider itself show it.
package anthropic
