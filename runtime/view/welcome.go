package view

// Welcome is what the first run says of itself: five lines, whole in a usual terminal, and what more there is where it is said.
func Welcome(s Style, more ...[2]string) string {
	p := paragraph{s: s}
	p.add(own(bold, "This is the first run here."), own(plain, " Each call asks your policy and is on record first."))
	for _, l := range append([][2]string{
		{"y once, n no, ? why", "answer a question; caper help policy has the rules"},
		{"caper tree", "shows what was done; caper resume goes on with the rest"},
		{"caper help tools", "and help language: what programs can say"},
		{"caper new NAME", "makes a workflow of yours; caper doctor checks all this"},
	}, more...) {
		p.add(append(line{own(plain, "  "), own(cyan, l[0])}.pad(s, 23), own(dim, l[1]))...)
	}
	return p.String()
}
