// Package load runs one loop per thread for a while and reports what they counted.
package load

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
)

// patience is how long an operation may take beyond the end before storage counts as stuck.
const patience = 30 * time.Second

// Length tells how long to measure: Most after Warmup, or, with Within, until the rate's 95 % interval
// is that narrow, between Least and Most. A host so busy that the end comes late makes it longer.
type Length struct {
	Warmup, Least, Most time.Duration
	Within              float64
}

// Hooks are called while a run lasts; each may be nil.
type Hooks struct {
	// OnLaunch is called before the threads begin, with what ends them early: the run then fails
	// with that error.
	OnLaunch func(end func(error))
	// OnSample is called after every interval, for one part after the other.
	OnSample func(part int, sample Sample)
	// Enough is asked after every interval with what all parts have issued: true ends the run as
	// if its time were up.
	Enough func(issued events.Issued) bool
	// Around is called when measuring begins and again when it ends, while all threads are at work, to
	// read what else is counted. How long both calls take is alike, so that what they read belongs to
	// what is measured. Such a run takes no samples while it measures; an error ends it.
	Around func() error
}

type run struct {
	// until is what the threads look at after every operation: the end, and 0 once they are stopped.
	until atomic.Int64
	_     [56]byte

	timer  timer
	length Length
	hooks  Hooks
	parts  []*part
	// launched is how long it took until all threads were there.
	launched time.Duration
	// finished tells that a worker had nothing left to do, and ended the run.
	finished atomic.Bool
	failure  error
	failOnce sync.Once
	ended    chan struct{}
}

// Run lets every worker loop on a thread of its own, first for warmup and then for measured, and
// calls onSample after every interval; see RunParts.
func Run(workers []Worker, warmup, measured time.Duration, onSample func(Sample)) (*Result, error) {
	results, err := RunParts([]Part{{Workers: workers}}, Length{Warmup: warmup, Most: measured},
		Hooks{OnSample: func(_ int, sample Sample) { onSample(sample) }})
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// RunParts lets the workers of all parts loop at once, each on a thread of its own, and returns a
// result for each part. The Go runtime must have a processor for every worker, because a worker's
// system calls keep theirs.
func RunParts(parts []Part, length Length, hooks Hooks) ([]*Result, error) {
	// A collection has to stop every thread, and these don't stop: none may begin while they run,
	// and one that has begun must end before. Switching collections off waits for that.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run := newRun(kernelTimer{}, length, hooks)
	gate := &gate{}
	began := clock.Now()
	run.launch(parts, gate)
	run.launched = time.Duration(clock.Now() - began)
	if hooks.OnLaunch != nil {
		hooks.OnLaunch(run.fail)
	}
	watched := make(chan *watch, 1)
	go func() {
		becomePrompt()
		watched <- run.watch(gate)
	}()
	seen := <-watched
	if err := run.join(); err != nil {
		return nil, err
	}
	return seen.results(), nil
}

func newRun(timer timer, length Length, hooks Hooks) *run {
	made := &run{timer: timer, length: length, hooks: hooks, ended: make(chan struct{})}
	made.until.Store(math.MaxInt64)
	return made
}

// launch starts the threads, which wait at the gate.
func (r *run) launch(parts []Part, gate *gate) {
	var ready, running sync.WaitGroup
	for _, asked := range parts {
		part := newPart(asked, &r.until, gate)
		r.parts = append(r.parts, part)
		for index, worker := range asked.Workers {
			ready.Add(1)
			running.Go(func() { r.work(worker, part.lanes[index], &ready) })
		}
	}
	ready.Wait()
	go func() {
		running.Wait()
		close(r.ended)
	}()
}

func (r *run) work(worker Worker, lane *Lane, ready *sync.WaitGroup) {
	runtime.LockOSThread()
	ready.Done()
	err := worker.Run(lane)
	// Before anything else: a goroutine that makes room for others while it has a thread to itself keeps
	// that thread waiting, and where all threads end at once the runtime would start as many again.
	runtime.UnlockOSThread()
	if err != nil {
		r.fail(err)
	} else if r.endNow() {
		r.finished.Store(true)
	}
}

// fail keeps the first error and makes all threads end.
func (r *run) fail(err error) {
	r.failOnce.Do(func() {
		r.failure = err
		r.until.Store(0)
	})
}

// endNow ends the run unless it has ended; false then.
func (r *run) endNow() bool { return r.endBy(0) }

// endBy ends the run at moment unless it ends before; false then. Who comes late does not end it in
// the past: threads have counted until now.
func (r *run) endBy(moment int64) bool {
	moment = max(moment, r.timer.now())
	for end := r.until.Load(); moment < end; end = r.until.Load() {
		if r.until.CompareAndSwap(end, moment) {
			return true
		}
	}
	return false
}

// join waits until no thread is at work any more.
func (r *run) join() error {
	select {
	case <-r.ended:
		return r.failure
	case <-time.After(patience):
		return faults.Fatal(faults.IO, "an operation did not end within %v", patience)
	}
}
