// Package jsonx reads and writes JSON as the codecs of mimus need it: without
// reflection, with key order, raw bytes and offsets kept, and by appending to
// byte slices.
//
// [Parse] checks a whole document in one pass and notes where each value
// starts and ends; nothing is decoded until it is asked for:
//
//	body, err := jsonx.Parse(`{"model":"m1","messages":[{"role":"user"}]}`)
//	if err != nil {
//		return err
//	}
//	model := body.Get("model").Str()
//	role := body.At("messages", 0, "role").Str()
//
// A member that is missing is a [Value] of kind [Absent], on which each method
// works too, so lookups chain without checks between them.
package jsonx
