package license

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for command, want := range map[string]string{
		"bash -lc 'a b'": "bash|-lc|a b", `x "it's" \* a\ b`: "x|it's|*|a b", "x {a,b}": "x|a|b",
		"": "", "x; y": "", "x | y": "", "x &": "", "! x": "", "a=1 x": "", "x > f": "", "x $Y": "", `x "$(y)"`: "", "x *": "", "x 'y": "", "(x)": "", "x\x00y": "",
		"x " + strings.Repeat("y", maxCommand): "",
	} {
		words, ok := Words(command)
		if got := strings.Join(words, "|"); got != want || ok != (want != "") {
			t.Errorf("%.40q: %.40q %v", command, got, ok)
		}
	}
}
