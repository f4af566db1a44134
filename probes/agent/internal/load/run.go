// Package load runs one loop per thread for a while and reports what they counted.
package load

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
)

// Interval is the time between two samples.
const Interval = 200 * time.Millisecond

// patience is how long an operation may take beyond the end before storage counts as stuck.
const patience = 30 * time.Second

// Part is a group of threads that count together.
type Part struct {
	Workers []Worker
	// Issued tells what the part has asked of the drive so far, the warm-up included; operations
	// is how many it has counted. nil where there is no drive.
	Issued func(operations uint64) events.Issued
}

// Length tells how long to measure: exactly Most after Warmup, or, with Within, until the rate's
// 95 % interval is that narrow, between Least and Most.
type Length struct {
	Warmup, Least, Most time.Duration
	Within              float64
}

// Hooks are called while a run lasts; each may be nil.
type Hooks struct {
	// OnThread is called on every thread before it begins.
	OnThread func()
	// OnSample is called after every interval, for one part after the other.
	OnSample func(part int, sample Sample)
	// Enough is asked now and then with what all parts have issued: true ends the run as if its
	// time were up.
	Enough func(issued events.Issued) bool
}

// Sample is what was seen within one interval; At counts from the end of the warm-up.
type Sample struct {
	At         time.Duration
	Took       time.Duration
	Operations uint64
	P95US      float64
	P99US      float64
}

// Result is what a part measured after its warm-up.
type Result struct {
	Warmup   time.Duration
	Measured time.Duration
	EndedBy  string
	Counts   *latency.Sum
	CPU      CPU
	CI95PerS [2]float64
	Batches  int
	// Autocorrelation is what is left of it between neighbouring batches.
	Autocorrelation float64
	// Issued is what the part asked of the drive, the warm-up included.
	Issued      events.Issued
	Errors      uint64
	MissingRows uint64
	ShortWrites uint64
}

// RatePerS is the part's rate over the measured time.
func (r *Result) RatePerS() float64 {
	return float64(r.Counts.Operations) / r.Measured.Seconds()
}

type run struct {
	length Length
	hooks  Hooks
	parts  []*part
	// start is the end of the warm-up.
	start, end int64
	stopped    atomic.Bool
	failure    error
	failOnce   sync.Once
	failed     chan struct{}
	finished   chan struct{}
}

type part struct {
	Part
	lanes []*Lane
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

// RunParts lets the workers of all parts loop at once, each on a thread of its own. The Go runtime
// must have a processor for every worker, because a worker's system calls keep theirs. A part is
// over before its time where its workers return without an error.
func RunParts(parts []Part, length Length, hooks Hooks) ([]*Result, error) {
	// A collection has to stop every thread, and these don't stop: none may begin while they run,
	// and one that has begun must end before. Switching collections off waits for that.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	run := &run{length: length, hooks: hooks, failed: make(chan struct{}), finished: make(chan struct{})}
	gate := &gate{}
	run.launch(parts, gate)
	run.start = clock.Now() + length.Warmup.Nanoseconds()
	run.end = run.start + length.Most.Nanoseconds()
	for _, lane := range run.lanes() {
		lane.until.Store(run.start)
	}
	gate.open()
	cpu := run.watch()
	if err := run.join(); err != nil {
		return nil, err
	}
	return run.results(cpu), nil
}

// launch starts the threads, which wait at the gate.
func (r *run) launch(parts []Part, gate *gate) {
	var ready, running sync.WaitGroup
	for _, asked := range parts {
		part := &part{Part: asked}
		r.parts = append(r.parts, part)
		for _, worker := range asked.Workers {
			lane := &Lane{run: r, gate: gate}
			lane.counts = &lane.warmup
			part.lanes = append(part.lanes, lane)
			ready.Add(1)
			running.Go(func() { r.work(worker, lane, &ready) })
		}
	}
	ready.Wait()
	go func() {
		running.Wait()
		close(r.finished)
	}()
}

func (r *run) work(worker Worker, lane *Lane, ready *sync.WaitGroup) {
	runtime.LockOSThread()
	// A thread that a hook has changed must not serve anything else.
	if r.hooks.OnThread == nil {
		defer runtime.UnlockOSThread()
	} else {
		r.hooks.OnThread()
	}
	ready.Done()
	if err := worker.Run(lane); err != nil {
		r.fail(err)
	}
}

// fail keeps the first error and makes all lanes end.
func (r *run) fail(err error) {
	r.failOnce.Do(func() {
		r.failure = err
		r.stopped.Store(true)
		for _, lane := range r.lanes() {
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

func (r *run) results(cpu CPU) []*Result {
	var results []*Result
	for _, part := range r.parts {
		result := &Result{
			Warmup: r.length.Warmup, Measured: r.length.Most, EndedBy: events.EndedByTime,
			CPU: cpu, Counts: &latency.Sum{},
		}
		result.Counts.Take(part.counted())
		result.CI95PerS = [2]float64{0, 2 * result.RatePerS()}
		for _, lane := range part.lanes {
			result.Errors += lane.Errors
			result.MissingRows += lane.MissingRows
			result.ShortWrites += lane.ShortWrites
		}
		if part.Issued != nil {
			var warmup latency.Sum
			warmup.Take(part.warmups())
			result.Issued = part.Issued(warmup.Operations + result.Counts.Operations)
		}
		results = append(results, result)
	}
	return results
}

func (r *run) lanes() []*Lane {
	var all []*Lane
	for _, part := range r.parts {
		all = append(all, part.lanes...)
	}
	return all
}

func (p *part) warmups() []*latency.Counts {
	all := make([]*latency.Counts, len(p.lanes))
	for index, lane := range p.lanes {
		all[index] = &lane.warmup
	}
	return all
}

func (p *part) counted() []*latency.Counts {
	all := make([]*latency.Counts, len(p.lanes))
	for index, lane := range p.lanes {
		all[index] = &lane.counted
	}
	return all
}
