// Package aws is what every wire on Amazon Bedrock has in common, whichever model speaks: the framing of event streams,
// chunks and their padding, request ids and token counts in headers, and the errors.
//
// Two providers need it: wire/bedrock for Amazon's own operations, and wire/anthropic for Claude on InvokeModel. Neither
// knows the other.
package aws
