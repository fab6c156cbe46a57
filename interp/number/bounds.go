package number

// Bounds on the operands of one exact operation, both together, so that none takes longer than a second or two: programs
// are interrupted between operations, not within one.
const (
	MaxBits      = 1 << 23
	MaxRatioBits = 1 << 20 // where a greatest common divisor is found, which takes quadratic time
)
