package model

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A schema can send the one who checks a value round in circles, or open itself thousands of times for each value: at
// the same place in the value, by references and combinations. Such schemas are refused before they are used.

const (
	maxSchema       = 1 << 20
	maxSchemaDepth  = 64
	maxSchemaChecks = 1000 // at one place in a value
	maxSchemaNodes  = 20000
)

// endless says why a schema must not be used, or nothing.
func endless(schema json.RawMessage) string {
	if len(schema) > maxSchema {
		return "it is larger than 1 MiB"
	}
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return "it is no JSON"
	}
	w := &schemaWalk{root: root}
	w.nodes(root, 0)
	return w.why
}

type schemaWalk struct {
	root  any
	count int
	why   string
}

// nodes looks at every schema that there is, and at whatever else might be one.
func (w *schemaWalk) nodes(v any, depth int) {
	if w.count++; w.count > maxSchemaNodes || depth > maxSchemaDepth {
		w.why = "it is too large or too deep"
	}
	if w.why != "" {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		checks := 0
		w.inPlace(v, 0, &checks)
		for _, e := range v {
			w.nodes(e, depth+1)
		}
	case []any:
		for _, e := range v {
			w.nodes(e, depth+1)
		}
	}
}

// inPlace follows what checks the same value once more.
func (w *schemaWalk) inPlace(v any, depth int, checks *int) {
	m, ok := v.(map[string]any)
	if !ok || w.why != "" {
		return
	}
	if *checks++; depth > maxSchemaDepth || *checks > maxSchemaChecks {
		w.why = "it refers to itself, or opens itself too often, without going deeper into the value"
		return
	}
	for k, e := range m {
		switch k {
		case "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor":
			w.why = k + " is not read; refer by #/$defs/NAME"
			return
		case "$ref":
			ref, _ := e.(string)
			to, ok := pointed(w.root, ref)
			if !ok {
				w.why = "the reference " + clip(ref) + " leads nowhere in the schema; refer by #/$defs/NAME"
				return
			}
			w.inPlace(to, depth+1, checks)
		case "allOf", "anyOf", "oneOf":
			list, _ := e.([]any)
			for _, x := range list {
				w.inPlace(x, depth+1, checks)
			}
		case "not", "if", "then", "else":
			w.inPlace(e, depth+1, checks)
		case "dependentSchemas", "dependencies":
			each, _ := e.(map[string]any)
			for _, x := range each {
				w.inPlace(x, depth+1, checks)
			}
		}
	}
}

// pointed follows a reference within a document.
func pointed(root any, ref string) (any, bool) {
	if ref == "#" {
		return root, true
	}
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	v := root
	for _, step := range strings.Split(path, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch x := v.(type) {
		case map[string]any:
			if v, ok = x[step]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
