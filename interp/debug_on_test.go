//go:build caperdebug

package interp_test

// everySafepoint says that this build collects at every safepoint.
const everySafepoint = true
