package prim

import (
	"strconv"

	"caper/interp/heap"
)

// Labels are the datum labels of what a printer prints: of values that contain themselves, or come twice. They are numbered
// as they are printed.
type Labels struct {
	numbers map[heap.Word]int // from 1; 0 before the value is printed
	given   int
}

// Add gives w a label and answers how many there are.
func (l *Labels) Add(w heap.Word) int {
	if l.numbers == nil {
		l.numbers = map[heap.Word]int{}
	}
	l.numbers[w] = 0
	return len(l.numbers)
}

// Has reports whether w has a label.
func (l *Labels) Has(w heap.Word) bool {
	_, ok := l.numbers[w]
	return ok
}

// Of answers what is printed before w, or, when again, in its place. It is nothing where w has no label.
func (l *Labels) Of(w heap.Word) (text string, again bool) {
	n, ok := l.numbers[w]
	switch {
	case !ok:
		return "", false
	case n > 0:
		return "#" + strconv.Itoa(n-1) + "#", true
	}
	l.given++
	l.numbers[w] = l.given
	return "#" + strconv.Itoa(l.given-1) + "=", false
}
