package command

import "github.com/spf13/cobra"

// jsonText is the one place where the output of --json is written down; the scripts in testdata hold it to its word.
const jsonText = `With --json everything on standard output is one JSON object a line, and each has a "type". Fields may be added later; none
is renamed or removed. Times are RFC 3339 in UTC; a datum is text as write prints it.

run, eval, resume, ask
  output    text
  result    the last line. status: done raised denied budget uncertain parked cancelled exited; exit: the exit code;
            job: the program's id; when done datum and value, see below; else error: kind, message, irritants, where (file:line:column), and of a
            denial rule, origin, reason; waiting: ids of what waits for a person; unwritten: what
            was lost of files that a program left open
test
  test      file, number, name, outcome (pass fail skip expected-fail unexpected-pass); notes: at, form, expected, got, raised
  tested    a file: passed, tests (how many), problem and error when it did not run to its end
  total     the last line: files, exit, and how many tests had each outcome
any command
  error     message, exit: it could not be done
  note      text: what was done (approve, deny, resolve, cancel, forget, policy check, policy set, policy forget)
log
  event     seq, at, what, id; kind and open of what was made, detail: how it ended or what was noted; label: the program's
            file or the call; of an end also code, message, rule
sessions, jobs, approvals, policy approvals, agents
  session, job, approval, remembered, agent: one a row, with a field for each column
agents NAME
  agent     agent, state, description, model, tools, keepAlive, voidLegal, nature, constitution, file
approvals ID
  approval  call, what, tool, args, why, rule, origin; command and cwd, or path, diff, added, removed; note; session, project:
            the rules that a yes for them remembers
tree, show
  job       id, kind, name, args, state, began, seconds, receipt, code, message, rule, children
            state: running, interrupted (resume of show names the program to resume), left (a turn that the head of its
            session does not lead to), waiting, uncertain, or how it ended
transcript
  cell      unit (the turn), id, kind, posture, head (the session stands there); source, text, failed, calls: ids of what it called
fork, rewind
  fork      session (the new one), at
  rewind    from, to, files (put back), left (not put back), commands (whose effects stay); of each {} where there are none
policy explain
  decision  decision, step, rule, origin, reason, notes, remember
thread list, show
  thread    alias, state, agent, folder, worker, revision; show: value, the whole envelope; error: the envelope is malformed
thread items, watch
  item      seq, user_id, created_at, content, metadata
check
  call      a call that the program may make: file, at (places), tool, call (as one would write it), args (data, null for what
            is not known), open (there may be more arguments), verdict (allow deny ask judge depends); on: the parameter that
            it depends on, inside: the verdict where that lies in the workspace; rule, origin, reason; problem: why it would fail
  checked   the last line of a file. ok: it can be loaded, and no call will fail; else mistakes: how many calls will, or
            error, at, hint: why it cannot be loaded. calls: how many; notes: where code is run that
            is made while the program runs; cut: the program is too large to be followed to its end
doctor
  finding   what, ok, found; do: what to do about it
fmt
  formatted file, changed; text: the result, where it is not written to the file
promote, prompt
  promoted  text: the program, where it is not written to a file
  prompt    text
new
  made      files
timeline
  span      a job: id, name, state, depth, start and seconds, both in seconds from the beginning of the first
tools
  tool      name, usage, summary, effect, doc; params: name, keyword, required, doc
worker whoami; worker instance ls, show
  identity  profile, user_id, worker_id
  instance  profile, status (running stopped), instance_id, pid, version, started_at
version
  version   version

JSON and data: json->scheme, scheme->json and the value of a result have one mapping, that of SRFI 180. What JSON says comes
back as it was: reading what was written of a text that was read gives the same datum.

  JSON            data                       also written so
  {"a": 1}        ((a . 1))                  an alist with strings for keys unless it could be rows such as (("a" "b")); a hash table
  {}              ()                         a hash table without entries
  [1, 2]          #(1 2)                     any other list
  []              #()
  "text"          "text"                     symbols, characters
  1 · 1.0, 1e2    exact · inexact            1/3 is 0.3333333333333333
  true, false     #t, #f
  null            the symbol null            no value, as of (if #f #f)

Of a key that a JSON text has twice the last value counts, of one that an alist has twice the first, as for assq. So an empty list
of things is written as {}: (list->vector things) is an array, also an empty one. scheme->json raises for what JSON has no form for;
in the value of a result bytes are a string in base64, anything else (an infinity, a complex number, an improper list, a
procedure) a string of what write prints.`

func jsonTopic() *cobra.Command {
	return &cobra.Command{Use: "json", Short: "What --json prints", Long: jsonText}
}
