package openai

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
)

// slot is a value that a layout has a place for.
type slot uint8

const (
	noSlot slot = iota
	slotID
	slotCreated
	slotModel
	slotTier
	slotFingerprint
	slotChoices
	slotUsage
	slotUsageIfAsked
	slotObfuscation
	slotPad
	slotFilter
	slotIndex
	slotMessage
	slotDelta
	slotFinish
	slotNativeFinish
	slotLogprobs
	slotRole
	slotText
	slotTextIfAny
	slotTextSoFar
	slotRefusal
	slotReasoning
	slotToolCalls
	slotToolCallsOrNone
	slotFunctionCall
	slotAnnotations
	slotCallIndex
	slotCallID
	slotCallName
	slotArguments
	slotPrompt
	slotCompletion
	slotTotal
	slotCached
	slotUncached
	slotCacheWrite
	slotThought
	slotThoughtDetails
	slotCachedDetails
	slotCacheWriteCount
	slotRequestID
	slotMessageText
	slotType
	slotParam
	slotCode
	slotStatus
	slotData
	slotVector
	slotVectorIndex
	slotName
	slotStatusText
	slotUUID
	slotHexID
	slotApimID
	slotDeployment
	slotXGroq
	slotCount
)

// A layout's set of slots is one word.
var _ [64 - slotCount]struct{}

// slotNames are the slots by their names in layouts.
func slotNames() [slotCount]string {
	return [slotCount]string{
		slotID:              "id",
		slotCreated:         "created",
		slotModel:           "model",
		slotTier:            "tier",
		slotFingerprint:     "fingerprint",
		slotChoices:         "choices",
		slotUsage:           "usage",
		slotUsageIfAsked:    "usageIfAsked",
		slotObfuscation:     "obfuscation",
		slotPad:             "pad",
		slotFilter:          "filter",
		slotIndex:           "index",
		slotMessage:         "message",
		slotDelta:           "delta",
		slotFinish:          "finish",
		slotNativeFinish:    "nativeFinish",
		slotLogprobs:        "logprobs",
		slotRole:            "role",
		slotText:            "text",
		slotTextIfAny:       "textIfAny",
		slotTextSoFar:       "textSoFar",
		slotRefusal:         "refusal",
		slotReasoning:       "reasoning",
		slotToolCalls:       "toolCalls",
		slotFunctionCall:    "functionCall",
		slotAnnotations:     "annotations",
		slotCallIndex:       "callIndex",
		slotCallID:          "callID",
		slotCallName:        "callName",
		slotArguments:       "arguments",
		slotPrompt:          "prompt",
		slotCompletion:      "completion",
		slotTotal:           "total",
		slotCached:          "cached",
		slotUncached:        "uncached",
		slotCacheWrite:      "cacheWrite",
		slotThought:         "thought",
		slotRequestID:       "requestID",
		slotMessageText:     "errorMessage",
		slotType:            "errorType",
		slotParam:           "errorParam",
		slotCode:            "errorCode",
		slotStatus:          "status",
		slotData:            "data",
		slotVector:          "vector",
		slotVectorIndex:     "vectorIndex",
		slotName:            "name",
		slotToolCallsOrNone: "toolCallsOrNone",
		slotThoughtDetails:  "thoughtDetails",
		slotCachedDetails:   "cachedDetails",
		slotCacheWriteCount: "cacheWriteCount",
		slotStatusText:      "statusText",
		slotUUID:            "uuid",
		slotHexID:           "hexID",
		slotApimID:          "apimID",
		slotDeployment:      "deployment",
		slotXGroq:           "xGroq",
	}
}

// slotCalled finds a slot by its name in layouts.
func slotCalled(name string) (slot, bool) {
	if name == "" {
		return noSlot, false
	}
	names := slotNames()
	i := slices.Index(names[:], name)
	return slot(max(i, 0)), i >= 0
}

// stable values are the same in every chunk of one answer.
func (s slot) stable() bool {
	return s == noSlot || s >= slotID && s <= slotFingerprint
}

// layout is a compiled template of one JSON value: literal text, and the slots between.
//
// In the template, the string "$name" is replaced by the value of the slot, which is null where it has none; a member
// "$name?" is left out then. "$$" begins a literal dollar sign.
type layout struct {
	parts []layoutPart
	// steady is how many of the parts are the same in every chunk.
	steady int
	// holds says which slots are anywhere in it.
	holds uint64
}

type layoutPart struct {
	text     string
	slot     slot
	optional bool
	closes   bool
}

// filler gives the values of slots. It reports false where there is no value.
type filler interface {
	fill(dst []byte, s slot) ([]byte, bool)
}

func (l *layout) empty() bool { return l == nil || len(l.parts) == 0 }

// has says whether the layout has a place for a value.
func (l *layout) has(s slot) bool { return l != nil && l.holds&(1<<s) != 0 }

func (l *layout) append(dst []byte, f filler) []byte { return l.appendFrom(dst, f, 0) }

func (l *layout) appendFrom(dst []byte, f filler, from int) []byte {
	return appendParts(dst, f, l.parts[from:])
}

func appendParts(dst []byte, f filler, parts []layoutPart) []byte {
	for i := range parts {
		p := &parts[i]
		mark := len(dst)
		text := p.text
		if mark > 0 && len(text) > 0 {
			if last := dst[mark-1]; last == '{' || last == '[' {
				switch {
				case text[0] == ',':
					text = text[1:]
				case p.closes && text[0] == '\n':
					text = strings.TrimLeft(text, "\n ")
				}
			}
		}
		dst = append(dst, text...)
		if p.slot == noSlot {
			continue
		}
		var ok bool
		if dst, ok = f.fill(dst, p.slot); ok {
			continue
		}
		if p.optional {
			dst = dst[:mark]
		} else {
			dst = append(dst, "null"...)
		}
	}
	return dst
}

// compile makes a layout of a template. Where indent is not "", each member stands on a line of its own, the value
// itself being depth levels deep.
func compile(template jsonx.Value, indent string, depth int) (*layout, error) {
	c := compiler{indent: indent}
	c.value(template, depth)
	if c.err != nil {
		return nil, c.err
	}
	c.flush(noSlot, false)
	l := &layout{parts: c.parts, steady: len(c.parts)}
	for i, p := range c.parts {
		l.holds |= 1 << p.slot
		if i < l.steady && (!p.slot.stable() || p.optional && i == 0) {
			l.steady = i
		}
	}
	return l, nil
}

type compiler struct {
	indent string
	text   []byte
	closes bool
	parts  []layoutPart
	err    error
}

func (c *compiler) flush(s slot, optional bool) {
	if len(c.text) == 0 && s == noSlot {
		return
	}
	c.parts = append(c.parts, layoutPart{text: string(c.text), slot: s, optional: optional, closes: c.closes})
	c.text, c.closes = c.text[:0], false
}

func (c *compiler) line(depth int) {
	if c.indent == "" {
		return
	}
	c.text = append(c.text, '\n')
	for range depth {
		c.text = append(c.text, c.indent...)
	}
}

func (c *compiler) value(v jsonx.Value, depth int) {
	switch v.Kind() {
	case jsonx.Object:
		c.list(v, depth, '{', '}')
	case jsonx.Array:
		c.list(v, depth, '[', ']')
	case jsonx.String:
		if s, _, ok := c.slotOf(v.Str()); ok {
			c.flush(s, false)
			return
		}
		c.text = jsonx.AppendString(c.text, strings.TrimPrefix(v.Str(), "$"))
	default:
		c.text = append(c.text, v.Raw()...)
	}
}

func (c *compiler) list(v jsonx.Value, depth int, open, end byte) {
	c.text = append(c.text, open)
	if v.Len() == 0 {
		c.text = append(c.text, end)
		return
	}
	i := 0
	comma := func() {
		if i > 0 {
			c.text = append(c.text, ',')
		}
		i++
		c.line(depth + 1)
	}
	for key, member := range v.Members() {
		if s, optional, ok := c.slotOf(member.Str()); ok && optional {
			// What came before ends here, so that the member can be left out with its comma and key.
			c.flush(noSlot, false)
			comma()
			c.key(key)
			c.flush(s, true)
			continue
		}
		comma()
		c.key(key)
		c.value(member, depth+1)
	}
	for _, item := range v.Items() {
		comma()
		c.value(item, depth+1)
	}
	if len(c.text) == 0 {
		c.closes = true
	}
	c.line(depth)
	c.text = append(c.text, end)
}

func (c *compiler) key(key string) {
	c.text = append(jsonx.AppendString(c.text, key), ':')
	if c.indent != "" {
		c.text = append(c.text, ' ')
	}
}

func (c *compiler) slotOf(text string) (s slot, optional, ok bool) {
	name, ok := strings.CutPrefix(text, "$")
	if !ok || strings.HasPrefix(name, "$") {
		return noSlot, false, false
	}
	name, optional = strings.CutSuffix(name, "?")
	s, known := slotCalled(name)
	if !known && c.err == nil {
		c.err = fmt.Errorf("layout: no value is called %q", text)
	}
	return s, optional, known
}
