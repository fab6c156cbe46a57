package heap

// Kind answers the header kind of an object or closure, 0 for every other word.
func (a *Arena) Kind(w Word) Kind {
	if t := w & TagMask; t == TagObject || t == TagClosure {
		return uint8(a.Load(w - t))
	}
	return 0
}

// Is reports whether w is an object of kind k.
func (a *Arena) Is(w Word, k Kind) bool {
	return w&TagMask == TagObject && uint8(a.Load(w-TagObject)) == k
}

// Size is the payload length of an object in words.
func (a *Arena) Size(w Word) uint64 { return HeaderLen(a.Load(w - w&TagMask)) }

// Field and SetField reach payload word i (from 0) of an object; the caller has checked the kind. A wrong index panics.
func (a *Arena) Field(w Word, i int) Word { return a.Load(a.fieldOff(w, i)) }
func (a *Arena) SetField(w Word, i int, v Word) {
	if checked {
		a.checkChange(w)
		if a.Kind(w)&rawBit == 0 {
			a.checkValue(v)
		}
	}
	a.Store(a.fieldOff(w, i), v)
}
func (a *Arena) fieldOff(w Word, i int) uint64 {
	if checked {
		a.checkValue(w)
	}
	o := w - w&TagMask
	if uint64(i) >= HeaderLen(a.Load(o)) {
		panic(ErrCorrupt)
	}
	return o + 8 + uint64(i)*8
}

// Fields is a view of an object's payload, valid until the next collection.
func (a *Arena) Fields(w Word) []Word {
	if checked {
		a.checkValue(w)
	}
	o := uint64(uint32(w - w&TagMask))
	return a.Words(o+8, o+8+HeaderLen(a.Load(o))*8)
}

// New makes an object with every payload word set to fill.
func (a *Arena) New(k Kind, n int, fill Word) Word {
	if checked {
		a.checkValue(fill)
	}
	o := a.Alloc(uint64(n) + 1)
	a.Store(o, Header(k, uint64(n)))
	w := a.Words(o+8, o+8+uint64(n)*8)
	for i := range w {
		w[i] = fill
	}
	return o + TagObject
}

// NewOf makes an object with the given payload.
func (a *Arena) NewOf(k Kind, fields ...Word) Word {
	o := a.Alloc(uint64(len(fields)) + 1)
	a.Store(o, Header(k, uint64(len(fields))))
	copy(a.Words(o+8, o+8+uint64(len(fields))*8), fields)
	if checked {
		for _, w := range fields {
			a.checkValue(w)
		}
	}
	return o + TagObject
}

func (a *Arena) Cons(car, cdr Word) Word {
	if checked {
		a.checkValue(car)
		a.checkValue(cdr)
	}
	o := a.Alloc(2)
	a.Store(o, car)
	a.Store(o+8, cdr)
	return o + TagPair
}

func (a *Arena) Car(p Word) Word {
	if checked {
		a.checkPair(p)
	}
	return a.Load(p - TagPair)
}

func (a *Arena) Cdr(p Word) Word {
	if checked {
		a.checkPair(p)
	}
	return a.Load(p - TagPair + 8)
}

func (a *Arena) SetCar(p Word, v Word) {
	if checked {
		a.checkPair(p)
		a.checkChange(p)
		a.checkValue(v)
	}
	a.Store(p-TagPair, v)
}

func (a *Arena) SetCdr(p Word, v Word) {
	if checked {
		a.checkPair(p)
		a.checkChange(p)
		a.checkValue(v)
	}
	a.Store(p-TagPair+8, v)
}

// List makes a proper list.
func (a *Arena) List(items ...Word) Word { return a.ListTail(Null, items...) }

// ListTail makes a list that ends in tail.
func (a *Arena) ListTail(tail Word, items ...Word) Word {
	for i := len(items) - 1; i >= 0; i-- {
		tail = a.Cons(items[i], tail)
	}
	return tail
}

// Slice copies the items of a proper list; ok is false for an improper or circular one, or one longer than limit.
func (a *Arena) Slice(list Word, limit int) (items []Word, ok bool) {
	for IsPair(list) {
		if len(items) >= limit {
			return items, false
		}
		items = append(items, a.Car(list))
		list = a.Cdr(list)
	}
	return items, list == Null
}

// ListLen is the length of a proper list; ok is false for an improper or circular one.
func (a *Arena) ListLen(list Word) (n int, ok bool) {
	slow := list
	for IsPair(list) {
		n++
		list = a.Cdr(list)
		if n&1 == 0 {
			slow = a.Cdr(slow)
			if slow == list && IsPair(list) {
				return n, false
			}
		}
	}
	return n, list == Null
}

func (a *Arena) IsVector(w Word) bool { return a.Is(w, KindVector) }
func (a *Arena) IsString(w Word) bool { return a.Is(w, KindString) }
func (a *Arena) IsSymbol(w Word) bool {
	return w&TagMask == TagObject && a.Load(w-TagObject)&(0xff|keywordBit) == uint64(KindSymbol)
}

// SymbolMask is what of a symbol's header is KindSymbol.
const SymbolMask = 0xff | keywordBit

func (a *Arena) IsKeyword(w Word) bool {
	return w&TagMask == TagObject && a.Load(w-TagObject)&(0xff|keywordBit) == uint64(KindSymbol)|keywordBit
}

// IsType reports whether w is a record of the built-in type t.
func (a *Arena) IsType(w Word, t int64) bool {
	return a.Is(w, KindRecord) && a.Field(w, 0) == Fixnum(t)
}

// IsProcedure reports whether w can be applied.
func (a *Arena) IsProcedure(w Word) bool {
	return IsClosure(w) || a.Is(w, KindCont) || a.IsType(w, TypeParameter)
}

// NewBytes makes a bytevector of n zero bytes.
func (a *Arena) NewBytes(n int) Word {
	words := uint64(1 + (n+7)/8)
	o := a.Alloc(words + 1)
	a.Store(o, Header(KindBytes, words))
	clear(a.Words(o+8, o+8+words*8))
	a.Store(o+8, uint64(n))
	return o + TagObject
}

// Bytes is a view of a bytevector's bytes, valid until the next collection.
func (a *Arena) Bytes(w Word) []byte {
	if checked {
		a.checkKind(w, KindBytes)
	}
	o := uint64(uint32(w - TagObject))
	words := HeaderLen(a.Load(o))
	n := a.Load(o + 8)
	if words == 0 || n > (words-1)*8 {
		panic(ErrCorrupt)
	}
	return asBytes(a.Words(o+16, o+8+words*8))[:n]
}

// FromBytes makes a bytevector holding a copy of b.
func (a *Arena) FromBytes(b []byte) Word {
	w := a.NewBytes(len(b))
	copy(a.Bytes(w), b)
	return w
}

// NewCondition makes a condition record without a trace.
func (a *Arena) NewCondition(kind, message string, irritants, data Word) Word {
	return a.NewOf(KindRecord, Fixnum(TypeCondition), a.SymbolOr(kind), a.NewString(message), irritants, data, False)
}
