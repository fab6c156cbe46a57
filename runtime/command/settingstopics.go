package command

import "github.com/spf13/cobra"

// The files that stand indented by four columns in these texts are read by a test; so is every member that the readers know.

const modelsText = `Models are named connection:model, cut at the first colon. A connection is one of models.yaml in Caper's configuration folder
($CAPER_HOME, else $XDG_CONFIG_HOME/caper, else ~/.config/caper). Without the file there are anthropic where ANTHROPIC_API_KEY
is set and openai where OPENAI_API_KEY is; ANTHROPIC_BASE_URL and OPENAI_BASE_URL lead them elsewhere. scheme:FILE is a model
that is a Scheme procedure. Who is asked: --model, else the session's (that of an earlier --model), else the recipe's, else
model of config.json, else the first connection.

    connections:
      anthropic:
        kind: anthropic
        key_env: ANTHROPIC_API_KEY
        model: claude-sonnet-5-5
        timeout: 2m
        retries: 4
        rate: {requests: 50, tokens: 400000}
      work:
        kind: openai
        base_url: https://models.example.org/v1
        key_command: pass show models
        headers: {X-Team: tools, X-Tag: $TEAM_TAG}
        model: gpt-5.5
      local:
        kind: openai-chat
        base_url: http://127.0.0.1:8080/v1
        model: small
        schema: tool
        cache: /var/cache/caper/local
      careful:
        kind: fallback
        chain: ["anthropic:claude-sonnet-5-5", work, local]
      parrot:
        kind: scheme
        file: parrot.scm

  kind         anthropic: Messages; openai: Responses; openai-chat: Chat Completions, of whomever; fallback: others in turn,
               where one cannot answer; scheme: a procedure of a file
  base_url     where the provider is; else its own address
  key_env      the variable that holds the key. Without it, key_command and base_url: ANTHROPIC_API_KEY or OPENAI_API_KEY
  key_command  a command of sh that prints the key, at most 30 seconds, once a process. Keys never stand in the file
  model        that is asked where the connection alone is named
  headers      sent with each request; a value $NAME is that of a variable, as it must be of headers that prove who asks
  timeout      the longest silence, such as 90s or 5m, at most 24h
  retries      how often a request is sent again, 0 to 100
  rate         requests and tokens, both a minute; more wait
  cache        a folder that keeps answers: the same question is asked once
  schema       native or tool: how an answer of a shape is asked for; else as the model is known to want it
  chain        of a fallback: connections, or connection:model, in order
  file         of kind scheme: a file with (define-model 'name (lambda (messages tools) …)), from the configuration folder

prices.json beside it says what tokens cost, before the table that Caper brings: dollars a million. The longest prefix of a
model's name counts; cache_read and cache_write are tokens that come from a cache, or go into one, else as input:

    {"date": "2026-09-22",
     "models": [{"prefix": "small", "input": 0.1, "output": 0.4, "cache_read": 0.01, "cache_write": 0.125}]}`

const workerText = `Drive agents for the threads that are handed over (caper thread). A worker keeps its state in worker/PROFILE of Caper's home.
What an agent may not do unasked is asked at this terminal, in the thread itself, where a reply of yes allows it, and in the queue
(caper approvals, approve, deny).
config.yaml there says where the sessions are, which agents there are and how many run at once:

    wire: /srv/threads
    concurrency: {max_agents: 4}
    polling: {interval_idle_ms: 1500, interval_active_ms: 3000, backoff_max_ms: 30000}
    agents:
      claude_code:
        executable: claude
        model: claude-sonnet-5-5
        effort: high
        permissions: approval
        env: {NODE_OPTIONS: --no-warnings}
        inherit: [HTTPS_PROXY]
        credentials: /home/bot/.config/claude.yaml
        silence_ms: 600000
        grace_ms: 5000
      codex:
        permissions: autonomous
    sections:
      - name: default
        job_type: session_agent_harness
        session: {session_id: default}

  wire         the absolute path of the folder of sessions, each a folder by its session_id
  concurrency  max_agents: how many agents run at once, 4 where it is not said
  polling      milliseconds: how often a session is looked at that tells of no change, interval_idle_ms without an agent at work
               and interval_active_ms with one, and backoff_max_ms, the longest pause after passes that failed
  agents       by type, claude_code, codex or caper; a thread's own settings come before these:
    executable   a program of PATH, or its path; else claude, codex, caper
    model, effort  as the agent knows them
    permissions  approval: what is sensitive asks (the default); autonomous: nothing does
    env          variables that the agent gets; inherit: names of those that it gets of the worker's. Others it does not get,
                 but PATH, HOME, USER, LOGNAME, SHELL, LANG, LC_*, TZ, TERM and TMPDIR
    credentials  a file of variables, NAME: value, that only its owner may read (chmod 600)
    silence_ms   how long a turn may go without a word, else 900000; grace_ms: how long an agent that is told to end has for
                 it, else 5000
  sections     what is worked on: job_type is session_agent_harness; session: session_id, and org_id, blob_id and
               revision_id, which a folder does not need

agents.yaml beside policy.yaml says the same of the clients that programs drive (drive-agent), claude_code and codex:

    claude_code: {executable: /opt/claude, model: claude-sonnet-5-5, inherit: [ANTHROPIC_API_KEY]}

It has no permissions: what such a client may do is the policy's to say.`

func modelsTopic() *cobra.Command {
	return &cobra.Command{Use: "models", Short: "How models are named: models.yaml and prices.json", Long: modelsText}
}
