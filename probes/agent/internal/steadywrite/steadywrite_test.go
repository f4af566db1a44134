package steadywrite

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/drivetest"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

func makeSet(t *testing.T, directory string, files int, bytesPerFile int64, content string) *fileio.Set {
	t.Helper()
	settle := false
	set, err := fileio.Create(plan.FileSet{
		Directory: directory, Files: files, BytesPerFile: bytesPerFile, Content: content, Settle: &settle,
	}, true, func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set
}

func open(t *testing.T, set *fileio.Set, threads, blockBytes int, byteLimit int64) *Writers {
	t.Helper()
	writers, err := Open(set, fileio.NewPool(plan.OrdinaryPages), threads, blockBytes, byteLimit, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(writers.Close)
	return writers
}

func content(t *testing.T, descriptor uintptr, length int) []byte {
	t.Helper()
	memory, err := fileio.NewBuffer(length)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Free)
	if n, err := unix.Pread(int(descriptor), memory, 0); err != nil || n != length {
		t.Fatalf("%d of %d bytes were read: %v", n, length, err)
	}
	return memory
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("%v instead of the fault %s", err, code)
	}
}

// written tells which blocks of a set of zeros have been written.
func written(t *testing.T, set *fileio.Set, bytesPerFile, blockBytes int) []bool {
	t.Helper()
	var blocks []bool
	for _, descriptor := range set.Descriptors() {
		all := content(t, descriptor, bytesPerFile)
		for at := 0; at+blockBytes <= len(all); at += blockBytes {
			blocks = append(blocks, !bytes.Equal(all[at:at+blockBytes], make([]byte, blockBytes)))
		}
	}
	return blocks
}

func TestBytesEndThePoint(t *testing.T) {
	const mib = 1 << 20
	// A file has room for all that may be written: where one thread starts late, the other writes
	// its share and never comes round.
	const fileBlocks = 5
	set := makeSet(t, t.TempDir(), 2, fileBlocks*mib, plan.Zeros)
	result, err := loadtest.RunToTheEnd(open(t, set, 2, mib, fileBlocks*mib).Each, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.EndedBy != events.EndedByBytes || result.Counts.Operations > fileBlocks {
		t.Errorf("%d blocks, ended by %s", result.Counts.Operations, result.EndedBy)
	}
	// Each thread writes one file, in order.
	count := 0
	blocks := written(t, set, fileBlocks*mib, mib)
	for index, was := range blocks {
		if was {
			count++
		}
		if was && index%fileBlocks > 0 && !blocks[index-1] {
			t.Errorf("block %d was written before the one in front of it: %v", index, blocks)
		}
	}
	if count != fileBlocks {
		t.Errorf("%v were written", blocks)
	}
}

func TestSharesAreWrittenRoundAndRound(t *testing.T) {
	const fileBytes = 192 << 10
	for _, threads := range []int{1, 3, 5} {
		set := makeSet(t, t.TempDir(), 2, fileBytes, plan.Zeros)
		// 24 blocks of 16 KiB, five times.
		result, err := loadtest.RunToTheEnd(open(t, set, threads, 16384, 5*2*fileBytes).Each, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result.Counts.Operations > 120 || result.ShortWrites > 0 {
			t.Errorf("%+v", result)
		}
		if threads > 1 {
			continue
		}
		for index, was := range written(t, set, fileBytes, 16384) {
			if !was {
				t.Errorf("block %d was left out", index)
			}
		}
	}
}

func TestSharesCoverTheSetWithoutOverlap(t *testing.T) {
	set := makeSet(t, t.TempDir(), 3, 256<<10, plan.Sparse)
	for _, threads := range []int{1, 2, 5, 12} {
		writers, err := Open(set, fileio.NewPool(plan.OrdinaryPages), threads, 64<<10, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		next := uint64(0)
		for _, each := range writers.Each {
			one := each.(*writer)
			if one.first != next || one.end <= one.first {
				t.Errorf("%d threads: a share from %d to %d after %d", threads, one.first, one.end, next)
			}
			next = one.end
		}
		if next != 12 {
			t.Errorf("%d threads share %d blocks", threads, next)
		}
		writers.Close()
	}
}

func TestTimeEndsAPointWithoutALimit(t *testing.T) {
	set := makeSet(t, t.TempDir(), 1, 1<<20, plan.Noise)
	// How long it takes until something is written depends on what else the machine does.
	for length := 50 * time.Millisecond; ; length *= 2 {
		result, err := load.Run(open(t, set, 1, 64<<10, 0).Each, 0, length, func(load.Sample) {})
		if err != nil {
			t.Fatal(err)
		}
		if result.EndedBy != events.EndedByTime || result.Measured < length {
			t.Errorf("%d blocks, ended by %s after %v", result.Counts.Operations, result.EndedBy, result.Measured)
		}
		if result.Counts.Operations > 0 {
			return
		}
	}
}

func TestFaultsAreTold(t *testing.T) {
	full := makeSet(t, drivetest.Full(t, 512<<10), 1, 4<<20, plan.Sparse)
	_, err := loadtest.RunToTheEnd(open(t, full, 2, 64<<10, 0).Each, nil)
	wantFault(t, err, faults.NoSpace)

	directory, fail := drivetest.Failing(t, 24<<20)
	_, err = loadtest.RunToTheEnd(open(t, makeSet(t, directory, 1, 8<<20, plan.Noise), 2, 64<<10, 0).Each, fail)
	wantFault(t, err, faults.IO)
}
