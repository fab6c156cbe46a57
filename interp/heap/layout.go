// Package heap is the memory of a machine: tagged words in a private arena inside a caged address range, its copying
// collector, and checked accessors for every kind of object. It knows nothing of code, fibers or syntax.
// The virtual machine, the primitives and the snapshots import it; it imports number.
package heap

// Offsets inside a cage, the 4 GiB reservation that a running machine borrows. Every reference is a 32-bit byte
// offset, so no word, however wrong, points outside. From low to high:
//
//	image    library code, constants, closures, symbols and never-assigned globals; mapped read-only, shared
//	private  the machine's own globals
//	static   code, constants and symbols that the machine's programs brought; never moved, never scanned
//	stack    one contiguous run of frames
//	spaces   two semispaces of up to 1 GiB
const (
	CageSize = 1 << 32
	guard    = 1 << 20 // on both sides of the reservation

	ImageLo   = 64 << 10
	PrivateLo = 16 << 20

	ImageGlobals   = 16 << 10 // slots below this number lie in the image
	PrivateGlobals = 48 << 10
	GlobalBase     = PrivateLo - ImageGlobals*8 // offset of global slot 0

	StaticLo = PrivateLo + PrivateGlobals*8
	StaticHi = 31 << 20
	StackLo  = StaticHi
	StackHi  = 32 << 20
	HeapLo   = StackHi

	// The second semispace starts off a 4 KiB multiple: equal page offsets of from- and to-space stall loads.
	semiMax = 1<<30 + 0x5c0
	heap1   = HeapLo + semiMax

	initialSemi = 256 << 10
)

// GlobalOffset is the cage offset of a global slot.
func GlobalOffset(slot int) uint64 { return GlobalBase + uint64(slot)*8 }
