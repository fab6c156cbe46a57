package model_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

const closedSchema = `{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"string"}},"required":["b","a"],"additionalProperties":false}`

// ways are the two ways to ask for a schema.
var ways = []string{"native", "tool"}

func byWay(way string) func(*model.ConnectionConfig, *model.Env) {
	return func(c *model.ConnectionConfig, _ *model.Env) { c.Schema = way }
}

// shapes answers a call with a value in the way in which it was asked for.
func shapes(call modeltest.Call, value string) modeltest.Reply {
	for _, t := range call.Request.Tools {
		if t.Name == "answer" {
			return modeltest.Use("answer", value)
		}
	}
	return modeltest.Say(value)
}

func TestSchema(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, way := range ways {
			t.Run(way, func(t *testing.T) {
				conn, s := served(t, kind, func(c modeltest.Call) modeltest.Reply { return shapes(c, `{"b":1,"a":"x"}`) }, byWay(way))
				r := ask("go")
				r.Schema = json.RawMessage(closedSchema)
				var e ear
				a := complete(t, conn, r, e.fn(stream))
				same(t, string(compact(a.Value)), `{"a":"x","b":1}`)
				same(t, []model.Block{{Kind: model.Text, Text: string(a.Value)}}, a.Blocks)
				if a.Stop != model.StopEnd {
					t.Errorf("stopped for %s", a.Stop)
				}
				if stream && (len(e.blocks) != 1 || e.blocks[0].Kind != model.Text || e.blocks[0].Text != `{"b":1,"a":"x"}`) {
					t.Errorf("heard %+v", e.blocks)
				}
				call := s.Calls()[0]
				native := len(call.Request.Schema) > 0
				if native != (way == "native") {
					t.Errorf("asked %s", call.Body)
				}
				if !strings.Contains(string(call.Body), `"b":{"type":"integer"},"a":`) {
					t.Errorf("the members changed places: %s", call.Body)
				}
				choice := fmt.Sprint(call.Field("tool_choice"))
				if (way == "tool") != strings.Contains(choice, "answer") {
					t.Errorf("the choice is %s", choice)
				}
			})
		}
	})
}

func TestSchemaRepair(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, way := range ways {
			for name, bad := range map[string]string{"value": `{"b":"no","a":"x"}`, "not JSON": `{"b":1,`} {
				t.Run(way+"/"+name, func(t *testing.T) {
					conn, s := served(t, kind, func(c modeltest.Call) modeltest.Reply {
						if c.N > 0 {
							return shapes(c, `{"b":1,"a":"x"}`)
						}
						r := shapes(c, "{}")
						if b := &r.Blocks[0]; b.Kind == model.ToolUse && name == "not JSON" {
							b.Failed, b.Text = true, bad
						} else if b.Kind == model.ToolUse {
							b.Input = json.RawMessage(bad)
						} else {
							b.Text = bad
						}
						r.Usage = model.Usage{Input: 10, Output: 5}
						return r
					}, byWay(way))
					r := ask("go")
					r.Schema = json.RawMessage(closedSchema)
					var e ear
					a := complete(t, conn, r, e.fn(stream))
					same(t, string(compact(a.Value)), `{"a":"x","b":1}`)
					if calls := s.Calls(); len(calls) != 2 || !strings.Contains(calls[1].Last(), "does not fit") {
						t.Fatalf("asked again with %s", calls[len(calls)-1].Body)
					}
					if a.Usage.Input <= 10 || len(a.Notes) != 1 {
						t.Errorf("usage %+v, notes %q", a.Usage, a.Notes)
					}
					if stream && e.resets != 1 {
						t.Errorf("%d resets", e.resets)
					}
					if got := s.Calls()[0].Request.Messages; len(got) != 1 {
						t.Errorf("the first request was changed: %+v", got)
					}
				})
			}
		}
	})
}

func TestSchemaTwiceWrong(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		reply := modeltest.Say(`{"b":"no"}`)
		reply.Usage = model.Usage{Input: 10, Output: 5}
		conn, _ := served(t, kind, always(reply))
		r := ask("go")
		r.Schema = json.RawMessage(closedSchema)
		_, err := conn.Complete(context.Background(), r, (&ear{}).fn(stream))
		e := fails(t, err)
		if e.Code != model.CodeMalformed || e.Temporary {
			t.Errorf("got %+v", e)
		}
		same(t, e.Usage, model.Usage{Input: 20, Output: 10})
	})
}

// A schema that is no object stands in one on the way.
func TestSchemaWrapped(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, way := range ways {
			conn, s := served(t, kind, func(c modeltest.Call) modeltest.Reply { return shapes(c, `{"value": [1,2]}`) }, byWay(way))
			r := ask("go")
			r.Schema = json.RawMessage(`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer"}}}`)
			a := complete(t, conn, r, (&ear{}).fn(stream))
			same(t, string(compact(a.Value)), "[1,2]")
			if !strings.Contains(string(s.Calls()[0].Body), `"$defs":{"n"`) {
				t.Errorf("asked %s", s.Calls()[0].Body)
			}
		}
	})
}

// Tools and what is no answer pass as they are.
func TestSchemaHandsOn(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, way := range ways {
			cut := modeltest.Say(`{"b":`)
			cut.Stop = model.StopLength
			refused := modeltest.Say("")
			refused.Stop, refused.StopDetail = model.StopRefusal, "no"
			for want, reply := range map[model.Stop]modeltest.Reply{model.StopTools: modeltest.Use("f", "{}"), model.StopLength: cut, model.StopRefusal: refused} {
				conn, s := served(t, kind, always(reply), byWay(way))
				r := ask("go")
				r.Schema = json.RawMessage(closedSchema)
				r.Tools = []model.Tool{{Name: "f"}}
				a := complete(t, conn, r, (&ear{}).fn(stream))
				if a.Stop != want || a.Value != nil || len(s.Calls()) != 1 {
					t.Errorf("%s: got %+v", want, a)
				}
			}
		}
	})
}

func TestSchemasThatAreRefused(t *testing.T) {
	doubling := `{"$defs":{"z":{}`
	for i := range 30 {
		doubling += fmt.Sprintf(`,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, i+1, i+1)
	}
	doubling += `,"d30":{}},"$ref":"#/$defs/d0"}`
	conn, s := served(t, model.KindAnthropic, always(modeltest.Say("{}")))
	for name, schema := range map[string]string{
		"itself":      `{"$ref":"#"}`,
		"in a circle": `{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}`,
		"doubling":    doubling,
		"elsewhere":   `{"$ref":"http://example.com/x"}`,
		"nowhere":     `{"$ref":"#/$defs/none"}`,
		"deep":        strings.Repeat(`{"not":`, 500) + "{}" + strings.Repeat("}", 500),
		"no schema":   `"x"`,
		"no pattern":  `{"type":"string","pattern":"("}`,
	} {
		r := ask("go")
		r.Schema = json.RawMessage(schema)
		_, err := conn.Complete(context.Background(), r, nil)
		if e := fails(t, err); e.Code != model.CodeBadRequest {
			t.Errorf("%s: %v", name, e)
		}
	}
	if n := len(s.Calls()); n != 0 {
		t.Errorf("asked %d times", n)
	}
	// One that goes deeper into the value at each turn is fine.
	r := ask("go")
	r.Schema = json.RawMessage(`{"type":"object","properties":{"next":{"$ref":"#"}}}`)
	complete(t, conn, r, nil)
}
