// Package bedrock speaks Amazon Bedrock's runtime API: Converse and ConverseStream, InvokeModel for the models whose
// bodies are Amazon's, Meta's, Mistral's or Cohere's, and CountTokens. Claude's bodies on InvokeModel are Anthropic's
// wire, and package anthropic speaks them.
//
// Converse is one language for all models. InvokeModel speaks each model's own: a row of the table of forms says which
// request a form knows and how its answers are written. Nova's form is Converse's with other envelopes, so both have one
// encoder and one reader.
//
// What the two providers have in common (frames, chunks, padding, errors) is in internal/aws. Facts about the wire cite
// their source in the comments; "recorded" means that answers of Bedrock itself show it.
package bedrock
