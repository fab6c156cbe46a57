// Package format lays Scheme source out in the standard way: it indents, and spaces what stands in a line; where lines
// break is the author's choice. It never changes what is read. It knows nothing of what names mean but their usual shape.
package format
