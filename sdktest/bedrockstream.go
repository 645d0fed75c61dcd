package sdktest

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

// accumulator makes blocks of the events of ConverseStream, of which the SDK hands on one by one.
type accumulator struct {
	order  []int32
	blocks map[int32]*piece
	// inputs are the arguments of each call as they travelled.
	inputs   map[string]string
	stop     types.StopReason
	sequence string
	usage    *types.TokenUsage
}

// piece is a block on its way.
type piece struct {
	id, name, input    string
	text               string
	thought, signature string
	redacted           []byte
	call, reasoning    bool
}

func (m *accumulator) at(index *int32) *piece {
	i := aws.ToInt32(index)
	if m.blocks == nil {
		m.blocks, m.inputs = map[int32]*piece{}, map[string]string{}
	}
	p := m.blocks[i]
	if p == nil {
		p = &piece{}
		m.blocks[i] = p
		m.order = append(m.order, i)
	}
	return p
}

func (m *accumulator) add(e types.ConverseStreamOutput) {
	switch e := e.(type) {
	case *types.ConverseStreamOutputMemberContentBlockStart:
		if s, ok := e.Value.Start.(*types.ContentBlockStartMemberToolUse); ok {
			p := m.at(e.Value.ContentBlockIndex)
			p.call, p.id, p.name = true, aws.ToString(s.Value.ToolUseId), aws.ToString(s.Value.Name)
		}
	case *types.ConverseStreamOutputMemberContentBlockDelta:
		p := m.at(e.Value.ContentBlockIndex)
		switch d := e.Value.Delta.(type) {
		case *types.ContentBlockDeltaMemberText:
			p.text += d.Value
		case *types.ContentBlockDeltaMemberToolUse:
			p.input += aws.ToString(d.Value.Input)
		case *types.ContentBlockDeltaMemberReasoningContent:
			p.reasoning = true
			switch r := d.Value.(type) {
			case *types.ReasoningContentBlockDeltaMemberText:
				p.thought += r.Value
			case *types.ReasoningContentBlockDeltaMemberSignature:
				p.signature += r.Value
			case *types.ReasoningContentBlockDeltaMemberRedactedContent:
				p.redacted = append(p.redacted, r.Value...)
			}
		}
	case *types.ConverseStreamOutputMemberMessageStop:
		m.stop, m.sequence = e.Value.StopReason, sequence(e.Value.AdditionalModelResponseFields)
	case *types.ConverseStreamOutputMemberMetadata:
		m.usage = e.Value.Usage
	}
}

// content are the blocks, in the form in which the next request sends them back.
func (m *accumulator) content() []types.ContentBlock {
	var blocks []types.ContentBlock
	for _, i := range m.order {
		p := m.blocks[i]
		switch {
		case p.call:
			m.inputs[p.id] = p.input
			input := map[string]any{}
			_ = json.Unmarshal([]byte(p.input), &input) // what is no JSON goes back as an empty object
			blocks = append(blocks, &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
				ToolUseId: aws.String(p.id), Name: aws.String(p.name), Input: document.NewLazyDocument(input),
			}})
		case p.reasoning && p.redacted != nil:
			blocks = append(blocks, &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberRedactedContent{Value: p.redacted}})
		case p.reasoning:
			blocks = append(blocks, &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberReasoningText{
				Value: types.ReasoningTextBlock{Text: aws.String(p.thought), Signature: aws.String(p.signature)},
			}})
		default:
			blocks = append(blocks, &types.ContentBlockMemberText{Value: p.text})
		}
	}
	return blocks
}
