package gemini

import (
	"strings"
	"time"

	"github.com/mimus-go/mimus/wire"
)

// errorBody is the error object on one line.
func errorBody(c *wire.Call, f *wire.Failure) []byte { return refusalOf(c, f).body() }

func (x *refusal) body() []byte {
	b := appendInt(append(make([]byte, 0, 512), `{"error": {"code": `...), x.code)
	b = appendString(append(b, `,"message": `...), x.message)
	if x.q.LegacyErrors {
		b = appendString(append(b, `,"errors": [{"message": `...), x.message)
		b = append(b, `,"domain": "global","reason": "`...)
		b = append(append(b, legacyReason(x.kind)...), `"}]`...)
	}
	b = appendString(append(b, `,"status": `...), x.status)
	if details := x.appendDetails(nil); len(details) > 0 && !x.q.NoDetails {
		b = append(append(append(b, `,"details": [`...), details...), ']')
	}
	return append(b, "}}"...)
}

func legacyReason(k wire.FailureKind) string {
	switch k {
	case wire.RateLimit, wire.Quota:
		return "rateLimitExceeded"
	case wire.Auth:
		return "authError"
	case wire.Permission:
		return "forbidden"
	case wire.NotFound:
		return "notFound"
	case wire.Overloaded, wire.ServerError, wire.Timeout:
		return "backendError"
	}
	return "badRequest"
}

const typeURL = "type.googleapis.com/google.rpc."

// appendDetail opens a detail of a type, after a comma unless it is the first.
func appendDetail(b []byte, name string) []byte {
	if len(b) > 0 {
		b = append(b, ',')
	}
	return append(append(append(b, `{"@type": "`+typeURL...), name...), `",`...)
}

func (x *refusal) appendDetails(b []byte) []byte {
	if x.f.Param != "" && x.kind == wire.Invalid {
		return x.appendBadRequest(b)
	}
	switch {
	case x.details == quotaDetails:
		b = x.appendQuota(b)
	case x.details == authDetails && x.reason != "":
		b = x.appendInfo(b, x.reason)
		if x.reason == "API_KEY_INVALID" {
			b = appendString(append(appendDetail(b, "LocalizedMessage"), `"locale": "en-US","message": `...), x.message)
			b = append(b, '}')
		}
	case x.details == permissionDetails && x.s.vertex:
		b = append(appendDetail(b, "ErrorInfo"), `"reason": "IAM_PERMISSION_DENIED","domain": "aiplatform.googleapis.com","metadata": {"resource": `...)
		b = append(appendString(b, resource(x.c)), `,"permission": "aiplatform.endpoints.predict"}}`...)
	case x.details == permissionDetails:
		b = append(appendDetail(b, "Help"), `"links": [{"description": "Google developers console API activation","url": "`+consoleURL+`"}]}`...)
		b = x.appendInfo(b, "SERVICE_DISABLED")
	}
	return x.appendRetry(b)
}

// appendInfo writes an ErrorInfo: why, in one word.
func (x *refusal) appendInfo(b []byte, reason string) []byte {
	b = appendString(append(appendDetail(b, "ErrorInfo"), `"reason": `...), reason)
	b = append(b, `,"domain": "googleapis.com","metadata": {`...)
	if reason == "SERVICE_DISABLED" {
		b = append(b, `"consumer": "projects/`+project+`",`...)
	}
	b = appendString(append(b, `"service": `...), x.s.service)
	if method := x.rpc(); method != "" && reason != "API_KEY_INVALID" && reason != "SERVICE_DISABLED" {
		b = appendString(append(b, `,"method": `...), method)
	}
	return append(b, "}}"...)
}

// rpc is the method's full name.
func (x *refusal) rpc() string {
	verb := verbOf(x.c)
	if verb == "" {
		return ""
	}
	verb = strings.ToUpper(verb[:1]) + verb[1:]
	if x.s.vertex {
		return "google.cloud.aiplatform." + orElse(x.s.version, "v1beta1") + ".PredictionService." + verb
	}
	return "google.ai.generativelanguage." + orElse(x.s.version, "v1beta") + ".GenerativeService." + verb
}

// quota says which quota is used up, and its size: tokens a minute for a rate limit (recorded 2026-08), requests a day
// for a quota.
func (x *refusal) quota() (metric, id, value, location string) {
	metric, id, value, location = "generate_content_paid_tier_input_token_count", "GenerateContentPaidTierInputTokensPerModelPerMinute", "1000000", "global"
	if x.kind == wire.Quota {
		metric, id, value = "generate_content_free_tier_requests", "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "20"
	}
	return studioHost + "/" + orElse(x.q.QuotaMetric, metric), orElse(x.q.QuotaID, id), orElse(x.q.QuotaValue, value), location
}

func (x *refusal) quotaMessage(model string) string {
	if x.s.vertex {
		return "Quota exceeded for aiplatform.googleapis.com/generate_content_requests_per_day_per_project_per_base_model with base model: " + model + ". Please submit a quota increase request. https://cloud.google.com/vertex-ai/docs/generative-ai/quotas-genai."
	}
	metric, _, value, _ := x.quota()
	m := "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: https://ai.dev/rate-limit. \n* Quota exceeded for metric: " + metric + ", limit: " + value + ", model: " + model
	if delay := x.delay(); delay != "" {
		m += "\nPlease retry in " + delay + "."
	}
	return m
}

// appendQuota: AI Studio says which quota and where to read about it, in this order (recorded); Vertex says nothing.
func (x *refusal) appendQuota(b []byte) []byte {
	if x.s.vertex {
		return b
	}
	metric, id, value, location := x.quota()
	b = append(appendDetail(b, "Help"), `"links": [{"description": "Learn more about Gemini API quotas","url": "https://ai.google.dev/gemini-api/docs/rate-limits"}]}`...)
	b = appendString(append(appendDetail(b, "QuotaFailure"), `"violations": [{"quotaMetric": `...), metric)
	b = appendString(append(b, `,"quotaId": `...), id)
	b = appendString(append(b, `,"quotaDimensions": {"model": `...), modelOf(x.c))
	b = appendString(append(b, `,"location": `...), location)
	b = appendString(append(b, `},"quotaValue": `...), value)
	return append(b, "}]}"...)
}

// delay is how long to wait, "" where nobody says: a delay that no stub asked for would make clients wait in tests.
func (x *refusal) delay() string {
	if x.q.RetryDelay != "" || x.f.RetryAfter <= 0 {
		return x.q.RetryDelay
	}
	return durationText(x.f.RetryAfter)
}

// appendRetry tells the delay in the body; no header does on this wire.
func (x *refusal) appendRetry(b []byte) []byte {
	delay := x.delay()
	if delay == "" || x.q.RetryText {
		return b
	}
	if x.q.ResetDelay {
		b = append(appendDetail(b, "ErrorInfo"), `"reason": "RATE_LIMIT_EXCEEDED","domain": "cloudcode-pa.googleapis.com","metadata": {"quotaResetDelay": `...)
		return append(appendString(b, delay), "}}"...)
	}
	return append(appendString(append(appendDetail(b, "RetryInfo"), `"retryDelay": `...), delay), '}')
}

// durationText is a duration as ProtoJSON writes it: "7s", "1.500s".
func durationText(d time.Duration) string {
	b := appendInt(nil, int(d/time.Second))
	if rest := d % time.Second; rest != 0 {
		digits := appendInt(nil, int(rest)+int(time.Second))[1:]
		for len(digits) > 3 && string(digits[len(digits)-3:]) == "000" {
			digits = digits[:len(digits)-3]
		}
		b = append(append(b, '.'), digits...)
	}
	return string(append(b, 's'))
}

// appendBadRequest names each field that is wrong; messages and fields are lines that belong together.
func (x *refusal) appendBadRequest(b []byte) []byte {
	b = append(appendDetail(b, "BadRequest"), `"fieldViolations": [`...)
	messages := strings.Split(x.message, "\n")
	for i, field := range strings.Split(x.f.Param, "\n") {
		if i >= len(messages) {
			break
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		if field != "" {
			b = append(appendString(append(b, `"field": `...), field), ',')
		}
		b = append(appendString(append(b, `"description": `...), messages[i]), '}')
	}
	return append(b, "]}"...)
}
