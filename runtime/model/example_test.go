package model_test

import (
	"context"
	"fmt"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

// A configuration names connections; an actor is connection:model.
func Example() {
	server := modeltest.New(func(c modeltest.Call) modeltest.Reply { return modeltest.Say("You said: " + c.Last()) })
	defer server.Close()

	cfg, err := model.ParseConfig("models.yaml", []byte(`
connections:
  work:
    kind: anthropic          # or openai, openai-chat, fallback
    base_url: `+server.URL+`
    key_env: WORK_KEY        # or key_command: pass show work
    model: claude-sonnet-4-6
    timeout: 2m              # the longest silence
    retries: 3
    rate: {requests: 50, tokens: 100000}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := model.Open(cfg, model.Env{Getenv: func(name string) string { return map[string]string{"WORK_KEY": "the-key"}[name] }})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()
	conn, err := set.Get("work:claude-haiku-4-5")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := conn.Complete(context.Background(), model.Request{
		Messages: []model.Message{{Role: model.User, Blocks: []model.Block{{Kind: model.Text, Text: "hello"}}}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	micro, known := model.DefaultPrices().Cost(model.Usage{Input: 1000, Output: 100}, answer.Model)
	fmt.Println(answer.Said(), answer.Stop, micro, known)
	// Output: You said: hello end 1500 true
}
