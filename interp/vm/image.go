package vm

import (
	"caper/interp/heap"
)

// Image is the sealed library that machines start from: read-only, shared.
type Image struct {
	symbols map[string]heap.Word
	names   map[int]string
	globals int
	pool    pool
}

type pool struct{}

func (p *pool) take() (*heap.Cage, error) { panic("x") }
func (p *pool) put(c *heap.Cage)          {}
func (m *Machine) adoptImage()            {}
