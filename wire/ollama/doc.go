// Package ollama speaks Ollama's own API: chats and prompts, streamed as JSON lines and whole, embeddings on both paths,
// and the models of a machine, which can be listed, shown, pulled, pushed, created, copied, deleted, loaded and unloaded.
//
// A request streams unless it says `"stream": false`. A tool call comes whole in one record, its arguments are an object,
// and the answer stops with "stop". A request without messages loads the model, or unloads it, and needs no stub.
//
// The machine has the models that stubs or the configuration list, else [Provider]'s usual ones. What a client pulls,
// creates, copies or deletes changes the machine of its namespace only. Pulling finds every name that the machine has,
// every name of the usual families, and every name with a namespace ("me/model", "hf.co/me/model").
//
// Ollama's paths below /v1 are dialects of other wires: "ollama" of packages openai and anthropic. A request to port 11434
// or to ollama.com speaks them without being told.
//
// Facts about the wire are from github.com/ollama/ollama at commit fb30760 of 21 August 2026, where a comment names no
// other source.
package ollama
