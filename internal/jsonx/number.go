package jsonx

import (
	"strconv"
	"strings"
)

// Int returns a number that is whole, however it is written: 3, 3.0 and 3e0
// are all 3. It reports false for other kinds, for a number with a fraction,
// and for one that does not fit; nothing is rounded.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	raw := v.Raw()
	if strings.ContainsAny(raw, ".eE") {
		var ok bool
		if raw, ok = wholeDigits(raw); !ok {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// wholeDigits rewrites a number with a fraction or an exponent as an integer
// with at most 19 digits. It reports false if that cannot be done exactly.
func wholeDigits(raw string) (string, bool) {
	const maxDigits = 19 // of an int64
	sign := ""
	if raw[0] == '-' {
		sign, raw = "-", raw[1:]
	}
	mantissa, power := raw, ""
	if i := strings.IndexAny(raw, "eE"); i >= 0 {
		mantissa, power = raw[:i], raw[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	zeros := -len(fraction) // to add behind the digits
	if power != "" {
		n, err := strconv.ParseInt(power, 10, 32)
		if err != nil {
			return "", false
		}
		zeros += int(n)
	}
	short := strings.TrimRight(digits, "0")
	zeros += len(digits) - len(short)
	if zeros < 0 || zeros > maxDigits || len(short)+zeros > maxDigits {
		return "", false
	}
	return sign + short + strings.Repeat("0", zeros), true
}

// Float returns a number as the nearest float64. It reports false for other
// kinds and for a number that is out of range.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Raw(), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}
