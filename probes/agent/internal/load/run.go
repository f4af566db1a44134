package load

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
)

// Interval is the time between two samples.
const Interval = 200 * time.Millisecond

// patience is how long an operation may take beyond the end before storage counts as stuck.
const patience = 30 * time.Second

// Sample is what was seen within one interval; At counts from the end of the warm-up.
type Sample struct {
	At         time.Duration
	Took       time.Duration
	Operations uint64
	P95US      float64
	P99US      float64
}

// Result is what a run measured after its warm-up.
type Result struct {
	Measured    time.Duration
	Counts      *latency.Sum
	CPU         CPU
	Errors      uint64
	MissingRows uint64
	ShortWrites uint64
}

type run struct {
	lanes []*Lane
	// start is the end of the warm-up.
	start, end int64
	stopped    atomic.Bool
	failure    error
	failOnce   sync.Once
	failed     chan struct{}
	finished   chan struct{}
}

// Run lets every worker loop on a thread of its own, first for warmup and then for measured, and
// calls onSample after every interval. The Go runtime must have a processor for every worker,
// because a worker's system calls keep theirs.
func Run(workers []Worker, warmup, measured time.Duration, onSample func(Sample)) (*Result, error) {
	// A collection has to stop every thread, and these don't stop: none may begin while they run,
	// and one that has begun must end before. Switching collections off waits for that.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run := &run{failed: make(chan struct{}), finished: make(chan struct{})}
	gate := &gate{}
	run.launch(workers, gate)
	run.start = clock.Now() + warmup.Nanoseconds()
	run.end = run.start + measured.Nanoseconds()
	for _, lane := range run.lanes {
		lane.until.Store(run.start)
	}
	gate.open()
	cpu := run.watch(onSample)
	if err := run.join(); err != nil {
		return nil, err
	}
	return run.result(measured, cpu), nil
}

// launch starts the threads, which wait at the gate.
func (r *run) launch(workers []Worker, gate *gate) {
	var ready, running sync.WaitGroup
	for _, worker := range workers {
		lane := &Lane{run: r, gate: gate}
		lane.counts = &lane.warmup
		r.lanes = append(r.lanes, lane)
		ready.Add(1)
		running.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready.Done()
			if err := worker.Run(lane); err != nil {
				r.fail(err)
			}
		})
	}
	ready.Wait()
	go func() {
		running.Wait()
		close(r.finished)
	}()
}

// fail keeps the first error and makes all lanes end.
func (r *run) fail(err error) {
	r.failOnce.Do(func() {
		r.failure = err
		r.stopped.Store(true)
		for _, lane := range r.lanes {
			lane.until.Store(0)
		}
		close(r.failed)
	})
}

// join waits until no thread is at work any more.
func (r *run) join() error {
	select {
	case <-r.finished:
		return r.failure
	case <-time.After(patience):
		return faults.Fatal(faults.IO, "an operation did not end within %v", patience)
	}
}

func (r *run) result(measured time.Duration, cpu CPU) *Result {
	result := &Result{Measured: measured, CPU: cpu, Counts: &latency.Sum{}}
	result.Counts.Take(r.counted())
	for _, lane := range r.lanes {
		result.Errors += lane.Errors
		result.MissingRows += lane.MissingRows
		result.ShortWrites += lane.ShortWrites
	}
	return result
}

func (r *run) warmups() []*latency.Counts {
	all := make([]*latency.Counts, len(r.lanes))
	for index, lane := range r.lanes {
		all[index] = &lane.warmup
	}
	return all
}

func (r *run) counted() []*latency.Counts {
	all := make([]*latency.Counts, len(r.lanes))
	for index, lane := range r.lanes {
		all[index] = &lane.counted
	}
	return all
}
