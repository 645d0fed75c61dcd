package bedrock_test

import (
	"testing"

	"github.com/mimus-go/mimus/stub"
	"github.com/mimus-go/mimus/wire"
)

func TestEmbeddings(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		model, body  string
		inputs, dims int
	}{
		{"amazon.titan-embed-text-v2:0", `{"inputText":"Lindenweg 14, 04109 Leipzig"}`, 1, 1024},
		{"amazon.titan-embed-text-v2:0", `{"inputText":"Lindenweg 14, 04109 Leipzig","dimensions":256}`, 1, 256},
		{"amazon.titan-embed-text-v1", `{"inputText":"Lindenweg 14, 04109 Leipzig"}`, 1, 1536},
		{"amazon.titan-embed-image-v1", `{"inputText":"Lindenweg 14, 04109 Leipzig","embeddingConfig":{"outputEmbeddingLength":384}}`, 1, 384},
		{"cohere.embed-multilingual-v3", `{"texts":["Lindenweg 14, 04109 Leipzig","Leipzig"],"input_type":"search_document"}`, 2, 1024},
		{"cohere.embed-v4:0", `{"texts":["Lindenweg 14, 04109 Leipzig"],"input_type":"search_document","embedding_types":["int8","float"],"output_dimension":512}`, 1, 512},
		{"cohere.embed-v4:0", `{"inputs":[{"content":[{"type":"text","text":"Lindenweg 14, 04109 Leipzig"}]}],"input_type":"search_document"}`, 1, 1536},
		{"amazon.nova-2-multimodal-embeddings-v1:0", `{"taskType":"SINGLE_EMBEDDING","singleEmbeddingParams":{"embeddingDimension":256,"text":{"value":"Lindenweg 14, 04109 Leipzig"}}}`, 1, 256},
		// An id that says nothing: the body tells.
		{"arn:aws:bedrock:us-east-1:1:provisioned-model/abc", `{"inputText":"Lindenweg 14, 04109 Leipzig"}`, 1, 1024},
		{"arn:aws:bedrock:us-east-1:1:provisioned-model/abc", `{"texts":["Lindenweg 14, 04109 Leipzig"],"input_type":"search_query"}`, 1, 1024},
	} {
		c := open(t, post("/model/"+row.model+"/invoke", row.body))
		if c.Endpoint.Name != "bedrock.embeddings" || len(c.Request.Inputs) != row.inputs {
			t.Errorf("%s: %s of %q", row.body, c.Endpoint.Name, c.Request.Inputs)
			continue
		}
		for v := range c.Endpoint.Codec.Check(c) {
			t.Errorf("%s: %v", row.body, v.Failure)
		}
		resp := render(c, (&stub.Answer{}).Reply(c.Request), "", wire.NoCut())
		reply, err := readBack(t, c, resp)
		if err != nil || len(reply.Vectors) != row.inputs || len(reply.Vectors[0]) != row.dims {
			t.Errorf("%s: %d vectors, %v", row.body, len(reply.Vectors), err)
			continue
		}
		for i, x := range stub.Vector("Lindenweg 14, 04109 Leipzig", row.dims) {
			if reply.Vectors[0][i] != x {
				t.Errorf("%s: component %d is %v, want %v", row.body, i, reply.Vectors[0][i], x)
				break
			}
		}
		if reply.Usage == nil || reply.Usage.Input == 0 || reply.Usage.Output != 0 {
			t.Errorf("%s: usage %+v", row.body, reply.Usage)
		}
	}
}

// TestEmbeddingTypesDescribeTheSameVector derives each type's numbers from the floats.
func TestEmbeddingTypesDescribeTheSameVector(t *testing.T) {
	t.Parallel()
	c := open(t, post("/model/cohere.embed-v4:0/invoke", `{"texts":["x"],"input_type":"search_query","embedding_types":["ubinary"]}`))
	r := render(c, wire.Reply{Vectors: [][]float32{{0.5, -0.5, 0.1, 0.1, -1, 0, 0, 0.2, 1}}}, "", wire.NoCut())
	want(t, string(r.Body), `"embeddings":{"ubinary":[[177,128]]}`)
}

func TestATitanThatFailsInsideA200(t *testing.T) {
	t.Parallel()
	c := open(t, post("/model/amazon.titan-embed-image-v1/invoke", `{"inputText":"x"}`))
	_, err := readBytes(t, c, wire.Response{Status: 200}, []byte(`{"embedding":null,"inputTextTokenCount":0,"message":"Image is too small."}`))
	if err == nil {
		t.Error("it is read as an answer")
	}
}
