package gemini

import "strings"

// generation is the number in a model's name times ten: 25 for gemini-2.5-flash, 31 for gemini-3.1-pro-preview. Names
// without a number are of the newest that was recorded.
func generation(model string) int {
	const newest = 36
	_, rest, ok := strings.Cut(model, "gemini-")
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
		return newest
	}
	n := int(rest[0]-'0') * 10
	if len(rest) > 2 && rest[1] == '.' && rest[2] >= '0' && rest[2] <= '9' {
		n += int(rest[2] - '0')
	}
	return n
}

const (
	gen25 = 25
	gen3  = 30
)

// aliases are names that answer as another model (recorded 2026-08 and 2026-03).
var aliases = [...][2]string{
	{"gemini-flash-latest", "gemini-3.6-flash"},
	{"gemini-3-pro-preview", "gemini-3.1-pro-preview"},
}

// servedModel is what an answer says of its model.
func servedModel(model string) string {
	for _, a := range aliases {
		if a[0] == model {
			return a[1]
		}
	}
	return model
}

// inputLimit is how many tokens a prompt may have (ai.google.dev/api/models, as listed 2026-08).
func inputLimit(model string) int {
	if m, ok := known(model); ok {
		return m.input
	}
	return 1048576
}
