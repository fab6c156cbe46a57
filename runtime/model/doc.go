// Package model connects to language models: one interface, the providers behind it over their official SDKs, and
// wrappers that retry, fall back, limit, cache and record. It knows nothing of turns, jobs, licenses or the graph, keeps
// nothing on disk but an opt-in cache and cassettes, and never shows or stores a key. The agent loop, the interns and
// what assembles them may import it.
//
//	Request → Cache | Cassette → Fallback → Limit → Retry → structured output → provider → wire (limits, UTF-8, keys) → SDK
//
// A provider gives blocks of its own that only it can read again (signatures of thinking, encrypted reasoning, kinds
// that are not known here): they are kept as they came (Block.Native) and go back unchanged to the same provider only.
package model
