package redo

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

func TestEveryWayToSyncAppends(t *testing.T) {
	directory := t.TempDir()
	log, err := Create(directory, true)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if names, err := os.ReadDir(directory); err != nil || len(names) != 0 {
		t.Errorf("the directory shows %v (%v)", names, err)
	}
	for _, sync := range []string{plan.Fdatasync, plan.Fsync, plan.ODsync} {
		for _, blockBytes := range []int{512, 16384} {
			writer, err := log.NewWriter(blockBytes, sync)
			if err != nil {
				t.Fatal(err)
			}
			result, err := load.Run([]load.Worker{writer}, 0, 50*time.Millisecond, func(load.Sample) {})
			if err != nil {
				t.Fatal(err)
			}
			if result.Counts.Operations == 0 {
				t.Errorf("%s with %d bytes did nothing", sync, blockBytes)
			}
			writer.Close()
		}
	}
	var info unix.Stat_t
	if err := unix.Fstat(log.fd, &info); err != nil || info.Size != logBytes {
		t.Errorf("the log has %d bytes (%v)", info.Size, err)
	}
}

func TestAppendsComeRound(t *testing.T) {
	directory := "/dev/shm"
	log, err := Create(directory, true)
	if err != nil {
		t.Skip(err)
	}
	defer log.Close()
	if !log.InMemory {
		t.Skip("/dev/shm is on a drive here; coming round would take long")
	}
	writer, err := log.NewWriter(48<<10, plan.Fdatasync)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	result, err := load.Run([]load.Worker{writer}, 0, 500*time.Millisecond, func(load.Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	if rounds := result.Counts.Operations * (48 << 10) / logBytes; rounds < 1 {
		t.Skipf("this host was too slow to come round: %d appends", result.Counts.Operations)
	}
	var info unix.Stat_t
	if err := unix.Fstat(log.fd, &info); err != nil || info.Size != logBytes {
		t.Errorf("the log grew to %d bytes (%v)", info.Size, err)
	}
}

func TestAMissingDirectoryIsNamed(t *testing.T) {
	_, err := Create(t.TempDir()+"/none", true)
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != faults.DirectoryMissing {
		t.Errorf("%v instead of a missing directory", err)
	}
}
