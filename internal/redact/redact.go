// Package redact hides credentials in what people get to see: headers, queries, and texts that hold something that looks
// like a key.
package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// Mark stands where a secret was.
const Mark = "REDACTED"

// Header says whether a header's value is a credential, by its canonical name.
func Header(name string) bool {
	switch name {
	case "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "X-Goog-Api-Key",
		"X-Amz-Security-Token", "Ocp-Apim-Subscription-Key", "X-Auth-Token":
		return true
	}
	return false
}

// queryKeys are the query parameters whose value is a credential.
func queryKey(name string) bool {
	switch strings.ToLower(name) {
	case "key", "api_key", "api-key", "apikey", "access_token", "token", "x-amz-signature", "x-amz-credential",
		"x-amz-security-token", "sig", "signature":
		return true
	}
	return false
}

// Query is a query with its credentials hidden; names and order stay.
func Query(raw string) string {
	if raw == "" {
		return ""
	}
	parts := strings.Split(raw, "&")
	for i, p := range parts {
		name, value, ok := strings.Cut(p, "=")
		if n, err := url.QueryUnescape(name); err == nil && ok && value != "" && queryKey(n) {
			parts[i] = name + "=" + Mark
		}
	}
	return strings.Join(parts, "&")
}

// URL is a path with a query, its credentials hidden.
func URL(u string) string {
	path, query, ok := strings.Cut(u, "?")
	if !ok {
		return Text(u)
	}
	return Text(path) + "?" + Query(query)
}

// Target is a request target with the credentials in its query hidden. Its path stays as it is.
func Target(u string) string {
	path, query, ok := strings.Cut(u, "?")
	if !ok {
		return u
	}
	return path + "?" + Query(query)
}

// keys are the forms of keys that providers hand out. Each is long enough not to be met by chance.
var keys = regexp.MustCompile(strings.Join([]string{
	`sk-[A-Za-z0-9_-]{16,}`,                                        // OpenAI, Anthropic, OpenRouter, DeepSeek
	`AIza[0-9A-Za-z_-]{35}`,                                        // Google
	`ya29\.[0-9A-Za-z_-]{20,}`,                                     // Google OAuth
	`(?:AKIA|ASIA)[0-9A-Z]{16}`,                                    // AWS
	`(?:gsk|xai|pplx|hf|csk|r8|fw|tgp)[_-][A-Za-z0-9]{20,}`,        // Groq, xAI, Perplexity, Hugging Face and others
	`gh[pousr]_[A-Za-z0-9]{36,}`,                                   // GitHub
	`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+`, // JSON Web Tokens
	`(?i:bearer) [A-Za-z0-9._~+/=-]{16,}`,
}, "|"))

// Text is a text with everything in it that looks like a key replaced by a mark.
func Text(s string) string {
	if !mayHoldKey(s) {
		return s
	}
	return keys.ReplaceAllString(s, Mark)
}

// mayHoldKey spares most texts the regular expression.
func mayHoldKey(s string) bool {
	for _, sign := range []string{"sk-", "AIza", "ya29.", "AKIA", "ASIA", "gsk", "xai", "pplx", "hf_", "csk", "r8_", "fw_", "tgp", "gh", "eyJ", "earer ", "EARER "} {
		if strings.Contains(s, sign) {
			return true
		}
	}
	return false
}
