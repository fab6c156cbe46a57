// Package number holds the numeric tower as pure functions over Go values.
// It knows nothing of machines, words or syntax; anything may import it.
package number

// Number is one of
//
//	int64       an exact integer that fits
//	*big.Int    an exact integer that does not fit an int64 (never one that does)
//	*big.Rat    an exact rational that is no integer (never an integral one)
//	float64     an inexact real
//	Complex     a number that is not real
//
// Functions that speak of order, of integers or of fractions take real numbers: their callers see to it.
// Functions return values in this normal form and never change their arguments.
type Number any
