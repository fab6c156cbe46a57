//go:build !caperfaults

package command

// faults is nil in production: see faults_on.go.
func faults() func(string) { return nil }

// snapshotEvery is what pays.
func snapshotEvery() int { return 0 }
