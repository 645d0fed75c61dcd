package openai

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// rule is one thing that OpenAI refuses. The tables of rules are in the order in which it looks.
type rule struct {
	name string
	// guess marks a rule of which only the effect is known, or only from memory.
	guess bool
	check func(*ruling)
}

// ruling applies rules to one request.
type ruling struct {
	c       *wire.Call
	body    jsonx.Value
	rule    *rule
	yield   func(wire.Violation) bool
	stopped bool
	// A rule is tried first without the names of places, which cost more than the rest of it, and again with them once
	// it has found something.
	named, found bool
}

// rulings yields what the rules find.
func rulings(c *wire.Call, body jsonx.Value, rules []rule) iter.Seq[wire.Violation] {
	return func(yield func(wire.Violation) bool) {
		r := ruling{c: c, body: body, yield: yield}
		for i := range rules {
			if r.stopped {
				return
			}
			r.rule, r.named, r.found = &rules[i], false, false
			if r.rule.check(&r); r.found {
				r.named, r.stopped = true, false
				r.rule.check(&r)
			}
		}
	}
}

// trying says whether nothing is to be yielded: what is found is told later, or no more.
func (r *ruling) trying() bool {
	if !r.named && !r.stopped {
		r.found, r.stopped = true, true
	}
	return r.stopped
}

// at is the name of a place, for a message; "" while there is none to tell.
func (r *ruling) at(path string, i int, field string) string {
	if !r.named {
		return ""
	}
	return at(path, i, field)
}

// refuse yields one violation: 400 invalid_request_error.
func (r *ruling) refuse(param, code, format string, args ...any) {
	if r.trying() {
		return
	}
	message := format
	if len(args) > 0 {
		message = fmt.Sprintf(format, args...)
	}
	f := &wire.Failure{Kind: wire.Invalid, Rule: r.rule.name, Param: param, Code: code, Message: message}
	r.stopped = !r.yield(wire.Violation{Rule: r.rule.name, Sure: !r.rule.guess, Failure: f})
}

// is says whether the value has one of the types, and refuses it otherwise. An integer is asked for as "integer". A
// missing value is none of its business.
func (r *ruling) is(v jsonx.Value, param, expected string, kinds ...string) bool {
	if !v.Exists() {
		return true
	}
	got := typeName(v)
	if isOne(got, kinds) {
		return true
	}
	r.refuse(param, "invalid_type", "Invalid type for '%s': expected %s, but got %s instead.", param, expected, withArticle(got))
	return false
}

func typeName(v jsonx.Value) string {
	switch v.Kind() {
	case jsonx.Number:
		if _, ok := v.Int(); ok && !strings.ContainsAny(v.Raw(), ".eE") {
			return "integer"
		}
		return "decimal"
	default:
		return v.Kind().String()
	}
}

func withArticle(name string) string {
	switch name {
	case "null":
		return name
	case "array", "object", "integer":
		return "an " + name
	}
	return "a " + name
}

// required refuses a missing value, in one of the two ways in which OpenAI does.
func (r *ruling) required(v jsonx.Value, param string) bool {
	if v.Exists() {
		return true
	}
	r.refuse(param, "missing_required_parameter", "Missing required parameter: '%s'.", param)
	return false
}

// filled refuses an empty array.
func (r *ruling) filled(v jsonx.Value, param string) bool {
	if v.Kind() != jsonx.Array || v.Len() > 0 {
		return true
	}
	r.refuse(param, "empty_array", "Invalid '%s': empty array. Expected an array with minimum length 1, but got an empty array instead.", param)
	return false
}

// oneOf refuses a text that is none of the words.
func (r *ruling) oneOf(v jsonx.Value, param string, words ...string) bool {
	s, ok := v.Text()
	if !ok {
		return true
	}
	if slices.Contains(words, s) {
		return true
	}
	r.refuse(param, "invalid_value", "Invalid value: '%s'. Supported values are: %s.", s, quotedList(words))
	return false
}

func quotedList(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1 && len(words) > 2:
			b.WriteString(", and ")
		case i > 0 && i == len(words)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString("'" + w + "'")
	}
	return b.String()
}

func at(path string, i int, field string) string {
	p := path + "[" + strconv.Itoa(i) + "]"
	if field != "" {
		p += "." + field
	}
	return p
}

// typed is a field that may be left out or null, and else has a type.
// anyWrong says whether a member has a type that its field does not.
func anyWrong(v jsonx.Value, fields []typed) bool {
	for name, value := range v.Members() {
		for i := range fields {
			if f := &fields[i]; f.name == name && !value.IsNull() && !f.fits(value) {
				return true
			}
		}
	}
	return false
}

func (f *typed) fits(v jsonx.Value) bool { return isOne(typeName(v), f.kinds) }

func isOne(got string, kinds []string) bool {
	for _, k := range kinds {
		if k == got || k == "decimal" && got == "integer" {
			return true
		}
	}
	return false
}

type typed struct {
	name, expected string
	kinds          []string
}

func (r *ruling) fields(v jsonx.Value, fields []typed) {
	if !r.named && !anyWrong(v, fields) {
		return // as nearly always: requests have few of the fields
	}
	for _, f := range fields {
		if value := v.Get(f.name); !value.IsNull() {
			r.is(value, f.name, f.expected, f.kinds...)
		}
		if r.stopped {
			return
		}
	}
}
