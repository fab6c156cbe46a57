package drive

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/tool"
	"caper/runtime/worker/driver"
)

// TestRequests: what clients ask for, as calls of ours.
func TestRequests(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"rm -rf x","description":"tidies"}`, `(bash "rm -rf x")`},
		{"Bash", `{"command":7}`, `(client-tool "Bash" "{\"command\":7}")`},
		{"Bash", `not JSON`, `(client-tool "Bash" "not JSON")`},
		{"Write", `{"file_path":"/w/a","content":"x"}`, `(write-file "/w/a" "x")`},
		{"Write", `{"file_path":"/w/a"}`, `(client-tool "Write" "{\"file_path\":\"/w/a\"}")`},
		{"Edit", `{"file_path":"/w/a","old_string":"x","new_string":"y","replace_all":true}`, `(edit-file "/w/a" "x" "y" #:all #t)`},
		{"Read", `{"file_path":"/etc/passwd"}`, `(read-file "/etc/passwd")`},
		{"read-file", `{"path":"x"}`, `(client-tool "read-file" "{\"path\":\"x\"}")`}, // a tool of somebody's server is not ours
		{"shell", `{"command":"/bin/bash -lc 'touch x'","cwd":"/w"}`, `(bash "touch x" #:cwd "/w")`},
		{"shell", `{"command":["/bin/bash","-lc","touch x"]}`, `(bash "touch x")`},
		{"shell", `{"command":["rm","it's"]}`, `(bash "'rm' 'it'\\''s'")`},
		{"shell", `{"command":"bash -lc 'echo '\"'\"'a'\"'\"''"}`, `(bash "echo 'a'")`},
		{"shell", `{"command":"bash -lc pwd"}`, `(bash "pwd")`},
		{"shell", `{"command":"bash -lc 'pwd' x"}`, `(bash "bash -lc 'pwd' x")`},
		{"shell", `{"command":"bash -lc 'pwd'; rm x"}`, `(bash "bash -lc 'pwd'; rm x")`},
		{"shell", `{"command":"bash -lc \"$X\""}`, `(bash "bash -lc \"$X\"")`},
		{"shell", `{"command":"bash -lc 'pwd"}`, `(bash "bash -lc 'pwd")`},
		{"apply_patch", `{"changes":[{"path":"/w/a","kind":{"type":"add"},"diff":"x\n"},{"path":"/w/b","kind":{"type":"delete"},"diff":""}]}`,
			`(write-file "/w/a" "x\n") (delete-file "/w/b")`},
		{"apply_patch", `{"changes":[{"path":"/w/a","kind":{"type":"update","move_path":"/w/b"},"diff":"@@ -1,2 +1,2 @@\n same\n-old\n+new\n"}]}`,
			`(edit-file "/w/a" "same\nold\n" "same\nnew\n") (write-file "/w/b" "same\nnew\n") (delete-file "/w/a")`},
		{"apply_patch", `{}`, `(client-tool "apply_patch" "{}")`},
	} {
		all, err := requests(driver.Question{Tool: c.tool, Input: json.RawMessage(c.input)})
		if err != nil {
			t.Errorf("%s %s: %v", c.tool, c.input, err)
		}
		var got []string
		for _, r := range all {
			got = append(got, graph.Write(append(graph.List{graph.Symbol(r.Tool)}, call.ArgsDatum(r.Positional, r.Keywords)...)))
			if _, err := tool.Bind(tools[r.Tool], r.Positional, r.Keywords); err != nil {
				t.Errorf("%s %s: %v", c.tool, c.input, err)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %s\n is %s\nnot %s", c.tool, c.input, s, c.want)
		}
	}
	many := fmt.Sprintf(`{"changes":[%s{}]}`, strings.Repeat("{},", maxChanges))
	for _, q := range []driver.Question{{Tool: "apply_patch", Input: json.RawMessage(many)}, {Tool: "WebFetch", Input: json.RawMessage(fmt.Sprintf("%q", strings.Repeat("x", 1<<20)))}} {
		if all, err := requests(q); err == nil {
			t.Errorf("%s: %d calls, want a refusal", q.Tool, len(all))
		}
	}
}
