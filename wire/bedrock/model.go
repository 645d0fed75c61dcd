package bedrock

import "strings"

// regions are the prefixes of inference profiles that span regions.
var regions = [...]string{"us.", "eu.", "apac.", "jp.", "au.", "ca.", "global.", "us-gov."}

// baseModel is a model's id without the region of an inference profile and what stands before it in an ARN:
// "arn:aws:bedrock:us-east-1:111122223333:inference-profile/us.amazon.nova-lite-v1:0" is "amazon.nova-lite-v1:0".
func baseModel(id string) string {
	id = id[strings.LastIndexByte(id, '/')+1:]
	for _, r := range regions {
		if rest, ok := strings.CutPrefix(id, r); ok {
			return rest
		}
	}
	return id
}

// is says whether a model is of a family: "anthropic.", "amazon.nova". An ARN of the user's own says nothing of what is
// behind it, and is of none.
func is(model, family string) bool { return strings.HasPrefix(baseModel(model), family) }

// isARN says whether a model is named by a resource, which may be a prompt with messages of its own.
func isARN(model string) bool { return strings.HasPrefix(model, "arn:") }
