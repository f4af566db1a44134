package fileio

import (
	"bytes"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/drivetest"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

func TestAnOrderHoldsEveryNumberOnce(t *testing.T) {
	for _, count := range []uint64{1, 2, 3, 4, 5, 64, 1000, 65536, 100_003} {
		seen := make([]bool, count)
		order := newOrder(7, count)
		inPlace := 0
		for position := range count {
			number := order.at(position)
			if number >= count || seen[number] {
				t.Fatalf("of %d, position %d holds %d", count, position, number)
			}
			seen[number] = true
			if number == position {
				inPlace++
			}
		}
		if count >= 64 && inPlace > 12 {
			t.Errorf("%d of %d numbers are where they would be without shuffling", inPlace, count)
		}
	}
}

func TestAnOrderIsShuffledAndFixedByItsSeed(t *testing.T) {
	const count = 4096
	of := func(seed uint64) []uint64 {
		order := newOrder(seed, count)
		var numbers []uint64
		for position := range uint64(count) {
			numbers = append(numbers, order.at(position))
		}
		return numbers
	}
	first := of(1)
	if !slices.Equal(first, of(1)) || slices.Equal(first, of(2)) {
		t.Error("the seed does not fix the order")
	}
	// Of shuffled numbers half of all steps lead up, and hardly any to the next number.
	up, next := 0, 0
	for index := range first[1:] {
		if first[index+1] > first[index] {
			up++
		}
		if first[index+1] == first[index]+1 {
			next++
		}
	}
	if up < count*45/100 || up > count*55/100 || next > 12 {
		t.Errorf("%d of %d steps lead up, %d to the next number", up, count, next)
	}
}

// visit lets threads visit what is left of so many blocks.
func visit(t *testing.T, set *Set, touch string, writing bool, threads int, blocks uint64) {
	t.Helper()
	workers, err := set.Visitors(touch, writing, pool(t), threads, 4096, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Free()
	way := workers.Each[0].(*visitor).tour
	from := way.next.Load()
	result, err := loadtest.RunToTheEnd(workers.Each, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result.EndedBy != events.EndedByBytes || way.end-from != blocks {
		t.Errorf("%d blocks were to be visited instead of %d; %s ended it", way.end-from, blocks, result.EndedBy)
	}
	// What others had under way when one had found nothing left is not counted.
	if visited := result.Counts.Operations; visited+uint64(threads)-1 < blocks || visited > blocks {
		t.Errorf("%d of %d blocks were visited", visited, blocks)
	}
}

func TestAllBlocksAreVisitedOnce(t *testing.T) {
	set := create(t, t.TempDir(), 3, fileBytes)
	before := [][]byte{}
	for _, fd := range set.descriptors {
		before = append(before, bytes.Clone(content(t, fd, fileBytes)))
	}
	const blocks = 3 * fileBytes / 4096
	visit(t, set, plan.TouchFirst, true, 4, blocks)
	for file, fd := range set.descriptors {
		after := content(t, fd, fileBytes)
		for at := 0; at < fileBytes; at += 4096 {
			if bytes.Equal(after[at:at+4096], before[file][at:at+4096]) {
				t.Fatalf("file %d was not written at %d", file, at)
			}
		}
	}
	visit(t, set, plan.TouchAgain, false, 2, blocks)
	_, err := set.Visitors(plan.TouchFirst, false, pool(t), 1, 4096, 3)
	wantFault(t, err, faults.BadPlan)
	if _, err := set.tour(plan.TouchFirst, 8192, 3); err != nil {
		t.Errorf("blocks of another size count as visited: %v", err)
	}
}

func TestASecondVisitMeetsNoBlockForTheFirstTime(t *testing.T) {
	set := create(t, t.TempDir(), 1, 64<<10)
	const blocks = 16
	first, err := set.tour(plan.TouchFirst, 4096, 3)
	if err != nil {
		t.Fatal(err)
	}
	// The time is up after five.
	first.next.Store(5)
	visit(t, set, plan.TouchAgain, false, 2, 5)
	visit(t, set, plan.TouchFirst, false, 2, blocks-5)
	visit(t, set, plan.TouchAgain, false, 2, blocks)
}

func createAs(t *testing.T, directory, filling string, settle bool) (*Set, map[string]int) {
	t.Helper()
	stages := map[string]int{}
	asked := plan.FileSet{Directory: directory, Files: 2, BytesPerFile: fileBytes, Content: filling, Settle: &settle}
	set, err := Create(asked, true, func(stage string, _, _ int64) { stages[stage]++ })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set, stages
}

func TestFilesHoldWhatWasAskedFor(t *testing.T) {
	for _, filling := range []string{plan.Noise, plan.Zeros, plan.Sparse} {
		set, stages := createAs(t, t.TempDir(), filling, filling == plan.Noise)
		var info unix.Stat_t
		if err := unix.Fstat(set.descriptors[0], &info); err != nil {
			t.Fatal(err)
		}
		if info.Size != fileBytes || info.Blocks*512 >= fileBytes != (filling != plan.Sparse) {
			t.Errorf("%s: %d bytes, %d of them on disk", filling, info.Size, info.Blocks*512)
		}
		zeros := bytes.Equal(content(t, set.descriptors[0], fileBytes), make([]byte, fileBytes))
		if zeros != (filling != plan.Noise) {
			t.Errorf("%s: the file is empty: %v", filling, zeros)
		}
		if (stages["reading"] > 0) != (filling == plan.Noise) || (stages["filling"] > 0) != (filling != plan.Sparse) {
			t.Errorf("%s: the stages were %v", filling, stages)
		}
	}
}

func TestWhatIsWrittenIsAsCompressibleAsTheFile(t *testing.T) {
	for filling, least := range map[string]int{plan.Zeros: 0, plan.Noise: 4000} {
		set, _ := createAs(t, t.TempDir(), filling, false)
		visit(t, set, plan.TouchFirst, true, 1, 2*fileBytes/4096)
		written := content(t, set.descriptors[0], 4096)
		others := len(bytes.ReplaceAll(written, []byte{0}, nil))
		if others == 0 || others < least || least == 0 && others > 8*8 {
			t.Errorf("%s: %d of 4096 bytes are not 0", filling, others)
		}
	}
}

func TestADriveThatGoesAwayIsTold(t *testing.T) {
	directory, fail := drivetest.Failing(t, 24<<20)
	set := create(t, directory, 1, 8<<20)
	workers, err := set.Writers(pool(t), 2, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Free()
	_, err = loadtest.RunToTheEnd(workers.Each, fail)
	wantFault(t, err, faults.IO)
}

func TestASparseFileThatFillsItsDriveIsTold(t *testing.T) {
	directory := drivetest.Full(t, 512<<10)
	set, _ := createAs(t, directory, plan.Sparse, false)
	workers, err := set.Visitors(plan.TouchFirst, true, pool(t), 2, 4096, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer workers.Free()
	_, err = loadtest.RunToTheEnd(workers.Each, nil)
	wantFault(t, err, faults.NoSpace)
}
