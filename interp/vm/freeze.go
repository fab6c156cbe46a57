package vm

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/frozen"
	"caper/interp/heap"
)

// This file writes an image down and reads it. What its units say of procedures and places is read when a message wants it.

// Freeze writes the image down.
func (i *Image) Freeze(w *frozen.Writer) {
	w.Text(i.words)
	w.Text(i.cells)
	w.Text(frozen.Words(i.private))
	w.Text(string(i.hash[:]))
	w.Text(i.symbols.Data())
	w.List(i.names)
	w.Word(i.throw)
	w.Int(int(i.maxRegs))
	w.Signed(int64(i.handler))
	w.Signed(int64(i.ending))
	var places []uint64
	var texts []string
	for k := range i.units {
		p := i.unit(k)
		places = append(places, p.base, p.end)
		var u frozen.Writer
		u.Text(string(code.Encode(&code.Unit{Name: p.unit.Name, Procs: p.unit.Procs, Files: p.unit.Files})))
		u.Text(frozen.Words(p.consts))
		u.Text(frozen.Words(p.tops))
		texts = append(texts, u.String())
	}
	w.Text(frozen.Words(places))
	w.List(frozen.NewList(texts))
}

// Thaw makes the image that Freeze wrote.
func Thaw(r *frozen.Reader) (*Image, error) {
	i := &Image{words: r.Text(), cells: r.Text(), private: frozen.ParseWords(r.Text())}
	i.globals = len(i.cells) / 8
	copy(i.hash[:], r.Text())
	i.symbols, i.names = frozen.ReadIndex(r.Text()), r.List()
	i.throw, i.maxRegs, i.handler, i.ending = r.Word(), uint64(r.Int()), int(r.Signed()), int(r.Signed())
	places := frozen.ParseWords(r.Text())
	i.texts = r.List()
	units := make([]placed, len(places)/2)
	for k := range units {
		units[k].base, units[k].end = places[2*k], places[2*k+1]
		i.units = append(i.units, &units[k])
	}
	var err error
	i.memory, err = heap.NewImage(i.words, i.cells)
	return i, err
}

// unit is unit number k of the image, complete.
func (i *Image) unit(k int) *placed {
	p := i.units[k]
	p.thawed.Do(func() {
		if p.unit != nil {
			return
		}
		r := frozen.NewReader(i.texts.At(k))
		var err error
		if p.unit, err = code.Decode([]byte(r.Text())); err != nil {
			panic(fmt.Sprintf("the library image: %v", err)) // its checksum was right: what wrote it is wrong
		}
		p.consts, p.tops = frozen.ParseWords(r.Text()), frozen.ParseWords(r.Text())
	})
	return p
}
