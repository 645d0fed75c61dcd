package wire

// codes are what the providers' own codes say: platform.openai.com/docs/guides/error-codes,
// platform.claude.com/docs/en/api/errors, ai.google.dev/gemini-api/docs/troubleshooting and
// docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html, Aug 2026.
var codes = map[string]struct {
	kind     FailureKind
	prospect Prospect
}{
	// OpenAI.
	"server_error":                      {ServerError, MayHelp},
	"rate_limit_exceeded":               {RateLimit, MayHelp},
	"slow_down":                         {RateLimit, MayHelp},
	"server_is_overloaded":              {Overloaded, MayHelp},
	"invalid_prompt":                    {ContentFilter, WillNotHelp},
	"insufficient_quota":                {Quota, WillNotHelp},
	"credit_balance_exhausted":          {Quota, WillNotHelp},
	"organization_spend_limit_exceeded": {Quota, WillNotHelp},
	"project_spend_limit_exceeded":      {Quota, WillNotHelp},
	"organization_usage_limit_exceeded": {Quota, WillNotHelp},
	"context_length_exceeded":           {ContextLength, WillNotHelp},
	"invalid_api_key":                   {Auth, WillNotHelp},
	"model_not_found":                   {NotFound, WillNotHelp},
	// Anthropic.
	"rate_limit_error":      {RateLimit, MayHelp},
	"api_error":             {ServerError, MayHelp},
	"timeout_error":         {Timeout, MayHelp},
	"overloaded_error":      {Overloaded, MayHelp},
	"invalid_request_error": {Invalid, WillNotHelp},
	"authentication_error":  {Auth, WillNotHelp},
	"billing_error":         {Quota, WillNotHelp},
	"permission_error":      {Permission, WillNotHelp},
	"not_found_error":       {NotFound, WillNotHelp},
	"request_too_large":     {TooLarge, WillNotHelp},
	// Google.
	"RESOURCE_EXHAUSTED":  {RateLimit, MayHelp},
	"INTERNAL":            {ServerError, MayHelp},
	"UNAVAILABLE":         {Overloaded, MayHelp},
	"DEADLINE_EXCEEDED":   {Timeout, MayHelp},
	"INVALID_ARGUMENT":    {Invalid, WillNotHelp},
	"FAILED_PRECONDITION": {Invalid, WillNotHelp},
	"UNAUTHENTICATED":     {Auth, WillNotHelp},
	"PERMISSION_DENIED":   {Permission, WillNotHelp},
	"NOT_FOUND":           {NotFound, WillNotHelp},
	// Amazon Bedrock.
	"ThrottlingException":           {RateLimit, MayHelp},
	"ServiceUnavailableException":   {Overloaded, MayHelp},
	"InternalServerException":       {ServerError, MayHelp},
	"ModelTimeoutException":         {Timeout, MayHelp},
	"ServiceQuotaExceededException": {Quota, WillNotHelp},
	"ValidationException":           {Invalid, WillNotHelp},
	"AccessDeniedException":         {Permission, WillNotHelp},
	"UnrecognizedClientException":   {Auth, WillNotHelp},
	"ResourceNotFoundException":     {NotFound, WillNotHelp},
}

// KindOfCode is the kind that a provider's code stands for, case and all; of a code that nobody knows, it is ServerError.
func KindOfCode(code string) FailureKind {
	if c, ok := codes[code]; ok {
		return c.kind
	}
	return ServerError
}
