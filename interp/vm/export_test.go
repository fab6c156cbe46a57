package vm

// EverySafepoint is whether this is the debug build, in which tests of limits take too long.
const EverySafepoint = everySafepoint
