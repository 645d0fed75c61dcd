// Package scripted speaks a provider that nobody knows: a neutral dialect of server-sent events, for tests of code that
// must work with any provider.
//
// A request is POST …/scripted with {"model", "messages", "tools", "output"}. Messages are {"role", "content"}, or "parts"
// in place of "content": {"text"}, {"image_url"} or {"mime_type", "data"}; an assistant's has "calls", each {"id", "name",
// "arguments"}; and a tool's result is {"role": "tool", "call_id", "content"}. A tool is {"name", "description",
// "schema"}, and the output asked for is null or {"name", "schema"}.
//
// The answer is always a stream of named events: usage {"input_tokens", "output_tokens", "total_tokens"}, text {"text"},
// tool_call {"id", "name", "arguments"}, error {"code", "message"}, and at last end {"stop", "reason"}, where stop is
// complete, tool_calls, refusal, length, filtered or blocked. An error answer is its message in plain text.
package scripted
