package tool

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	diffContext = 3
	maxEdits    = 1000    // beyond that the changed region is shown as removed and added whole
	maxDiff     = 1 << 20 // bytes of a diff that are kept
)

// diffPreview shows what giving the file at path the content after changes.
func diffPreview(_ *Env, path string, now content, after []byte) Preview {
	p := Preview{Path: path, New: !now.exists, Before: now.hash}
	switch {
	case now.exists && now.data == nil && now.meta.size > 0:
		p.Note = "the file is too large to show"
	case isBinary(now.data) || isBinary(after):
		p.Note = fmt.Sprintf("not text: %d bytes now, %d bytes then", len(now.data), len(after))
	default:
		p.Diff, p.Added, p.Removed = unified(showPath(path), now.data, after)
	}
	return p
}

func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), binaryPrefix)], 0) >= 0 || !utf8.Valid(data)
}

// edit is a run of lines: kept (' '), removed ('-') or added ('+'). Lines are numbered in the old text for ' ' and '-', in the new
// for '+'.
type edit struct {
	op       byte
	from, to int
}

// unified answers a diff in the unified format, and how many lines are added and removed.
func unified(path string, before, after []byte) (diff string, added, removed int) {
	a, b := splitLines(before), splitLines(after)
	edits := compare(a, b)
	var out strings.Builder
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i++
			continue
		}
		// A hunk goes on while the kept runs between its changes are short.
		end := i
		for end+1 < len(edits) && (edits[end+1].op != ' ' || end+2 < len(edits) && edits[end+1].to-edits[end+1].from <= 2*diffContext) {
			end++
		}
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", path, path)
		}
		plus, minus := hunk(&out, a, b, edits, i, end)
		added += plus
		removed += minus
		i = end + 1
	}
	return out.String(), added, removed
}

// hunk writes edits[i..end] with the lines around them.
func hunk(out *strings.Builder, a, b [][]byte, edits []edit, i, end int) (added, removed int) {
	var body strings.Builder
	oldStart, newStart := 0, 0
	for _, e := range edits[:i] {
		if e.op != '+' {
			oldStart = e.to
		}
		if e.op != '-' {
			newStart += e.to - e.from
		}
	}
	oldCount, newCount := 0, 0
	write := func(op byte, lines [][]byte) {
		if op != '+' {
			oldCount += len(lines)
		}
		if op != '-' {
			newCount += len(lines)
		}
		for _, l := range lines {
			if out.Len()+body.Len() > maxDiff {
				continue
			}
			body.WriteByte(op)
			body.Write(l)
			if len(l) == 0 || l[len(l)-1] != '\n' {
				body.WriteString("\n\\ No newline at end of file\n")
			}
		}
		if out.Len()+body.Len() > maxDiff && !strings.HasSuffix(body.String(), cutDiff) {
			body.WriteString(cutDiff)
		}
	}
	if i > 0 { // a kept run
		from := max(edits[i-1].from, edits[i-1].to-diffContext)
		n := edits[i-1].to - from
		oldStart, newStart = oldStart-n, newStart-n
		write(' ', a[from:edits[i-1].to])
	}
	for _, e := range edits[i : end+1] {
		switch e.op {
		case '+':
			added += e.to - e.from
			write('+', b[e.from:e.to])
		case '-':
			removed += e.to - e.from
			write('-', a[e.from:e.to])
		default:
			write(' ', a[e.from:e.to])
		}
	}
	if end+1 < len(edits) {
		write(' ', a[edits[end+1].from:min(edits[end+1].to, edits[end+1].from+diffContext)])
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(oldStart, oldCount), span(newStart, newCount))
	out.WriteString(body.String())
	return added, removed
}

const cutDiff = "(the diff is longer than 1 MiB and is cut here)\n"

func span(start, count int) string {
	if count > 0 {
		start++
	}
	if count == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

func splitLines(data []byte) [][]byte {
	if len(data) == 0 {
		return nil
	}
	parts := bytes.SplitAfter(data, []byte("\n"))
	if len(parts[len(parts)-1]) == 0 {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// compare answers the edits that make b from a. What is equal at both ends is put aside; the middle is compared by Myers' greedy
// algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986), bounded by maxEdits.
func compare(a, b [][]byte) []edit {
	head := 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	edits := addEdit(nil, ' ', 0, head)
	for _, e := range myers(a[head:len(a)-tail], b[head:len(b)-tail]) {
		edits = addEdit(edits, e.op, e.from+head, e.to+head)
	}
	return addEdit(edits, ' ', len(a)-tail, len(a))
}

func addEdit(edits []edit, op byte, from, to int) []edit {
	if from == to {
		return edits
	}
	if n := len(edits); n > 0 && edits[n-1].op == op && edits[n-1].to == from {
		edits[n-1].to = to
		return edits
	}
	return append(edits, edit{op, from, to})
}

func myers(left, right [][]byte) []edit {
	whole := addEdit(addEdit(nil, '-', 0, len(left)), '+', 0, len(right))
	if len(left) == 0 || len(right) == 0 {
		return whole
	}
	a, b := number(left, right)
	limit := min(len(a)+len(b), maxEdits)
	v := make([]int32, 2*limit+3)
	var trace [][]int32
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			var x int32
			if k == -d || k != d && v[limit+k] < v[limit+k+2] {
				x = v[limit+k+2]
			} else {
				x = v[limit+k] + 1
			}
			y := int(x) - k
			for int(x) < len(a) && y < len(b) && a[x] == b[y] {
				x++
				y++
			}
			v[limit+k+1] = x
			if int(x) >= len(a) && y >= len(b) {
				return backtrack(append(trace, append([]int32(nil), v[limit-d:limit+d+3]...)), len(a), len(b))
			}
		}
		trace = append(trace, append([]int32(nil), v[limit-d:limit+d+3]...))
	}
	return whole
}

// backtrack reads the way from the end. trace[d] holds the furthest points after d edits, for the diagonals −d−1 … d+1.
func backtrack(trace [][]int32, x, y int) []edit {
	var reversed []edit
	for d := len(trace) - 1; d > 0; d-- {
		row := trace[d-1] // diagonal k lies at k+d
		at := func(k int) int { return int(row[k+d]) }
		k := x - y
		var from int
		down := k == -d || k != d && at(k-1) < at(k+1)
		if down {
			from = k + 1
		} else {
			from = k - 1
		}
		px := at(from)
		py := px - from
		sx, sy := px, py
		if down {
			sy++
		} else {
			sx++
		}
		reversed = append(reversed, edit{' ', sx, x})
		if down {
			reversed = append(reversed, edit{'+', py, sy})
		} else {
			reversed = append(reversed, edit{'-', px, sx})
		}
		x, y = px, py
	}
	edits := addEdit(nil, ' ', 0, x)
	for i := len(reversed) - 1; i >= 0; i-- {
		edits = addEdit(edits, reversed[i].op, reversed[i].from, reversed[i].to)
	}
	return edits
}

// number gives equal lines equal numbers.
func number(left, right [][]byte) (a, b []int32) {
	numbers := map[string]int32{}
	give := func(lines [][]byte) []int32 {
		out := make([]int32, len(lines))
		for i, l := range lines {
			n, ok := numbers[string(l)]
			if !ok {
				n = int32(len(numbers))
				numbers[string(l)] = n
			}
			out[i] = n
		}
		return out
	}
	return give(left), give(right)
}
