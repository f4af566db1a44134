package redo

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/drivetest"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/futex"
	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

func create(t *testing.T, directory string, growing bool) *Log {
	t.Helper()
	make := Create
	if growing {
		make = CreateGrowing
	}
	log, err := make(directory, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(log.Close)
	return log
}

func open(t *testing.T, log *Log, count, blockBytes int, sync string, binlog *Log) *Committers {
	t.Helper()
	committers, err := log.Open(count, blockBytes, sync, binlog)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(committers.Close)
	return committers
}

// run lets them commit until so many commits have been counted.
func run(t *testing.T, committers *Committers, least uint64) *load.Result {
	t.Helper()
	result, err := loadtest.Run(load.Part{Workers: committers.Each}, 0, least)
	if err != nil {
		t.Fatal(err)
	}
	// The last commit of each thread ends too late to be counted.
	if commits, _ := committers.Totals(); commits != result.Counts.Operations+uint64(len(committers.Each)) {
		t.Errorf("%d commits were made by %d threads, %d were counted", commits, len(committers.Each), result.Counts.Operations)
	}
	return result
}

func sizeOf(t *testing.T, log *Log) int64 {
	t.Helper()
	var info unix.Stat_t
	if err := unix.Fstat(log.fd, &info); err != nil {
		t.Fatal(err)
	}
	return info.Size
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("%v instead of the fault %s", err, code)
	}
}

func TestEveryWayToSyncAppends(t *testing.T) {
	directory := t.TempDir()
	log := create(t, directory, false)
	if names, err := os.ReadDir(directory); err != nil || len(names) != 0 {
		t.Errorf("the directory shows %v (%v)", names, err)
	}
	for _, sync := range []string{plan.Fdatasync, plan.Fsync, plan.ODsync} {
		for _, blockBytes := range []int{512, 16384} {
			committers := open(t, log, 1, blockBytes, sync, nil)
			run(t, committers, 2)
			if commits, syncs := committers.Totals(); commits != syncs {
				t.Errorf("one committer made %d commits by %d syncs", commits, syncs)
			}
		}
	}
	if size := sizeOf(t, log); size != LogBytes {
		t.Errorf("the log has %d bytes", size)
	}
}

func TestAppendsComeRound(t *testing.T) {
	for _, growing := range []bool{false, true} {
		log := create(t, "/dev/shm", growing)
		if !log.InMemory {
			t.Skip("/dev/shm is on a drive here; coming round would take long")
		}
		const blockBytes = 48 << 10
		run(t, open(t, log, 1, blockBytes, plan.Fdatasync, nil), LogBytes/blockBytes+1)
		if size := sizeOf(t, log); size > LogBytes || !growing && size != LogBytes {
			t.Errorf("growing %v: the log has %d bytes", growing, size)
		}
	}
}

func TestAGrowingLogHoldsWhatWasAppended(t *testing.T) {
	log := create(t, t.TempDir(), true)
	for range 2 {
		// The second point begins with an empty file again.
		committers := open(t, log, 4, 4096, plan.Fdatasync, nil)
		run(t, committers, 2)
		commits, _ := committers.Totals()
		if size := sizeOf(t, log); size != int64(commits)*4096 {
			t.Errorf("the log has %d bytes after %d commits of 4096", size, commits)
		}
	}
}

func TestManyCommitAtOnce(t *testing.T) {
	log := create(t, t.TempDir(), true)
	for _, count := range []int{2, 16, 64} {
		committers := open(t, log, count, 512, plan.Fdatasync, nil)
		run(t, committers, uint64(count))
		// How many of them meet in a sync depends on what is slower here, syncs or threads.
		if commits, syncs := committers.Totals(); syncs == 0 || commits < syncs || commits > syncs*uint64(count) {
			t.Errorf("%d committers made %d commits by %d syncs", count, commits, syncs)
		}
	}
}

func TestAllWhoComeWhileOneSyncsCommitByTheNextSync(t *testing.T) {
	const count = 64
	committers := open(t, create(t, t.TempDir(), true), count, 512, plan.Fdatasync, nil)
	group := committers.group
	// The first group is being synced.
	group.open.Store((firstGroup + 1) << 32)
	var workers []load.Worker
	for range count {
		workers = append(workers, worker(func(lane *load.Lane) {
			if errno := group.commit(lane); errno != 0 {
				t.Error(errno)
			}
		}))
	}
	workers = append(workers, worker(func(*load.Lane) {
		for uint32(group.open.Load()) < count {
			time.Sleep(time.Millisecond)
		}
		if commits, syncs := committers.Totals(); commits+syncs > 0 {
			t.Errorf("%d committed by %d syncs before it was their turn", commits, syncs)
		}
		group.durable.Store(firstGroup)
		futex.Wake(&group.durable, futex.All)
	}))
	if _, err := loadtest.RunToTheEnd(workers, nil); err != nil {
		t.Error(err)
	}
	if commits, syncs := committers.Totals(); commits != count || syncs != 1 {
		t.Errorf("%d committed by %d syncs", commits, syncs)
	}
}

type worker func(lane *load.Lane)

func (w worker) Run(lane *load.Lane) error {
	lane.Begin()
	w(lane)
	return nil
}

func TestEveryRecordIsNew(t *testing.T) {
	log := create(t, t.TempDir(), true)
	run(t, open(t, log, 8, 512, plan.Fdatasync, nil), 2)
	content := make([]byte, sizeOf(t, log))
	if _, err := unix.Pread(log.fd, content, 0); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for at := 0; at < len(content); at += 512 {
		seen[string(content[at:at+512])] = true
	}
	if len(seen) != len(content)/512 {
		t.Errorf("%d of %d records are unlike all others", len(seen), len(content)/512)
	}
}

func TestABinlogIsWrittenAlong(t *testing.T) {
	directory := t.TempDir()
	log, binlog := create(t, directory, false), create(t, directory, true)
	committers := open(t, log, 4, 512, plan.Fdatasync, binlog)
	run(t, committers, 2)
	commits, _ := committers.Totals()
	if size := sizeOf(t, binlog); size != int64(commits)*512 {
		t.Errorf("the binlog has %d bytes after %d commits of 512", size, commits)
	}
}

func TestAFailureEndsAllCommitters(t *testing.T) {
	full, err := unix.Open("/dev/full", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skip(err)
	}
	log := &Log{directory: "/dev", fd: full}
	defer log.Close()
	for _, count := range []int{1, 16} {
		_, err = loadtest.RunToTheEnd(open(t, log, count, 512, plan.Fdatasync, nil).Each, nil)
		wantFault(t, err, faults.NoSpace)
	}
}

func TestADriveThatGoesAwayIsTold(t *testing.T) {
	directory, fail := drivetest.Failing(t, 96<<20)
	log := create(t, directory, false)
	committers := open(t, log, 8, 512, plan.Fdatasync, nil)
	_, err := loadtest.RunToTheEnd(committers.Each, fail)
	wantFault(t, err, faults.IO)
	if commits, _ := committers.Totals(); commits == 0 {
		t.Error("nothing was committed before")
	}
}

func TestADirectoryThatFillsUpIsTold(t *testing.T) {
	directory := drivetest.Full(t, 1<<20)
	committers := open(t, create(t, directory, true), 4, 4096, plan.Fdatasync, nil)
	_, err := loadtest.RunToTheEnd(committers.Each, nil)
	wantFault(t, err, faults.NoSpace)
	if commits, _ := committers.Totals(); commits < 200 || commits > 260 {
		t.Errorf("%d commits of 4096 bytes went into 1 MiB", commits)
	}
	_, err = Create(directory, true)
	wantFault(t, err, faults.NoSpace)
}

func TestAMissingDirectoryIsNamed(t *testing.T) {
	_, err := Create(t.TempDir()+"/none", true)
	wantFault(t, err, faults.DirectoryMissing)
	_, err = CreateGrowing("/sys/kernel", true)
	wantFault(t, err, faults.DirectoryReadOnly)
}
