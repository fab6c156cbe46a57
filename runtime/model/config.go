package model

import (
	"errors"
	"fmt"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The kinds of connection.
const (
	KindAnthropic = "anthropic"   // Messages
	KindOpenAI    = "openai"      // Responses
	KindChat      = "openai-chat" // Chat Completions, by whomever
	KindFallback  = "fallback"    // a chain of others
	KindScheme    = "scheme"      // a procedure of a file
)

// Config is what a user says of the connections that there are.
type Config struct {
	Connections []ConnectionConfig // by name
}

// ConnectionConfig is one connection. Keys are never part of it: it says where to find one.
type ConnectionConfig struct {
	Name       string
	Kind       string
	BaseURL    string
	KeyEnv     string            // the variable that holds the key
	KeyCommand string            // the command that prints it
	Model      string            // where none is named
	Headers    map[string]string // sent with each request; a value of the form $NAME is taken from the environment
	Timeout    time.Duration     // the longest silence
	Retries    int               // -1: the usual number
	Requests   int               // a minute, 0: no limit
	Tokens     int               // a minute, 0: no limit
	Cache      string            // the folder of a cache of answers
	Schema     string            // native or tool: how structured output is asked for; empty: by the model
	Chain      []string          // of a fallback: connection:model, in order
	File       string            // of a procedure
}

// ConfigError says what is wrong in a configuration and where. It never shows a value.
type ConfigError struct {
	File         string
	Line, Column int
	Why          string
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Why)
}

const (
	maxConfig     = 1 << 20
	connectionSay = "a connection has kind, base_url, key_env or key_command, model, headers, timeout, retries, rate, cache, schema, chain, file"
)

// configReader reads one file; its first error stays.
type configReader struct {
	file string
	err  *ConfigError
}

func (c *configReader) fail(at ast.Node, format string, args ...any) {
	if c.err != nil {
		return
	}
	line, column := 1, 1
	if at != nil {
		if t := at.GetToken(); t != nil && t.Position != nil {
			line, column = t.Position.Line, t.Position.Column
		}
	}
	c.err = &ConfigError{c.file, line, column, fmt.Sprintf(format, args...)}
}

// ParseConfig reads models.yaml: connections by name. Every error is a *ConfigError for the first thing found wrong.
func ParseConfig(file string, src []byte) (Config, error) {
	c := &configReader{file: file}
	root := c.tree(src)
	var cfg Config
	if root != nil {
		c.members(root, "the file", func(name string, key, value ast.Node) {
			if name != "connections" {
				c.fail(key, "found the member %q; the file has connections, by name", clip(name))
				return
			}
			c.members(value, "connections", func(name string, key, value ast.Node) {
				cfg.Connections = append(cfg.Connections, c.connection(name, key, value))
			})
		})
	}
	if c.err != nil {
		return Config{}, c.err
	}
	sort.Slice(cfg.Connections, func(i, j int) bool { return cfg.Connections[i].Name < cfg.Connections[j].Name })
	return cfg, nil
}

// tree reads the text as YAML. What a configuration never needs and could exhaust the reader is refused before.
func (c *configReader) tree(src []byte) (root ast.Node) {
	defer func() {
		if p := recover(); p != nil {
			c.fail(nil, "it cannot be read as YAML")
			root = nil
		}
	}()
	if len(src) > maxConfig {
		c.fail(nil, "the file has %d bytes; at most %d are read", len(src), maxConfig)
		return nil
	}
	line, column, indenting := 1, 0, true
	for _, b := range src {
		column++
		indenting = indenting && b == ' '
		switch {
		case b == '\n':
			line, column, indenting = line+1, 0, true
		case b < ' ' && b != '\t' && b != '\r', column > 8192, indenting && column > 64:
			c.err = &ConfigError{c.file, line, column, "a control character, a line of more than 8192 bytes or an indentation of more than 64"}
			return nil
		}
	}
	flow, marks, last := 0, 0, 0
	for _, t := range lexer.Tokenize(string(src)) {
		if t.Position.Line != last {
			last, marks = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType:
			c.err = &ConfigError{c.file, t.Position.Line, t.Position.Column, "anchors, aliases, merges, tags and directives are not read; write it out, or quote it"}
			return nil
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			marks++
		}
		if flow > 4 || marks > 4 {
			c.err = &ConfigError{c.file, t.Position.Line, t.Position.Column, "it nests too deep"}
			return nil
		}
	}
	tree, err := parser.ParseBytes(src, 0)
	if err != nil {
		c.err = &ConfigError{c.file, 1, 1, "it cannot be read as YAML"}
		var y yaml.Error
		if errors.As(err, &y) { // the message without the lines around, which may hold anything
			c.err.Why += ": " + clip(y.GetMessage())
			if t := y.GetToken(); t != nil && t.Position != nil {
				c.err.Line, c.err.Column = t.Position.Line, t.Position.Column
			}
		}
		return nil
	}
	for _, d := range tree.Docs {
		if _, comment := d.Body.(*ast.CommentGroupNode); d.Body == nil || comment {
			continue
		}
		if root != nil {
			c.fail(d.Body, "the file holds several documents")
			return nil
		}
		root = d.Body
	}
	return root
}

// members calls f for each member of a mapping.
func (c *configReader) members(n ast.Node, what string, f func(name string, key, value ast.Node)) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	case *ast.NullNode:
		return
	default:
		c.fail(n, "%s should be names with values", what)
		return
	}
	seen := map[string]bool{}
	for _, kv := range values {
		if c.err != nil {
			return
		}
		key, ok := kv.Key.(*ast.StringNode)
		switch {
		case !ok:
			c.fail(kv.Key, "a name in %s is no text", what)
		case seen[key.Value]:
			c.fail(kv.Key, "%q stands twice in %s", clip(key.Value), what)
		default:
			seen[key.Value] = true
			f(key.Value, kv.Key, kv.Value)
		}
	}
}

func (c *configReader) text(n ast.Node, what string) string {
	switch s := n.(type) {
	case *ast.StringNode:
		return s.Value
	case *ast.LiteralNode:
		if s.Value != nil {
			return s.Value.Value
		}
	case *ast.IntegerNode, *ast.FloatNode:
		return n.GetToken().Value
	}
	c.fail(n, "%s should be a text", what)
	return ""
}

func (c *configReader) count(n ast.Node, what string) int {
	if i, ok := n.(*ast.IntegerNode); ok {
		if v, err := strconv.Atoi(i.GetToken().Value); err == nil && v >= 0 && v <= 1e9 {
			return v
		}
	}
	c.fail(n, "%s should be a number from 0 to 1000000000", what)
	return 0
}

func (c *configReader) connection(name string, at, n ast.Node) ConnectionConfig {
	k := ConnectionConfig{Name: name, Retries: -1}
	if name == "" || strings.ContainsAny(name, ": \t\n") {
		c.fail(at, "the name of a connection has no colon and no space, since connection:model is split at the first colon")
	}
	var kindAt = at
	c.members(n, "a connection", func(member string, key, v ast.Node) {
		switch member {
		case "kind":
			k.Kind, kindAt = c.text(v, member), v
		case "base_url":
			k.BaseURL = c.text(v, member)
			if why := badBase(k.BaseURL); why != "" {
				c.fail(v, "base_url %s", why)
			}
		case "key_env":
			k.KeyEnv = c.text(v, member)
			if !isVariable(k.KeyEnv) {
				c.fail(v, "key_env should be the name of a variable, not a key")
			}
		case "key_command":
			k.KeyCommand = c.text(v, member)
		case "model":
			k.Model = c.text(v, member)
		case "headers":
			k.Headers = map[string]string{}
			c.members(v, "headers", func(name string, key, v ast.Node) {
				k.Headers[name] = c.text(v, "a header")
				if why := badHeader(name, k.Headers[name]); why != "" {
					c.fail(key, "%s", why)
				}
			})
		case "timeout":
			d, err := time.ParseDuration(c.text(v, member))
			if c.err == nil && (err != nil || d <= 0 || d > 24*time.Hour) {
				c.fail(v, "timeout should be a time such as 90s or 5m, at most 24h")
			}
			k.Timeout = d
		case "retries":
			if k.Retries = c.count(v, member); k.Retries > 100 {
				c.fail(v, "retries should be at most 100")
			}
		case "rate":
			c.members(v, "rate", func(name string, key, v ast.Node) {
				switch name {
				case "requests":
					k.Requests = c.count(v, "rate")
				case "tokens":
					k.Tokens = c.count(v, "rate")
				default:
					c.fail(key, "found %q in rate; it has requests and tokens, both a minute", clip(name))
				}
			})
		case "cache":
			k.Cache = c.text(v, member)
		case "schema":
			if k.Schema = c.text(v, member); k.Schema != "native" && k.Schema != "tool" {
				c.fail(v, "schema should be native or tool")
			}
		case "chain":
			list, ok := v.(*ast.SequenceNode)
			if !ok {
				c.fail(v, "chain should be a list of connection:model")
				return
			}
			for _, e := range list.Values {
				k.Chain = append(k.Chain, c.text(e, "a link of a chain"))
			}
		case "file":
			k.File = c.text(v, member)
		case "key", "api_key", "apikey", "token", "secret", "password":
			c.fail(key, "keys are not kept in files: name a variable with key_env, or a command with key_command")
		default:
			c.fail(key, "found the member %q; %s", clip(member), connectionSay)
		}
	})
	c.whole(&k, kindAt)
	return k
}

// whole checks what depends on several members.
func (c *configReader) whole(k *ConnectionConfig, at ast.Node) {
	switch k.Kind {
	case KindAnthropic, KindOpenAI:
	case KindChat:
		if k.BaseURL == "" && k.KeyEnv == "" && k.KeyCommand == "" {
			k.KeyEnv = "OPENAI_API_KEY"
		}
	case KindFallback:
		if len(k.Chain) == 0 {
			c.fail(at, "a fallback needs a chain")
		}
	case KindScheme:
		if k.File == "" {
			c.fail(at, "a connection of kind scheme needs a file")
		}
	default:
		c.fail(at, "kind should be anthropic, openai, openai-chat, fallback or scheme")
	}
	if k.Kind != KindScheme && k.File != "" {
		c.fail(at, "only a connection of kind scheme has a file")
	}
	if k.Kind != KindFallback && len(k.Chain) > 0 {
		c.fail(at, "only a fallback has a chain")
	}
	if k.KeyEnv != "" && k.KeyCommand != "" {
		c.fail(at, "a key comes from key_env or from key_command, not from both")
	}
	if k.KeyEnv == "" && k.KeyCommand == "" && k.BaseURL == "" {
		k.KeyEnv = map[string]string{KindAnthropic: "ANTHROPIC_API_KEY", KindOpenAI: "OPENAI_API_KEY"}[k.Kind]
	}
}

func isVariable(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && !strings.HasPrefix(s, "sk")
}

// badBase says what is wrong with an address, without showing it.
func badBase(s string) string {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return "should be an address such as https://host/v1"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "holds a user, a query or a fragment; keys come from key_env or key_command"
	}
	return ""
}

func badHeader(name, value string) string {
	for _, r := range name {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return "the name of a header has letters, digits and dashes"
		}
	}
	if name == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "a header has a name and a value of one line"
	}
	switch strings.ToLower(name) {
	case "authorization", "x-api-key", "api-key", "cookie", "proxy-authorization":
		if !strings.HasPrefix(value, "$") {
			return "a header that proves who asks has its value in the environment: write $NAME"
		}
	}
	return ""
}
