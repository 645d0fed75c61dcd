package aws

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/mimus-go/mimus/internal/jsonx"
	"github.com/mimus-go/mimus/wire"
)

// usual is how Bedrock sends a kind of failure: the exception of the service's model and its status
// (docs.aws.amazon.com/bedrock/latest/APIReference, Nov 2026), the words as clients quote them.
type usual struct {
	kind    wire.FailureKind
	name    string
	status  int
	message string
	// inside is the exception's name in a stream, where only some of them are known; on names the one of Converse where
	// its streams know fewer.
	inside, on string
}

const (
	throttling  = "throttlingException"
	validation  = "validationException"
	unavailable = "serviceUnavailableException"
	internal    = "internalServerException"
	modelStream = "modelStreamErrorException"
	timeout     = "modelTimeoutException"
)

// failures has one line a kind, in the order of wire.FailureKinds.
var failures = [...]usual{
	{wire.RateLimit, "ThrottlingException", 429, "Too many requests, please wait before trying again.", throttling, throttling},
	{wire.Quota, "ServiceQuotaExceededException", 400, "Your request exceeds the service quota for your account.", throttling, throttling},
	{wire.Overloaded, "ServiceUnavailableException", 503, "Bedrock is unable to process your request.", unavailable, unavailable},
	{wire.ContextLength, "ValidationException", 400, "Input is too long for requested model.", validation, validation},
	{wire.Auth, "UnrecognizedClientException", 403, "The security token included in the request is invalid.", validation, validation},
	{wire.Permission, "AccessDeniedException", 403, "You don't have access to the model with the specified model ID.", validation, validation},
	{wire.NotFound, "ResourceNotFoundException", 404, "Could not resolve the foundation model from the provided model identifier.", validation, validation},
	{wire.Invalid, "ValidationException", 400, "Malformed input request, please reformat your input and try again.", validation, validation},
	{wire.TooLarge, "ValidationException", 400, BodyTooLarge, validation, validation},
	{wire.ContentFilter, "ValidationException", 400, "The model returned the following errors: Output blocked by content filtering policy", validation, validation},
	{wire.Timeout, "ModelTimeoutException", 408, "Model has timed out in processing the request. Try your request again.", timeout, modelStream},
	{wire.ServerError, "InternalServerException", 500, "The system encountered an unexpected error during processing. Try your request again.", internal, internal},
}

// MaxBody is the largest body of InvokeModel, and BodyTooLarge what is said of a larger one, which is not valid like others
// (langchain-ai/langchain-aws#419, 2025-03).
const (
	MaxBody      = 25_000_000
	BodyTooLarge = "1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than or equal to 25000000"
)

// badKey is what a bearer key gets that is not known; an unknown SigV4 key is an unrecognized client.
const badKey = "Authentication failed: Please make sure your API Key is valid."

// dailyQuota is what a quota says inside a stream, where its own exception is not known.
const dailyQuota = "Too many tokens per day, please wait before trying again."

// Gate wants a signature, in the header or in a presigned query, or a bearer key. Which one does not matter.
//
// Some clients of 2026 quote an AccessDeniedException, {"Message":"Authorization header is missing"}, for the same
// (anthropics/claude-code#45000, karthink/gptel#1397): a stub's error can say that.
func Gate(p *wire.Probe) *wire.Failure {
	if signed(p) {
		return nil
	}
	return &wire.Failure{Kind: wire.Auth, Rule: "aws.credentials"}
}

func signed(p *wire.Probe) bool {
	return p.Header.Get("Authorization") != "" || p.Query.Get("X-Amz-Signature") != ""
}

// The namespaces of exceptions: Bedrock's, and that of the layer before it, which knows clients and paths (recorded
// 2026-08).
const (
	bedrockSpace = ":http://internal.amazon.com/coral/com.amazon.bedrock/"
	coralSpace   = ":http://internal.amazon.com/coral/com.amazon.coral.service/"
)

// coral are the exceptions of the layer before Bedrock.
var coral = [...]string{
	"UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException", "MissingAuthenticationTokenException",
	"IncompleteSignatureException", "UnknownOperationException", "SerializationException",
}

// The rules of failures that the pipeline makes.
const (
	noStub      = "no-stub"
	wrongMethod = "wrong-method"
	unknownPath = "unknown-path"
)

// Refusal is an error as it travels.
type Refusal struct {
	Name    string // UpperCamel, as the exception is called
	Status  int
	Message string
}

// RefusalOf fills what a failure leaves out.
func RefusalOf(c *wire.Call, f *wire.Failure) Refusal {
	u := usualOf(f)
	r := Refusal{Name: exceptionName(f), Status: f.Status, Message: f.Message}
	switch {
	case r.Name != "":
		if s := statusOf(r.Name); r.Status == 0 {
			r.Status = s
		}
	case f.Rule == wrongMethod || f.Rule == unknownPath:
		r.Name = "UnknownOperationException"
		u.status, u.message = http.StatusNotFound, "The requested operation is not recognized by the service."
	case f.Kind == wire.Auth && !signed(c.Probe):
		r.Name = "MissingAuthenticationTokenException"
		u.message = "Missing Authentication Token"
	case f.Kind == wire.Auth && isBearer(c):
		r.Name = "AccessDeniedException"
		u.message = badKey
	default:
		r.Name = u.name
	}
	if r.Status == 0 {
		r.Status = u.status
	}
	if r.Message == "" {
		r.Message = u.message
	}
	return r
}

func isBearer(c *wire.Call) bool {
	return strings.HasPrefix(c.Probe.Header.Get("Authorization"), "Bearer ")
}

func usualOf(f *wire.Failure) usual {
	kind := f.Kind
	for range 2 {
		for _, u := range failures {
			if u.kind == kind {
				return u
			}
		}
		kind = wire.ServerError
		if f.Status != 0 {
			kind = wire.KindOfStatus(f.Status)
		}
	}
	return failures[len(failures)-1]
}

// exceptionName is the exception that a failure names itself, in UpperCamel: a stub may give any as the code, and also a
// code that is none.
func exceptionName(f *wire.Failure) string {
	for _, name := range [...]string{f.Code, f.Type} {
		if isException(name) {
			return strings.ToUpper(name[:1]) + name[1:]
		}
	}
	return f.Code
}

func isException(name string) bool { return strings.HasSuffix(name, "Exception") }

// more are exceptions that no kind is sent as by itself.
var more = [...]struct {
	name   string
	status int
	kind   wire.FailureKind
}{
	{"ModelErrorException", 424, wire.ServerError},
	{"ModelStreamErrorException", 424, wire.ServerError},
	{"ModelNotReadyException", 429, wire.RateLimit},
	{"ConflictException", 400, wire.Invalid},
	{"InvalidSignatureException", 403, wire.Auth},
	{"ExpiredTokenException", 403, wire.Auth},
	{"MissingAuthenticationTokenException", 403, wire.Auth},
	{"IncompleteSignatureException", 400, wire.Auth},
	{"UnknownOperationException", 404, wire.NotFound},
	{"SerializationException", 400, wire.Invalid},
}

// statusOf is the status of an exception, 0 where it is not known.
func statusOf(name string) int {
	for _, u := range failures {
		if u.name == name {
			return u.status
		}
	}
	for _, m := range more {
		if m.name == name {
			return m.status
		}
	}
	return 0
}

// Form is how a refusal is written.
type Form struct {
	// CapitalMessage writes "Message", as the layer before Bedrock was seen to do.
	CapitalMessage bool
	// RetryHint sends the failure's RetryAfter as X-Amz-Retry-After, in milliseconds, which the SDKs of 2026 take.
	// Bedrock itself says nothing of when to come back.
	RetryHint bool
}

// Refuse is the error answer: {"message":…}, and the exception's name in a header.
func Refuse(c *wire.Call, f *wire.Failure, form Form) wire.Response {
	r := RefusalOf(c, f)
	space := bedrockSpace
	for _, name := range coral {
		if name == r.Name {
			space = coralSpace
		}
	}
	h := append(Head(c), wire.Field{Name: "X-Amzn-Errortype", Value: r.Name + space})
	if f.Rule == noStub {
		h = append(h, wire.Field{Name: "X-Should-Retry", Value: "false"}, wire.Field{Name: "X-Mimus-Reason", Value: noStub})
	}
	if f.Rule == wrongMethod && f.Param != "" {
		h = append(h, wire.Field{Name: "Allow", Value: f.Param})
	}
	if form.RetryHint && f.RetryAfter > 0 {
		h = append(h, wire.Field{Name: "X-Amz-Retry-After", Value: strconv.FormatInt(f.RetryAfter.Milliseconds(), 10)})
	}
	key := `{"message":`
	if form.CapitalMessage {
		key = `{"Message":`
	}
	b := append(jsonx.AppendString(append(make([]byte, 0, 64+len(r.Message)), key...), r.Message), '}')
	return wire.Response{Status: r.Status, Header: h, Body: b}
}

// Exception is the frame that ends a stream with an error. Its name is in lowerCamel: SDKs look it up by its exact
// letters (probed with botocore and the JavaScript SDK, Nov 2026). converse says that it is a stream of Converse.
func Exception(c *wire.Call, f *wire.Failure, converse bool) wire.Frame {
	r := RefusalOf(c, f)
	name := exceptionName(f)
	if name == "" {
		u := usualOf(f)
		if name = u.inside; converse {
			name = u.on
		}
		if u.kind == wire.Quota && f.Message == "" {
			r.Message = dailyQuota
		}
	}
	if isException(name) {
		name = strings.ToLower(name[:1]) + name[1:]
	}
	b := jsonx.AppendString([]byte(`{"message":`), r.Message)
	if name == modelStream {
		// What the model's own server said: the status, and the same words.
		status := r.Status
		if status == http.StatusFailedDependency {
			status = http.StatusInternalServerError
		}
		b = jsonx.AppendString(append(b, `,"originalMessage":`...), r.Message)
		b = strconv.AppendInt(append(b, `,"originalStatusCode":`...), int64(status), 10)
	}
	return wire.Frame{Name: name, Data: append(b, '}'), Except: true}
}
