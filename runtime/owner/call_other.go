//go:build !linux

package owner

import "os"

// CallOf answers the marker of the call that started this process; of others nothing is known here.
func CallOf(pid int) string {
	if pid == os.Getpid() {
		return os.Getenv("CAPER_CALL")
	}
	return ""
}
