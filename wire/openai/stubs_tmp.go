package openai

import (
	"io"
	"iter"

	"github.com/mimus-go/mimus/wire"
)

type embeddings struct{}
type models struct{}

func claimsEmbeddings(*wire.Probe) bool { return true }
func claimsModels(*wire.Probe) bool     { return true }
func serveModel(c *wire.Call) wire.Response { return refuse(c, &wire.Failure{Kind: wire.NotFound}) }
func deleteModel(c *wire.Call) wire.Response { return refuse(c, &wire.Failure{Kind: wire.NotFound}) }

func (embeddings) Decode(c *wire.Call) *wire.Failure { return nil }
func (embeddings) Check(c *wire.Call) iter.Seq[wire.Violation] { return func(func(wire.Violation) bool) {} }
func (embeddings) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) { return r, nil }
func (embeddings) Encode(c *wire.Call) wire.Encoder { return nil }
func (embeddings) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }
func (embeddings) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] { return nil }
func (models) Decode(c *wire.Call) *wire.Failure { return nil }
func (models) Check(c *wire.Call) iter.Seq[wire.Violation] { return func(func(wire.Violation) bool) {} }
func (models) Fit(c *wire.Call, r wire.Reply) (wire.Reply, []error) { return r, nil }
func (models) Encode(c *wire.Call) wire.Encoder { return nil }
func (models) Refuse(c *wire.Call, f *wire.Failure) wire.Response { return refuse(c, f) }
func (models) Read(h *wire.ResponseHead, body io.Reader) iter.Seq2[wire.Event, error] { return nil }
