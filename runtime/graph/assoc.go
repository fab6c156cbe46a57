package graph

// Pair is the association (name . d) of an association list; where d is a list, so is the pair.
func Pair(name string, d Datum) Datum {
	switch d := d.(type) {
	case List:
		return append(List{Symbol(name)}, d...)
	case *Dotted:
		return &Dotted{Items: append([]Datum{Symbol(name)}, d.Items...), Tail: d.Tail}
	}
	return &Dotted{Items: []Datum{Symbol(name)}, Tail: d}
}

// Name reads a name that may be a symbol or a string; an empty one is none.
func Name(d Datum) (string, bool) {
	switch d := d.(type) {
	case Symbol:
		return string(d), d != ""
	case string:
		return d, d != ""
	}
	return "", false
}

// Field answers what an association list holds under a name, nil for nothing.
func Field(d Datum, name string) Datum {
	list, _ := d.(List)
	for _, x := range list {
		switch p := x.(type) {
		case *Dotted:
			if len(p.Items) == 1 && p.Items[0] == Symbol(name) {
				return p.Tail
			}
		case List:
			if len(p) > 0 && p[0] == Symbol(name) {
				return p[1:]
			}
		}
	}
	return nil
}

// TextField is Field for a string, "" for anything else.
func TextField(d Datum, name string) string {
	s, _ := Field(d, name).(string)
	return s
}
