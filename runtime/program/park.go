package program

import "time"

// This file defines long waits: a machine that has waited for a while gives its address range to others, of which a
// process has a limited number, and keeps no more than its live data.

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
