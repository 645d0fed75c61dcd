package openai

// respKey is a member of an event of a Responses stream, of an output item or of a content part.
type respKey uint8

const (
	rkType respKey = iota
	rkSequence
	rkResponse
	rkItem
	rkItemID
	rkOutputIndex
	rkContentIndex
	rkSummaryIndex
	rkAnnotationIndex
	rkAnnotation
	rkDelta
	rkText
	rkRefusal
	rkArguments
	rkInput
	rkPart
	rkLogprobs
	rkObfuscation
	rkError
	rkCode
	rkMessage
	rkParam
	rkID
	rkStatus
	rkRole
	rkContent
	rkEncrypted
	rkSummary
	rkPhase
	rkCallID
	rkName
	rkAnnotations
	rkCopilotUsage
	rkKeys // how many there are
)

// respKeyText is each key as it is written, quotes and colon included.
var respKeyText = [rkKeys]string{
	rkType: `"type":`, rkSequence: `"sequence_number":`, rkResponse: `"response":`, rkItem: `"item":`,
	rkItemID: `"item_id":`, rkOutputIndex: `"output_index":`, rkContentIndex: `"content_index":`,
	rkSummaryIndex: `"summary_index":`, rkAnnotationIndex: `"annotation_index":`, rkAnnotation: `"annotation":`,
	rkDelta: `"delta":`, rkText: `"text":`, rkRefusal: `"refusal":`, rkArguments: `"arguments":`, rkInput: `"input":`,
	rkPart: `"part":`, rkLogprobs: `"logprobs":`, rkObfuscation: `"obfuscation":`, rkError: `"error":`,
	rkCode: `"code":`, rkMessage: `"message":`, rkParam: `"param":`, rkID: `"id":`, rkStatus: `"status":`,
	rkRole: `"role":`, rkContent: `"content":`, rkEncrypted: `"encrypted_content":`, rkSummary: `"summary":`,
	rkPhase: `"phase":`, rkCallID: `"call_id":`, rkName: `"name":`, rkAnnotations: `"annotations":`,
	rkCopilotUsage: `"copilot_usage":`,
}

// respSet is a set of keys.
type respSet uint64

func respKeys(keys ...respKey) respSet {
	var s respSet
	for _, k := range keys {
		s |= 1 << k
	}
	return s
}

func (s respSet) has(k respKey) bool { return s&(1<<k) != 0 }

// respOrder is the order in which a speaker writes the keys of one kind of object; a key that is not in it is not
// written.
type respOrder []respKey

// respModern is the order of events since January 2026: alphabetical, the type first.
func respModern() respOrder {
	return respOrder{
		rkType, rkAnnotation, rkAnnotationIndex, rkArguments, rkCode, rkContentIndex, rkDelta, rkError, rkInput, rkItem,
		rkItemID, rkLogprobs, rkMessage, rkObfuscation, rkOutputIndex, rkParam, rkPart, rkRefusal, rkResponse, rkSequence,
		rkSummaryIndex, rkText,
	}
}

// respClassic is the order of events until January 2026, and on Azure still in February.
func respClassic() respOrder {
	return respOrder{
		rkType, rkSequence, rkItemID, rkOutputIndex, rkContentIndex, rkSummaryIndex, rkAnnotationIndex, rkAnnotation,
		rkDelta, rkText, rkRefusal, rkArguments, rkInput, rkLogprobs, rkObfuscation, rkPart, rkItem, rkError, rkCode,
		rkMessage, rkParam, rkResponse,
	}
}

// respAlphabetical is the order of proxies that sort their keys.
func respAlphabetical() respOrder {
	return respOrder{
		rkAnnotation, rkAnnotationIndex, rkAnnotations, rkArguments, rkCallID, rkCode, rkContent, rkContentIndex,
		rkCopilotUsage, rkDelta, rkEncrypted, rkError, rkID, rkInput, rkItem, rkItemID, rkLogprobs, rkMessage, rkName,
		rkObfuscation, rkOutputIndex, rkParam, rkPart, rkPhase, rkRefusal, rkResponse, rkRole, rkSequence, rkStatus,
		rkSummary, rkSummaryIndex, rkText, rkType,
	}
}
