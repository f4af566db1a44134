// Package load runs one loop per thread for a while and reports what they counted.
package load

import (
	"sync/atomic"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/latency"
)

// A Worker is what one thread does. Its Run starts with the lane's Begin, loops until the lane's
// Count says that time is up, and allocates nothing meanwhile; an error ends the whole run.
//
// What a loop calls has to be nosplit. The runtime asks every thread to make room for others after
// 10 ms, and a thread obeys where a function begins that is not: it would wait there for another
// thread to wake it, and the runtime would need twice as many.
type Worker interface {
	Run(lane *Lane) error
}

// Lane is one thread's view of the run: when to end, and where to count.
type Lane struct {
	// until is the end of the current phase; 0 once the run was stopped. One load answers both.
	until   atomic.Int64
	counts  *latency.Counts
	run     *run
	gate    *gate
	warmup  latency.Counts
	counted latency.Counts
	// What went wrong without ending the run; read after the end.
	Errors      uint64
	MissingRows uint64
	ShortWrites uint64
}

// Begin waits until all threads are there, and returns the time.
//
//go:nosplit
func (l *Lane) Begin() int64 {
	l.gate.wait()
	return clock.Now()
}

// Count counts the operation that took from begin to now; false when it is time to end. An
// operation belongs to the phase in which it ends.
//
//go:nosplit
func (l *Lane) Count(begin, now int64) bool {
	if now >= l.until.Load() && !l.advance(now) {
		return false
	}
	l.counts.Add(max(0, now-begin))
	return true
}

// advance moves from the warm-up to measuring, and from there to the end.
//
//go:nosplit
func (l *Lane) advance(now int64) bool {
	if l.counts == &l.warmup {
		l.counts = &l.counted
		l.until.Store(l.run.end)
	}
	// A stop may have been overwritten by the line above.
	return now < l.run.end && !l.run.stopped.Load()
}
