package fileio

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"leadline/agent/internal/plan"
)

func pool(t *testing.T) *Pool {
	t.Helper()
	made := NewPool(plan.OrdinaryPages)
	t.Cleanup(made.Free)
	return made
}

// hugeKiB says how much of all memory between two addresses, in whole mappings, lies in huge pages.
func hugeKiB(t *testing.T, first, last uintptr) int {
	t.Helper()
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = maps.Close() }()
	all, here, seen := 0, false, false
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var found int
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			here = from <= last && first < to
			seen = seen || here
		} else if _, err := fmt.Sscanf(lines.Text(), "AnonHugePages: %d kB", &found); here && err == nil {
			all += found
		}
	}
	if !seen {
		t.Fatalf("nothing is mapped between %x and %x", first, last)
	}
	return all
}

func isMapped(t *testing.T, begin uintptr) bool {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 && from <= begin && begin < to {
			return true
		}
	}
	return false
}

// bounds are the first and the last byte's address of frames.
func bounds(frames *Frames) (first, last uintptr) {
	begins := make([]uintptr, len(frames.Each))
	for index, frame := range frames.Each {
		begins[index] = Address(frame)
	}
	return slices.Min(begins), slices.Max(begins) + uintptr(len(frames.Each[0])) - 1
}

func TestHugeBuffersLieInHugePages(t *testing.T) {
	if !transparent() {
		t.Skip("this kernel gives no huge pages")
	}
	for _, count := range []int{1, 128, 129, 1000} {
		frames, err := NewPool(plan.HugePages).Take(count, 16384)
		if err != nil {
			t.Fatal(err)
		}
		first, last := bounds(frames)
		if len(frames.Each) != count {
			t.Errorf("%d blocks instead of %d", len(frames.Each), count)
		}
		found := hugeKiB(t, first, last)
		if huge := found >= int(rounded(count*16384))>>10; huge != (frames.Pages == plan.HugePages) {
			t.Errorf("%d KiB of %d blocks are in huge pages, and they count as %s", found, count, frames.Pages)
		} else if !huge {
			t.Skip("the kernel has no huge pages to spare")
		}
		if frames.Pieces != 0 && frames.Pieces != 1 {
			t.Errorf("a block in huge pages has %v pieces", frames.Pieces)
		}
		frames.Free()
		if isMapped(t, first) {
			t.Errorf("the memory of %d blocks is still there", count)
		}
	}
}

func TestOrdinaryBuffersHaveNoHugePage(t *testing.T) {
	for _, count := range []int{1, 1000, 3000} {
		pool := NewPool(plan.OrdinaryPages)
		frames, err := pool.Take(count, 16384)
		if err != nil {
			t.Fatal(err)
		}
		first, last := bounds(frames)
		if found := hugeKiB(t, first, last); found != 0 || frames.Pages != plan.OrdinaryPages {
			t.Errorf("%d KiB of %d ordinary blocks are in huge pages (%s)", found, count, frames.Pages)
		}
		if os.Geteuid() == 0 && (frames.Pieces < 1 || frames.Pieces > 4) {
			t.Errorf("16 KiB have %v pieces", frames.Pieces)
		}
		frames.Free()
		pool.Free()
		if isMapped(t, first) {
			t.Errorf("the pool of %d blocks is still there", count)
		}
	}
}

func TestBlocksComeFromAllOverThePool(t *testing.T) {
	pool := pool(t)
	frames, err := pool.TakeForThreads(1, 16384)
	if err != nil {
		t.Fatal(err)
	}
	first, last := bounds(frames)
	if reach := int(last - first); reach < len(pool.memory)*8/10 {
		t.Errorf("they reach over %d of %d bytes", reach, len(pool.memory))
	}
	if Address(frames.Of(0, 2)[0]) == Address(frames.Of(1, 2)[0]) {
		t.Error("two threads share a block")
	}
}

func TestTwoUsersOfAPoolShareNothing(t *testing.T) {
	pool := pool(t)
	var all []*Frames
	// The third one finds no room in the pool, and has memory of its own.
	for value, blockBytes := range []int{16384, 4096, 8192} {
		frames, err := pool.Take(500, blockBytes)
		if err != nil {
			t.Fatal(err)
		}
		for _, frame := range frames.Each {
			for at := range frame {
				frame[at] = byte(value + 1)
			}
		}
		all = append(all, frames)
	}
	for value, frames := range all {
		for _, frame := range frames.Each {
			if bytes.Count(frame, []byte{byte(value + 1)}) != len(frame) {
				t.Fatalf("a block of user %d was written to by another", value)
			}
		}
		frames.Free()
	}
	again, err := pool.Take(500, 16384)
	if err != nil {
		t.Fatal(err)
	}
	if Address(again.Each[0]) != Address(all[0].Each[0]) {
		t.Error("what was given back is not used again")
	}
	again.Free()
}

func TestFewThreadsUseSeveralBlocksEach(t *testing.T) {
	pool := pool(t)
	for threads, each := range map[int]int{1: 16, 2: 8, 8: 2, 12: 2, 16: 1, 64: 1, 1024: 1} {
		frames, err := pool.TakeForThreads(threads, 65536)
		if err != nil {
			t.Fatal(err)
		}
		for thread := range threads {
			if own := len(frames.Of(thread, threads)); own != each {
				t.Errorf("of %d threads one has %d blocks", threads, own)
			}
		}
		frames.Free()
	}
}

func TestAskedForHugePagesThatAreNotThereItSaysSo(t *testing.T) {
	memory, err := ordinary(hugeBytes)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	if _, err := os.Stat("/proc/self/smaps"); err != nil {
		t.Skip("this kernel does not tell")
	}
	if inHugePages(memory) {
		t.Error("ordinary memory counts as huge")
	}
}
