package awsstream

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"
)

// Type is the type of a header's value, as the wire numbers it.
type Type uint8

// The types of header values.
const (
	TypeTrue Type = iota
	TypeFalse
	TypeByte
	TypeInt16
	TypeInt32
	TypeInt64
	TypeBytes
	TypeString
	TypeTimestamp
	TypeUUID
)

var typeNames = [...]string{"true", "false", "byte", "int16", "int32", "int64", "bytes", "string", "timestamp", "uuid"}

// String returns the name of t.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "type " + strconv.Itoa(int(t))
}

// Value is the value of a header. Values may be compared with ==. The zero
// Value is true, as type 0 on the wire is.
type Value struct {
	typ  Type
	num  int64
	data string
}

// Bool returns the value b.
func Bool(b bool) Value {
	if b {
		return Value{typ: TypeTrue}
	}
	return Value{typ: TypeFalse}
}

// Byte returns the value n as one signed byte.
func Byte(n int8) Value { return Value{typ: TypeByte, num: int64(n)} }

// Int16 returns the value n.
func Int16(n int16) Value { return Value{typ: TypeInt16, num: int64(n)} }

// Int32 returns the value n.
func Int32(n int32) Value { return Value{typ: TypeInt32, num: int64(n)} }

// Int64 returns the value n.
func Int64(n int64) Value { return Value{typ: TypeInt64, num: n} }

// Bytes returns a copy of b as a value.
func Bytes(b []byte) Value { return Value{typ: TypeBytes, data: string(b)} }

// String returns the value s.
func String(s string) Value { return Value{typ: TypeString, data: s} }

// Timestamp returns the value t, which the wire carries in milliseconds.
func Timestamp(t time.Time) Value { return Value{typ: TypeTimestamp, num: t.UnixMilli()} }

// UUID returns the value u.
func UUID(u [16]byte) Value { return Value{typ: TypeUUID, data: string(u[:])} }

// Type returns the type of v.
func (v Value) Type() Type { return v.typ }

// AsBool returns a boolean value.
func (v Value) AsBool() (b, ok bool) {
	return v.typ == TypeTrue, v.typ == TypeTrue || v.typ == TypeFalse
}

// AsInt returns a value of any of the four integer types.
func (v Value) AsInt() (int64, bool) {
	return v.num, v.typ >= TypeByte && v.typ <= TypeInt64
}

// AsBytes returns a copy of a value of bytes.
func (v Value) AsBytes() ([]byte, bool) { return []byte(v.data), v.typ == TypeBytes }

// AsString returns a value of text.
func (v Value) AsString() (string, bool) {
	if v.typ != TypeString {
		return "", false
	}
	return v.data, true
}

// AsTime returns a timestamp, in UTC.
func (v Value) AsTime() (time.Time, bool) {
	if v.typ != TypeTimestamp {
		return time.Time{}, false
	}
	return time.UnixMilli(v.num).UTC(), true
}

// AsUUID returns a UUID.
func (v Value) AsUUID() (u [16]byte, ok bool) {
	if v.typ != TypeUUID {
		return u, false
	}
	return [16]byte([]byte(v.data)), true
}

// String returns v for people to read, whatever its type.
func (v Value) String() string {
	switch v.typ {
	case TypeTrue, TypeFalse:
		return v.typ.String()
	case TypeBytes:
		return hex.EncodeToString([]byte(v.data))
	case TypeString:
		return v.data
	case TypeTimestamp:
		return time.UnixMilli(v.num).UTC().Format("2006-01-02T15:04:05.000Z")
	case TypeUUID:
		return fmt.Sprintf("%x-%x-%x-%x-%x", v.data[:4], v.data[4:6], v.data[6:8], v.data[8:10], v.data[10:])
	default:
		return strconv.FormatInt(v.num, 10)
	}
}
