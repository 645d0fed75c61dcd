// Package wiretest holds a wire to its goldens and to its own reader.
//
// [Run] plays every *.txtar file of a file system through a provider's codecs. A file is one exchange:
//
//	Prose: what this shows. A line "source: PAGE OR REPOSITORY, DATE" says that the response was transcribed from
//	there; such a file is never rewritten by -update.
//	-- stub.json --
//	{"text": "Hello"}
//	-- request.http --
//	POST /v1/chat/completions
//	Authorization: Bearer sk-test
//
//	{"model": "gpt-4o", "messages": […]}
//	-- response.http --
//	200
//	Content-Type: application/json
//
//	{…}
//	-- masks --
//	chatcmpl-[A-Za-z0-9]{29}
//	header X-Request-Id
//	header *
//
// A binary body is "base64:" and its base64 form. An AWS event stream is two lines a frame: the headers in their order, and
// the payload, with what a chunk holds in base64 decoded between « and ».
//
// Masks are regular expressions, one a line, of what differs by nature between a transcript and our answer (ids, times,
// padding): each match is replaced by one mark on both sides before they are compared. A mask that finds nothing on a
// side is an error. "header NAME" leaves a header line out on both sides; "header *" leaves out those of ours that the
// transcript has no line for, where its recorder kept only some.
//
// Every request of the files is then answered with every kind of answer, and each answer is read back by the codec, whole
// and byte by byte: Fold(Read(Render(r))) must equal Fit(r), and Fit must be idempotent.
package wiretest
