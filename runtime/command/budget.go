package command

import (
	"fmt"
	"strconv"
	"strings"

	"caper/runtime/kind"
	"caper/runtime/program"
)

// budget is what the flags let a program spend.
func (v *verb) budget() (kind.Budget, error) {
	b := kind.Budget{Fuel: v.fuel, Wall: v.timeout}
	if v.memory == "" {
		return b, nil
	}
	n, err := parseSize(v.memory)
	if err != nil {
		return b, failf(ExitUsage, "", "--memory: %w", err)
	}
	b.Memory = n
	b.Output = min(program.DefaultOutput, n/4) // what is written is kept too
	return b, nil
}

// Bounds of --memory: the libraries need the least, the spaces of a machine hold no more.
const (
	minMemory = 1 << 20
	maxMemory = 2 << 30
)

// parseSize reads 256M and its like.
func parseSize(s string) (uint64, error) {
	unit, digits := uint64(1), s
	if i := strings.IndexByte("KMG", strings.ToUpper(s + " ")[max(len(s)-1, 0)]); i >= 0 {
		unit, digits = 1<<(10*(i+1)), s[:len(s)-1]
	}
	n, err := strconv.ParseUint(digits, 10, 33)
	if err != nil || n*unit < minMemory || n*unit > maxMemory {
		return 0, fmt.Errorf("a size from 1M to 2G is wanted, such as 256M; found %q", s)
	}
	return n * unit, nil
}
