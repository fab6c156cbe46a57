//go:build caperfaults

package command

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// faults ends this process as kill -9 would at the n-th passage of a point named by CAPER_FAULT=point:n, and lists the
// points passed in the file CAPER_FAULT_LOG. Only test builds have it.
func faults() func(string) {
	point, nth, _ := strings.Cut(os.Getenv("CAPER_FAULT"), ":")
	n, err := strconv.Atoi(nth)
	if err != nil {
		n = 1
	}
	var mu sync.Mutex
	log := os.Getenv("CAPER_FAULT_LOG")
	return func(at string) {
		mu.Lock()
		defer mu.Unlock()
		if log != "" {
			if f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				fmt.Fprintln(f, at)
				f.Close()
			}
		}
		if at != point {
			return
		}
		if n--; n == 0 {
			_ = unix.Kill(os.Getpid(), unix.SIGKILL)
			select {}
		}
	}
}

// snapshotEvery is CAPER_SNAPSHOT: after how many answers a program is saved.
func snapshotEvery() int {
	n, _ := strconv.Atoi(os.Getenv("CAPER_SNAPSHOT")) // what is no number is none
	return n
}
