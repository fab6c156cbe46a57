package command

import (
	"fmt"
	"strings"

	"caper/repl"
	"caper/runtime/assembly"

	"github.com/spf13/cobra"
)

// The programs, commands and rules that stand indented by four columns in these texts are run by a test.

const toolsText = `A tool call is a procedure call: it waits for its answer and returns it. Each asks the policy, is on record before it acts
and settles once. What a tool cannot do raises a condition: (tool-error? e), (tool-error-code e); what the policy refuses:
(denied? e). Paths are relative to the workspace; results are strings, numbers and association lists.
Each also takes #:on-uncertain 'raise: a call of which a crash left nobody knowing what it did fails, and does not ask.

`

const toolsExample = `
    (define hits (grep "define" #:glob "*.scm"))       ; a list of ((path . "a.scm") (line . 1) …)
    (for-each (lambda (h) (display (cdr (assq 'path h))) (newline)) hits)
    (define r (bash "echo hello" #:timeout 10))        ; ((exit-code . 0) (stdout . "hello\n") …)
    (if (= 0 (cdr (assq 'exit-code r))) (display (cdr (assq 'stdout r))))
    (guard (e ((tool-error? e) (display (tool-error-code e))))
      (read-file "no-such-file"))
`

// replTopic lists the commands of the REPL.
func replTopic() *cobra.Command {
	return &cobra.Command{Use: "repl", Short: "What can be typed where caper is begun without a command", Long: "caper without a command reads forms: each goes on in what the ones before it defined. $1 $2 … are the values of inputs 1, 2 …;\n" +
		"Ctrl-C ends what runs, Ctrl-D leaves, Alt-Enter begins a new line, Tab completes, Ctrl-R searches what was typed. Commands:\n\n" + strings.TrimRight(repl.Reference(), "\n")}
}

// toolsTopic lists the tools as programs reach them.
func (v *verb) toolsTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString(toolsText)
	for _, t := range assembly.ToolHelps() {
		fmt.Fprintf(&b, "  %s\n      %s\n", t.Usage, t.Summary)
	}
	b.WriteString(toolsExample)
	return &cobra.Command{Use: "tools [NAME]", Short: "List the tools that programs call, or say all of one", Long: b.String(), Example: "  caper tools\n  caper tools grep",
		Args: atMost(1, "one name"), RunE: v.tools, ValidArgs: assembly.Tools().Names()}
}

const languageText = `Programs are Scheme (R7RS small), with these procedures beside the tools (caper help tools):

  (par-map f list …)  (parallel thunk …)   side by side, answers in order     (race thunk …)   the first; the others are cancelled
  (with-timeout seconds thunk)             raises (timeout-error? e)          (retry n thunk)  again after an error, n times in all
  (with-budget '((fuel . n) (time . s) (calls . n)) thunk)                   some of these: fuel as of a program, seconds, calls of
                                           tools; raises (tool-error-code e) 'budget when one is spent, and ends what runs
  (background thunk)                       goes on beside the program; answers its job
  (program source #:args alist #:budget '((fuel . n) (memory . bytes)))       a program as a value
  (run-program p)                          runs it as a job of its own
  (with-policy what thunk)                 tightens for the calls in thunk: 'manual, rules as '(deny (bash "rm *")), or a procedure
                                           of a call that answers 'allow, 'ask or 'deny; it runs alone and reaches no tool
  (policy) (decide tool argument …)        what holds here; what would be decided of a call

Sessions, turns, agents and jobs are their ids, strings such as "3.1.12": they are data, and stay good.
  (current-job) (job-status j) (job-outcome j) (job-kind j) (job-children j) (job-usage j) (cancel j)
  (foreground-jobs j) (background-jobs j) (walk-work j)                       what a job waits for, what it does not, all of its work
  (job-program j)                          a past program as a value, to be run again
  (session) (session-agent) (session-head) (session-turns) (session-mode) (kvs-ref k) (kvs-set! k v)
  (turn prompt)                            a turn of the session's own agent
  (turn-text t) (turn-prompt t) (turn-tail t) (turn-policy t) (turn-model t) (fork! t) (rewind! t)
  (agents) (agent-spec a) (agent-head a)   recipes; of an agent or a name; where its conversation is
  (define-agent 'name #:description s #:constitution s #:model m #:tools '(tool …) #:keep-alive #t)
  (spawn-agent a prompt) (ask-agent prompt) (complete prompt #:schema json)    see caper help tools
  (models) (model-cost usage-or-job)       connections; dollars, #f where a price is not known
  (define-model 'name proc)                a model made of a procedure of messages and tools: it answers a string, or
                                           a list of "text", (thinking "text") and (call tool (argument . value) …)

  (define-tool name doc schema proc)       a tool whose calls are jobs, as (define-tool add "Adds." '((n integer "what" 1)) (lambda (n) …))
  (tool-main tool)                         calls it with the command line, where the file is run
  (command-line-arguments)                 what followed -- on the command line
  (guard (e (test answer …) …) body …)     with denied? tool-error? tool-error-code tool-error-hints timeout-error? error-object-message

    (define squares (par-map (lambda (n) (* n n)) '(1 2 3)))
    (define both (parallel (lambda () (bash "echo a")) (lambda () (bash "echo b"))))
    (define late (guard (e ((timeout-error? e) 'late))
      (with-timeout 0.2 (lambda () (bash "sleep 5")))))
    (define spent (guard (e ((tool-error? e) (tool-error-code e)))
      (with-budget '((fuel . 10000) (calls . 1)) (lambda () (bash "true") (let loop () (loop))))))
    (define tries 0)
    (define third (retry 3 (lambda ()
      (set! tries (+ tries 1))
      (if (< tries 3) (error "not yet") tries))))
    (define sum (run-program (program "(+ x 1)" #:args '((x . 41)) #:budget '((fuel . 1000)))))
    (define kept (guard (e ((denied? e) 'kept))
      (with-policy '(deny (bash "rm *")) (lambda () (bash "rm x")))))
    (define first (race (lambda () (bash "echo 1")) (lambda () (bash "sleep 5"))))
    (define job (background (lambda () (glob "*"))))
    (write (list squares late spent third sum kept (job-status (current-job))))

Fibers change places only where one makes a call. A loop that makes no call is not interrupted by with-timeout or race: what
ends it is --timeout, --fuel, the fuel of a with-budget or a program's own #:budget. What runs in a with-budget is charged to
all that are around it, in every branch; a run-program and a call of a tool of the program's own count as one call, and may
each use what fuel is left; what goes to the background is not charged. A branch that is ended leaves its dynamic-wind forms; calls in
their after thunks raise then.

The text of an output port of a file is written, each time as a call of its own, by flush-output-port, by close-port, and at
the end of the program or at exit; 'append or #:exists 'append after the path adds it to what the file has.

    caper eval '(+ 1 2)'
    caper eval --fuel 1000000 '(let loop ((n 0)) (if (< n 1000) (loop (+ n 1)) n))'
`

const policyText = `Before a call acts, the policy says allow, deny or ask. The first that speaks decides: built-in protections,
deny rules, mode plan, approvals that you gave, ask rules, allow rules, the posture. (caper policy explain names the step.)

Where rules stand:
  policy.yaml in Caper's configuration folder   yours: $CAPER_HOME, else $XDG_CONFIG_HOME/caper, else ~/.config/caper
  .caper/policy.yaml in the workspace           the repository's: it can only tighten, its allow rules open nothing
  --rules FILE                                  for one run (repeatable)
caper policy check names the files that hold here and finds their mistakes.

A file has the lists deny, ask and allow. A rule is a tool, or a tool with a pattern of its command or path:

    deny:
      - bash(git push *)
    allow:
      - write-file(notes/**)

Postures decide what no rule speaks about:
  manual   all is asked but the reading tools in the workspace
  auto     commands that only read in the workspace go on too
  yolo     everything goes on that no rule and no protection stops
--policy sets it for one run, caper policy set for the workspace. --mode plan lets programs read only. Where nobody can be
asked a call that needs a yes is denied (exit 3); with --park it waits, and caper approvals shows it.

    caper policy check
    caper policy explain bash 'git push origin main'
    caper run --policy auto --unattended a.scm
    caper policy set manual
`

// topics are help about what is no command.
func (v *verb) topics() []*cobra.Command {
	return []*cobra.Command{v.toolsTopic(), replTopic(), jsonTopic(), modelsTopic(), {Use: "language", Short: "What programs can say beside plain Scheme", Long: languageText}}
}
