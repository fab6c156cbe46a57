package program

import (
	"context"
	"errors"
	"time"

	"caper/runtime/call"
)

// This file defines long waits: a machine that has waited for a while gives its address range to others, of which a
// process has a limited number, and keeps no more than its live data. The goroutine that led its bag ends: who brings an
// answer makes another.

// parkAfter is how long a machine waits before it is parked, where it is small. Most calls end sooner, and parking is
// not free: the live data is copied out and in again.
const parkAfter = 20 * time.Millisecond

// parkRate is how much a machine may hold for each further parkAfter that it waits: copying it takes a hundredth of that.
const parkRate = 1 << 20

// parkTime is a channel that yields when the machine is to be parked; nil when it is parked already.
func (b *bag) parkTime() <-chan time.Time {
	if b.m.Parked() {
		return nil
	}
	wait := parkAfter * time.Duration(1+b.m.Arena().Used()/parkRate)
	if b.clock == nil {
		b.clock = time.NewTimer(wait)
	} else {
		b.clock.Reset(wait)
	}
	return b.clock.C
}

// errAsleep says that a bag is led by no goroutine any more. Whoever hears it must not touch the bag: it may go on already.
var errAsleep = errors.New("the program sleeps")

// lead executes the bag and says how it came to rest, in this goroutine or in another.
func (b *bag) lead(ctx context.Context, rested func(Result, error)) {
	b.ctx, b.rested = ctx, rested
	b.carryOn()
}

func (b *bag) carryOn() {
	r, err := b.execute(b.ctx)
	if err != errAsleep {
		b.rested(r, err)
	}
}

// sleep lets the bag go, unless there is something for it already.
func (b *bag) sleep(ctx context.Context) bool {
	close(b.idle) // goroutines that wait for the next call
	b.idle = make(chan func())
	b.unwatch = context.AfterFunc(ctx, b.wake)
	b.asleep.Store(true)
	if (len(b.ended) > 0 || ctx.Err() != nil) && b.asleep.CompareAndSwap(true, false) {
		b.woken()
		return false
	}
	return true
}

// wake makes a goroutine for a bag that sleeps.
func (b *bag) wake() {
	if b.asleep.CompareAndSwap(true, false) {
		go b.carryOn()
	}
}

// woken reports whether the bag slept.
func (b *bag) woken() bool {
	slept := b.unwatch != nil
	if slept {
		b.unwatch()
		b.unwatch = nil
	}
	return slept
}

// end brings the bag the end of a call.
func (b *bag) end(e *call.Ending) {
	b.ended <- e
	b.wake()
}
