package worker_test

import (
	"os"
	"testing"

	"caper/runtime/worker/driver/drivertest"
)

// TestMain is also the scripted agent: it speaks as claude does, and does what it is told.
func TestMain(m *testing.M) {
	switch os.Getenv("SCRIPTED") {
	case "agent":
		drivertest.Client()
	case "replay":
		replay()
		os.Exit(0)
	case "worker":
		os.Exit(workerProcess())
	}
	os.Exit(m.Run())
}
