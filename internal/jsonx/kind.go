package jsonx

// Kind says what sort of JSON value a [Value] is.
type Kind uint8

// The kinds of values. Absent is the kind of the zero [Value]: no value at
// all, which is not the same as a null.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}

// String returns the name that JSON Schema gives to the kind, such as "object"
// or "boolean", and "absent" for [Absent].
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}
