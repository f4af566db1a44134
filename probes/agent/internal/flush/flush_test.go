package flush

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/drivetest"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

const fileBytes = 4 << 20

func makeSet(t *testing.T, directory string, files int, content string) *fileio.Set {
	t.Helper()
	settle := false
	set, err := fileio.Create(plan.FileSet{
		Directory: directory, Files: files, BytesPerFile: fileBytes, Content: content, Settle: &settle,
	}, true, func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set
}

func wish(doublewrite string, cleaners, batchPages int) Wish {
	return Wish{
		Cleaners: cleaners, PageBytes: 16384, BatchPages: batchPages, Doublewrite: doublewrite,
		Seed: 1, IgnoreFloor: true,
	}
}

func open(t *testing.T, set *fileio.Set, wish Wish) *Cleaners {
	t.Helper()
	cleaners, err := Open(set, pool(t), wish)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cleaners.Close)
	return cleaners
}

// clean lets cleaners work until they have counted so many pages.
func clean(t *testing.T, cleaners *Cleaners, least uint64) *load.Result {
	t.Helper()
	result, err := loadtest.Run(load.Part{Workers: cleaners.Each}, 0, least)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("%v instead of the fault %s", err, code)
	}
}

func TestBatchesAreFlushedInEveryWay(t *testing.T) {
	directory := t.TempDir()
	set := makeSet(t, directory, 2, plan.Noise)
	for _, way := range []struct {
		doublewrite           string
		cleaners, batchPages  int
		writes, copies, syncs uint64
	}{
		{plan.DoublewriteOff, 1, 32, 32, 1, 2},
		// Copies that are written past the page cache are not synced.
		{plan.DoublewriteOn, 2, 32, 33, 2, 2 + syncsOfCopies(set)},
		// 160 pages are two areas of up to 128, in pieces of 64.
		{plan.DoublewriteLegacy, 3, 160, 163, 2, 6},
	} {
		cleaners := open(t, set, wish(way.doublewrite, way.cleaners, way.batchPages))
		result := clean(t, cleaners, 2*uint64(way.batchPages))
		totals := cleaners.Totals()
		batches := totals.Batches
		if batches == 0 || result.Counts.Operations > totals.Pages || result.Counts.Operations%uint64(way.batchPages) != 0 {
			t.Errorf("%s: %d batches, %d pages counted", way.doublewrite, batches, result.Counts.Operations)
		}
		// With several cleaners of an area the last batches may have been left half-way.
		slack := uint64(0)
		if way.doublewrite == plan.DoublewriteLegacy {
			slack = uint64(way.cleaners)
		}
		for what, got := range map[string][2]uint64{
			"pages":  {totals.Pages, uint64(way.batchPages)},
			"writes": {totals.Writes, way.writes},
			"bytes":  {totals.WrittenBytes, uint64(way.batchPages) * way.copies * 16384},
			"syncs":  {totals.Syncs, way.syncs},
		} {
			if got[0] < batches*got[1] || got[0] > (batches+slack)*got[1] {
				t.Errorf("%s: %d %s in %d batches instead of %d each", way.doublewrite, got[0], what, batches, got[1])
			}
		}
		if totals.PagesUS <= 0 || totals.SyncUS <= 0 || (totals.DoublewriteUS > 0) != (way.doublewrite != plan.DoublewriteOff) {
			t.Errorf("%s: %+v", way.doublewrite, totals)
		}
		if result.ShortWrites > 0 {
			t.Errorf("%s: %d short writes", way.doublewrite, result.ShortWrites)
		}
	}
	if names, err := os.ReadDir(directory); err != nil || len(names) != 0 {
		t.Errorf("the directory shows %v (%v)", names, err)
	}
}

// syncsOfCopies tells how many syncs a batch of the doublewrite since 8.0.20 takes before its pages.
func syncsOfCopies(set *fileio.Set) uint64 {
	if set.Direct {
		return 0
	}
	return 1
}

// hourly lets a cleaner flush one batch, and then rest for longer than any test takes.
func hourly(cleaners *Cleaners) *cleaner {
	one := cleaners.own[0]
	one.pace = &pace{beatNS: int64(time.Hour)}
	return one
}

func TestALatencyIsABatchs(t *testing.T) {
	cleaners := open(t, makeSet(t, t.TempDir(), 1, plan.Noise), wish(plan.DoublewriteOn, 1, 16))
	hourly(cleaners)
	begin := clock.Now()
	result := clean(t, cleaners, 16)
	took := float64(clock.Now()-begin) / 1000
	totals := cleaners.Totals()
	if totals.Batches != 1 || result.Counts.Operations != 16 {
		t.Fatalf("%d batches were flushed, %d pages counted", totals.Batches, result.Counts.Operations)
	}
	quickest, slowest := result.Counts.PercentileUS(1), result.Counts.PercentileUS(100)
	if spent := totals.DoublewriteUS + totals.PagesUS + totals.SyncUS; quickest != slowest || slowest < spent || quickest > 1.01*took {
		t.Errorf("the parts of a batch took %v us, its pages %v to %v, all together %v", spent, quickest, slowest, took)
	}
}

func TestACleanerSleepsUntilItsNextBatch(t *testing.T) {
	cleaners := open(t, makeSet(t, t.TempDir(), 1, plan.Noise), wish(plan.DoublewriteOff, 1, 4))
	resting := hourly(cleaners)
	var thread atomic.Int64
	cleaning := worker(func(lane *load.Lane) {
		thread.Store(int64(unix.Gettid()))
		if err := resting.Run(lane); err != nil {
			t.Error(err)
		}
	})
	// A thread that looked at the clock all the time would never be seen asleep.
	watching := worker(func(*load.Lane) {
		begin := time.Now()
		for cleaners.Totals().Batches == 0 || !asleep(thread.Load()) {
			if time.Since(begin) > 5*time.Minute {
				t.Error("it is always awake")
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	if _, err := loadtest.RunToTheEnd([]load.Worker{cleaning, watching}, nil); err != nil {
		t.Error(err)
	}
	if batches := cleaners.Totals().Batches; batches != 1 {
		t.Errorf("%d batches", batches)
	}
}

// asleep tells whether a thread of this process sleeps.
func asleep(thread int64) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/stat", thread))
	return err == nil && bytes.Contains(stat, []byte(") S "))
}

func TestPagesOfEverySizeReachTheirPlacesAndTheArea(t *testing.T) {
	for _, pageBytes := range []int{4096, 8192, 65536} {
		set := makeSet(t, t.TempDir(), 1, plan.Zeros)
		asked := wish(plan.DoublewriteOn, 1, 4)
		asked.PageBytes = pageBytes
		cleaners, err := Open(set, pool(t), asked)
		if err != nil {
			t.Fatal(err)
		}
		defer cleaners.Close()
		var errno syscall.Errno
		once := worker(func(lane *load.Lane) { errno = cleaners.own[0].batch(lane) })
		if _, err := loadtest.RunToTheEnd([]load.Worker{once}, nil); err != nil || errno != 0 {
			t.Fatal(err, errno)
		}
		batch := cleaners.own[0].copied
		copied := content(t, cleaners.areas.Descriptors()[0], 4*pageBytes)
		if !bytes.Equal(batch, copied) {
			t.Errorf("%d: the area does not hold the batch", pageBytes)
		}
		written := content(t, set.Descriptors()[0], fileBytes)
		for at := 0; at < len(batch); at += pageBytes {
			if found := bytes.Index(written, batch[at:at+pageBytes]); found < 0 || found%pageBytes != 0 {
				t.Errorf("%d: a page is at %d", pageBytes, found)
			}
		}
	}
}

// shared is one pool for all tests: filling it takes a while.
var shared = fileio.NewPool(plan.OrdinaryPages)

// pool is filled, so that nobody waits for that.
func pool(t *testing.T) *fileio.Pool {
	t.Helper()
	frames, err := shared.Take(1, 4096)
	if err != nil {
		t.Fatal(err)
	}
	frames.Free()
	return shared
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

func TestPagesAreLimited(t *testing.T) {
	asked := wish(plan.DoublewriteOff, 2, 4)
	asked.PerSecond = 400
	result := clean(t, open(t, makeSet(t, t.TempDir(), 1, plan.Noise), asked), 120)
	// At either end a batch may be counted of which a part lies outside.
	if most := 400*result.Measured.Seconds() + 3*4; float64(result.Counts.Operations) > most {
		t.Errorf("%d pages in %v under a limit of 400 a second", result.Counts.Operations, result.Measured)
	}
}

func TestALowLimitMakesSmallBatches(t *testing.T) {
	for _, want := range []struct {
		perSecond          float64
		batchPages, really int
	}{{0, 128, 128}, {2000, 128, 128}, {500, 128, 50}, {25, 128, 2}, {3, 128, 1}, {500, 20, 20}} {
		if got := pacedBatch(want.perSecond, want.batchPages); got != want.really {
			t.Errorf("%v pages a second in batches of %d: %d", want.perSecond, want.batchPages, got)
		}
	}
}

func TestBeatsAreEvenAndWhatIsLateIsLost(t *testing.T) {
	pace := newPace(1000, 10)
	const beat = int64(10 * time.Millisecond)
	if pace.beatNS != beat {
		t.Fatalf("a beat of %d ns", pace.beatNS)
	}
	now := int64(time.Hour)
	for index := range int64(3) {
		if due := pace.next(now); due != now+index*beat {
			t.Errorf("beat %d is due after %v", index, time.Duration(due-now))
		}
	}
	// Half a beat late: made up for. A second late: one beat of it is.
	now += 3*beat + beat/2
	if due := pace.next(now); due != now-beat/2 {
		t.Errorf("due %v from now", time.Duration(due-now))
	}
	now += int64(time.Second)
	first, second := pace.next(now), pace.next(now)
	if first != now-beat || second != now {
		t.Errorf("due %v and %v from now", time.Duration(first-now), time.Duration(second-now))
	}
}

func TestALockLetsOneInAtATime(t *testing.T) {
	const threads, rounds = 8, 2000
	shared := &lock{}
	var inside, most atomic.Int32
	var workers []load.Worker
	counts := make([]int, threads)
	for index := range threads {
		workers = append(workers, worker(func(*load.Lane) {
			for range rounds {
				shared.take()
				most.Store(max(most.Load(), inside.Add(1)))
				counts[index]++
				inside.Add(-1)
				shared.give()
			}
		}))
	}
	if _, err := loadtest.RunToTheEnd(workers, nil); err != nil {
		t.Fatal(err)
	}
	if most.Load() != 1 || shared.state.Load() != free {
		t.Errorf("up to %d held the lock at once; its state is %d", most.Load(), shared.state.Load())
	}
}

type worker func(lane *load.Lane)

func (w worker) Run(lane *load.Lane) error {
	lane.Begin()
	w(lane)
	return nil
}

func TestWhatTheKernelSaysOfARequestIsTold(t *testing.T) {
	queue, err := newQueue(3)
	if err != nil {
		t.Fatal(err)
	}
	defer queue.close()
	queue.put(0, 1, 0, 4096, 0)
	queue.events = []event{{result: 4096}, {result: 512}, {result: -int64(unix.EIO)}, {result: -int64(unix.ENOSPC)}}
	if short, errno := queue.judge(2); short != 1 || errno != 0 {
		t.Errorf("%d short, %v", short, errno)
	}
	if short, errno := queue.judge(4); short != 1 || errno != unix.EIO {
		t.Errorf("%d short, %v", short, errno)
	}
}

func TestAFailedSubmissionLeavesNothingUnderWay(t *testing.T) {
	queue, err := newQueue(2)
	if err != nil {
		t.Fatal(err)
	}
	defer queue.close()
	set := makeSet(t, t.TempDir(), 1, plan.Noise)
	memory, err := fileio.NewBuffer(4096)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Free()
	queue.put(0, set.Descriptors()[0], memory.Address(0), 4096, 0)
	queue.put(1, 1<<20, memory.Address(0), 4096, 0)
	if _, errno := queue.run(2); errno != unix.EBADF {
		t.Errorf("a file that is not open gives %v", errno)
	}
	if queue.events[0].result != 4096 {
		t.Errorf("the first request ended with %d", queue.events[0].result)
	}
}

func TestADriveThatGoesAwayIsTold(t *testing.T) {
	for _, doublewrite := range []string{plan.DoublewriteOff, plan.DoublewriteOn, plan.DoublewriteLegacy} {
		directory, fail := drivetest.Failing(t, 24<<20)
		set := makeSet(t, directory, 1, plan.Noise)
		cleaners := open(t, set, wish(doublewrite, 3, 16))
		_, err := loadtest.RunToTheEnd(cleaners.Each, fail)
		wantFault(t, err, faults.IO)
		if cleaners.Totals().Batches == 0 {
			t.Errorf("%s: nothing was flushed before", doublewrite)
		}
	}
}

func TestADirectoryThatFillsUpIsTold(t *testing.T) {
	directory := drivetest.Full(t, 2<<20)
	set := makeSet(t, directory, 1, plan.Sparse)
	_, err := loadtest.RunToTheEnd(open(t, set, wish(plan.DoublewriteOff, 2, 16)).Each, nil)
	wantFault(t, err, faults.NoSpace)
	_, err = Open(set, pool(t), wish(plan.DoublewriteLegacy, 1, 16))
	wantFault(t, err, faults.NoSpace)
}

func TestPagesInMemoryAreFlushedToo(t *testing.T) {
	set := makeSet(t, "/dev/shm", 1, plan.Noise)
	if set.Direct {
		t.Skip("/dev/shm is on a drive here")
	}
	if result := clean(t, open(t, set, wish(plan.DoublewriteOn, 2, 64)), 64); result.ShortWrites > 0 {
		t.Errorf("%+v", result)
	}
}

func TestAnAIOThatIsRefusedIsNamed(t *testing.T) {
	_, err := newQueue(math.MaxInt32)
	wantFault(t, err, faults.Limits)
	refused := (&cleaner{pageBytes: 512, directory: "/d"}).explain(syscall.EINVAL)
	wantFault(t, refused, faults.IO)
}
