package fileio

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
)

const fileBytes = 1 << 20

// measure lets workers loop until each has done a few operations.
func measure(t *testing.T, workers *Workers) *load.Result {
	t.Helper()
	defer workers.Free()
	result, err := loadtest.Run(load.Part{Workers: workers.Each}, 20*time.Millisecond, 30)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestReadersReadEverySizeOfBlock(t *testing.T) {
	set := create(t, t.TempDir(), 2, fileBytes)
	for _, blockBytes := range []int{4096, 16384, 65536} {
		workers, err := set.Readers(pool(t), 3, blockBytes, 1)
		if err != nil {
			t.Fatal(err)
		}
		result := measure(t, workers)
		if result.Errors+result.ShortWrites+result.MissingRows != 0 {
			t.Errorf("a clean run counts %+v", result)
		}
	}
}

func TestReadersSpendProcessorTimeThatIsCounted(t *testing.T) {
	set := create(t, t.TempDir(), 1, fileBytes)
	workers, err := set.Readers(pool(t), 1, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	result := measure(t, workers)
	most := time.Since(begin) * time.Duration(runtime.NumCPU())
	if spent := result.CPU.User + result.CPU.System; spent <= 0 || spent > most {
		t.Errorf("%v of processor time for %d reads, where there were %v to be had", spent, result.Counts.Operations, most)
	}
}

func TestEverySectorOfAWriteIsNew(t *testing.T) {
	set := create(t, t.TempDir(), 1, fileBytes)
	before := bytes.Clone(content(t, set.descriptors[0], fileBytes))
	workers, err := set.Writers(pool(t), 2, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	measure(t, workers)
	after := content(t, set.descriptors[0], fileBytes)
	changed, seen := 0, map[string]bool{}
	for sector := 0; sector < fileBytes; sector += sectorBytes {
		now := after[sector : sector+sectorBytes]
		if !bytes.Equal(now, before[sector:sector+sectorBytes]) {
			changed++
		}
		seen[string(now)] = true
	}
	if changed == 0 || len(seen) != fileBytes/sectorBytes {
		t.Errorf("%d sectors changed, %d of %d are unlike all others", changed, len(seen), fileBytes/sectorBytes)
	}
}

func TestAStampLeavesTheRestAlone(t *testing.T) {
	block := make([]byte, 1024)
	moving := mover{random: 1}
	moving.stamp(block, 1)
	first := bytes.Clone(block)
	moving.stamp(block, 1)
	if bytes.Equal(first[:8], block[:8]) || bytes.Equal(first[512:520], block[512:520]) {
		t.Error("a sector was written twice")
	}
	if !bytes.Equal(first[8:512], make([]byte, 504)) {
		t.Error("more than the stamp changed")
	}
}

func TestPlacesCoverAllFilesAndBlocks(t *testing.T) {
	const files, blocks, draws = 3, 64, 64 * 3 * 100
	hits := [files][blocks]int{}
	random := seeded(7, 0)
	for range draws {
		file, block := random.place(files, blocks)
		hits[file][block]++
	}
	for file := range hits {
		for block, count := range hits[file] {
			if count < 40 || count > 180 {
				t.Errorf("block %d of file %d was drawn %d times instead of about 100", block, file, count)
			}
		}
	}
}

func TestThreadsAndSeedsDrawTheirOwnNumbers(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(20) {
		for thread := range 20 {
			random := seeded(seed, thread)
			seen[random.next()] = true
		}
	}
	if len(seen) != 400 {
		t.Errorf("400 sequences begin with %d different numbers", len(seen))
	}
	first, second := seeded(7, 3), seeded(7, 3)
	if first.next() != second.next() {
		t.Error("the same seed draws other numbers")
	}
}

func TestAFailedWriteEndsThePoint(t *testing.T) {
	nothing, err := OpenNothing()
	if err != nil {
		t.Skip(err)
	}
	defer nothing.Close()
	workers, err := nothing.Writers(pool(t), 1, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Free()
	// /dev/zero was opened for reading alone.
	_, err = loadtest.RunToTheEnd(workers.Each, nil)
	wantFault(t, err, "io")
}

func TestThreadsHaveTheirOwnDescriptors(t *testing.T) {
	set := create(t, t.TempDir(), 2, fileBytes)
	before := openFiles(t)
	workers, err := set.Readers(pool(t), 4, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uintptr]bool{}
	for _, mover := range workers.movers {
		for _, fd := range mover.descriptors {
			seen[fd] = true
			flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
			if err != nil || set.Direct != (flags&unix.O_DIRECT != 0) {
				t.Errorf("the flags are %o (%v), direct is %v", flags, err, set.Direct)
			}
		}
	}
	if len(seen) != 4*2 {
		t.Errorf("4 threads use %d descriptors for 2 files", len(seen))
	}
	measure(t, workers)
	if after := openFiles(t); after != before {
		t.Errorf("%d files were open before, %d are now", before, after)
	}
}

func TestVeryManyThreadsShareDescriptors(t *testing.T) {
	set := create(t, t.TempDir(), 3, fileBytes)
	workers, err := set.Readers(pool(t), 1024, 512, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Free()
	if len(workers.opened.own) != 0 || len(workers.movers) != 1024 {
		t.Errorf("%d threads opened %d files", len(workers.movers), len(workers.opened.own))
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	names, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}
