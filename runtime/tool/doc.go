// Package tool holds the system tools (files, search, shell): for each a descriptor, the facts that must be durable before its
// effect, the effect itself, and how to decide after a crash whether the effect happened.
//
// It never decides whether a call is allowed, never stores anything but through the Env it is handed, and keeps no state between
// calls. Only runtime/call may run a tool's body; others may import the package for descriptors and documentation.
//
// # The life of one call, as its caller must drive it
//
//	args, err := tool.Bind(t, positional, keywords)
//	env.Resolved, err = tool.Resolve(env, t, args)      // what the license judges
//	facts, err := t.Prepare(ctx, env, args)             // after the license said yes; external: the stub is forked, blocked
//	… facts.Datum() is made durable …
//	result, err := t.Perform(ctx, env, args, facts)     // the effect
//	… the outcome is made durable …
//	env.Close()                                          // always: ends a stub that was never released
//
// A Perform that answers an error for which Stale is true did nothing: what Prepare measured has changed, so Prepare again, make
// the new facts durable, Perform again. After a crash, with the durable facts and a fresh Env:
//
//	r, err := t.Recover(ctx, env, args, facts)           // NotDone, Done, Redo, Conflict or Unknown
//
// Env.Fault is called, where a call gets there, at made-folder, before-temp, mid-write, after-temp, before-rename, after-rename,
// before-pwrite, after-pwrite, before-truncate, after-truncate, before-create, after-create, before-unlink, after-unlink, before-mkdir,
// after-mkdir; and for a command at forked (by Prepare), before-release, released, exited, spooled.
//
// Calls on one canonical path must be serialised by the caller from Prepare until the outcome is durable.
package tool
