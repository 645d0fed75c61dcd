// Package gemini speaks Google's Gemini API on both of its surfaces: AI Studio's generativelanguage.googleapis.com, and
// Vertex AI as a dialect, "vertex".
//
// [Provider] has generateContent and streamGenerateContent (server-sent events with alt=sse, a JSON array that grows
// without it), countTokens, embedContent, batchEmbedContents, Vertex's :predict for embeddings, and the model list:
//
//	client, err := genai.NewClient(ctx, &genai.ClientConfig{APIKey: "test", HTTPClient: m.Client()})
//
// What is the same on both surfaces is written once; where they differ is in surface.go.
package gemini
