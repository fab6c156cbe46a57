package license

import (
	"path"
	"sort"
	"strings"
)

// token is one word of a command or pattern after flags are told from operands.
type token struct {
	text    string
	flag    bool     // -x, --long, or --
	flags   []string // the same flag in its normal spellings: -rf is r and f of rm, in long words
	value   string   // of --opt=value
	hasVal  bool
	glob    bool // pattern: text holds *
	rest    bool // pattern: a * alone at the end
	unknown bool // command: nobody knows the text
	found   bool // and it is surely an operand
	wild    bool // command: unquoted wildcards
	takes   bool // the next token is this flag's value
	argOf   bool // it is the value of the flag before it
	sure    bool // and that is certain: it is one of the program's own options, before its subcommand
	unsure  bool // the flag is not in the table: it may take a value
}

// flagTable is what a known program's options mean: which short and long ones are the same, which take a value.
type flagTable struct {
	same   string // "r=recursive R=recursive f=force": short = long
	values string // options that take a value: short letters and long words
	// before are options of the program itself that stand before its subcommand and take a value.
	before string
}

var flagTables = map[string]flagTable{
	"rm":      {same: "r=recursive R=recursive f=force i=interactive I=interactive d=dir v=verbose one-file-system no-preserve-root preserve-root"},
	"cp":      {same: "r=recursive R=recursive f=force a=archive i=interactive n=no-clobber p=preserve l=link s=symbolic-link u=update v=verbose t=target-directory T=no-target-directory S=suffix H L=dereference P=no-dereference d x=one-file-system b", values: "t target-directory S suffix"},
	"mv":      {same: "f=force i=interactive n=no-clobber u=update v=verbose t=target-directory T=no-target-directory S=suffix b", values: "t target-directory S suffix"},
	"ln":      {same: "s=symbolic f=force n=no-dereference i=interactive v=verbose r=relative t=target-directory T=no-target-directory b L P S=suffix", values: "t target-directory S suffix"},
	"chmod":   {same: "R=recursive f=silent v=verbose c=changes reference quiet=silent", values: "reference"},
	"chown":   {same: "R=recursive f=silent v=verbose c=changes h=no-dereference H L P reference from quiet=silent", values: "reference from"},
	"chgrp":   {same: "R=recursive f=silent v=verbose c=changes h=no-dereference H L P reference quiet=silent", values: "reference"},
	"mkdir":   {same: "p=parents m=mode v=verbose", values: "m mode"},
	"rmdir":   {same: "p=parents v=verbose ignore-fail-on-non-empty"},
	"touch":   {same: "a c=no-create d=date m r=reference t", values: "d date r reference t"},
	"ls":      {same: "a=all A=almost-all l h=human-readable R=recursive r=reverse t S d=directory 1 i=inode n=numeric-uid-gid"},
	"grep":    {same: "r=recursive R=dereference-recursive i=ignore-case n=line-number l=files-with-matches L=files-without-match v=invert-match c=count o=only-matching E=extended-regexp F=fixed-strings P=perl-regexp w=word-regexp x=line-regexp q=quiet s=no-messages H=with-filename h=no-filename a=text e=regexp f=file A=after-context B=before-context C=context m=max-count d=directories D=devices silent=quiet include exclude exclude-dir", values: "d directories D devices e regexp f file A after-context B before-context C context m max-count include exclude exclude-dir"},
	"git":     {same: "f=force a=all m=message d=delete D=force-delete u=set-upstream n=dry-run q=quiet v=verbose b=branch B p=patch r=remotes F=file s=signoff i=interactive x X hard soft mixed no-verify amend force-with-lease tags prune mirror", values: "m message F file b B author date", before: "C c git-dir work-tree namespace super-prefix config-env exec-path attr-source"},
	"tar":     {same: "x=extract c=create t=list f=file z=gzip j=bzip2 J=xz v=verbose C=directory p=preserve-permissions r=append u=update get=extract", values: "f file C directory"},
	"curl":    {same: "o=output O=remote-name X=request d=data H=header L=location s=silent S=show-error k=insecure u=user f=fail F=form T=upload-file A=user-agent x=proxy I=head i=include v=verbose K=config b=cookie c=cookie-jar e=referer", values: "o output X request d data H header u user F form T upload-file A user-agent x proxy K config b cookie c cookie-jar e referer data-raw data-binary url connect-timeout m max-time"},
	"wget":    {same: "O=output-document q=quiet r=recursive P=directory-prefix c=continue", values: "O output-document P directory-prefix"},
	"sed":     {same: "i=in-place n=quiet e=expression f=file E=regexp-extended r=regexp-extended s=separate z=null-data silent=quiet", values: "e expression f file"},
	"docker":  {same: "f=force a=all q=quiet v=volume p=publish i=interactive t=tty d=detach e=env rm privileged", values: "v volume p publish e env name", before: "H host context config l log-level"},
	"kubectl": {same: "n=namespace f=filename o=output A=all-namespaces l=selector context force", values: "n namespace f filename o output l selector context", before: "n namespace context cluster user kubeconfig s server"},
	"npm":     {same: "g=global f=force", before: "prefix C"},
	"kill":    {same: "s=signal l=list", values: "s signal"},
	"find":    {},
	"head":    {same: "n=lines c=bytes q=quiet v=verbose", values: "n lines c bytes"},
	"tail":    {same: "n=lines c=bytes f=follow F q=quiet v=verbose", values: "n lines c bytes"},
	"sort":    {same: "r=reverse n=numeric-sort u=unique k=key t=field-separator o=output S=buffer-size T=temporary-directory", values: "k key t field-separator o output S buffer-size T temporary-directory"},
}

// longNames answers what a flag letter or word means for a program, empty when the program is not known.
func (t flagTable) longNames(name string) []string {
	var out []string
	prefix := len(name) > 1
	for _, pair := range strings.Fields(t.same) {
		short, long, has := strings.Cut(pair, "=")
		if short == name {
			if !has {
				long = short
			}
			return []string{long}
		}
		if !has {
			long = short
		}
		if long == name {
			return []string{long}
		}
		if prefix && len(long) > 1 && strings.HasPrefix(long, name) {
			out = append(out, long)
		}
	}
	sort.Strings(out)
	return dedupe(out) // an abbreviation, as getopt takes it; several when it is not unique
}

func dedupe(sorted []string) []string {
	var out []string
	for i, s := range sorted {
		if i == 0 || s != sorted[i-1] {
			out = append(out, s)
		}
	}
	return out
}

func listed(list, name string) bool {
	for _, f := range strings.Fields(list) {
		if f == name {
			return true
		}
	}
	return false
}

// normalise turns the words after a command's name into tokens: clusters are split where the program is known, long
// and short spellings become one, values are told from operands.
func normalise(name string, words []Word) []token {
	base := path.Base(name)
	table, known := flagTables[base]
	var out []token
	operands := false // after --
	subcommand := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		t := token{text: w.Text, unknown: !w.Known, found: w.Found, wild: w.Glob}
		switch {
		case operands || t.unknown || w.Text == "-" || !strings.HasPrefix(w.Text, "-"):
			subcommand = subcommand || !t.unknown
			out = append(out, t)
			continue
		case w.Text == "--":
			operands = true
			out = append(out, token{text: "--", flag: true, flags: []string{"--"}})
			continue
		}
		t.flag = true
		values, before := table.values, table.before != "" && !subcommand
		if before {
			values = table.before
		}
		flags := splitFlag(w.Text, table, known, values)
		last := &flags[len(flags)-1]
		out = append(out, flags...)
		if last.takes && i+1 < len(words) {
			i++
			out = append(out, token{text: words[i].Text, unknown: !words[i].Known, wild: words[i].Glob, argOf: true, sure: before})
		}
	}
	return out
}

// splitFlag reads one word that begins with a dash.
func splitFlag(word string, table flagTable, known bool, values string) []token {
	name := strings.TrimLeft(word, "-")
	long := strings.HasPrefix(word, "--")
	name, value, hasVal := strings.Cut(name, "=")
	if long || !known || len(name) == 1 {
		t := token{text: word, flag: true, value: value, hasVal: hasVal}
		t.flags = table.longNames(name)
		if len(t.flags) == 0 {
			t.flags, t.unsure = []string{name}, true
		}
		if !known && !long && len(name) > 1 {
			t.flags = nil // -abc of an unknown program: one word, or letters in any order
		}
		t.takes = !hasVal && known && (listed(values, name) || len(t.flags) == 1 && listed(values, t.flags[0]))
		return []token{t}
	}
	var out []token
	letters := strings.TrimPrefix(word, "-")
	for j := 0; j < len(letters); j++ {
		c := letters[j : j+1]
		flags := table.longNames(c)
		t := token{text: "-" + c, flag: true, flags: flags, unsure: len(flags) == 0}
		if len(flags) == 0 {
			t.flags = []string{c}
		}
		if listed(values, c) {
			if j+1 < len(letters) {
				t.value, t.hasVal = letters[j+1:], true
			} else {
				t.takes = true
			}
			out = append(out, t)
			return out
		}
		out = append(out, t)
	}
	return out
}

// sameFlag says that a flag of a command is what a flag of a pattern names.
func sameFlag(pattern, cmd token) bool {
	if pattern.hasVal && !(cmd.hasVal && wildcard(pattern.value, cmd.value)) {
		return false
	}
	if pattern.text == cmd.text {
		return true
	}
	for _, p := range pattern.flags {
		for _, c := range cmd.flags {
			if p == c {
				return true
			}
		}
	}
	if pattern.flags == nil && cmd.flags == nil {
		return sortedLetters(pattern.text) == sortedLetters(cmd.text)
	}
	return false
}

func sortedLetters(s string) string {
	b := []byte(strings.TrimLeft(s, "-"))
	sort.Slice(b, func(i, j int) bool { return b[i] < b[j] })
	return string(b)
}

// wildcard matches * against any run of characters; nothing else is special. It is linear but for backing up to the
// last star.
func wildcard(pattern, s string) bool {
	p, i, star, mark := 0, 0, -1, 0
	for i < len(s) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
		case p < len(pattern) && pattern[p] == s[i]:
			p++
			i++
		case star >= 0:
			mark++
			p, i = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
