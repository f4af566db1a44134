// Package load runs one loop per thread for a while and reports what they counted.
package load

import (
	"sync/atomic"

	"leadline/agent/internal/latency"
)

// A Worker is what one thread does. Its Run loops until the lane says that time is up, and
// allocates nothing meanwhile; an error ends the whole run.
type Worker interface {
	Run(lane *Lane) error
}

// Lane is one thread's view of the run: when to end, and where to count.
type Lane struct {
	// until is the end of the current phase; 0 once the run was stopped. One load answers both.
	until   atomic.Int64
	counts  *latency.Counts
	run     *run
	warmup  latency.Counts
	counted latency.Counts
	// What went wrong without ending the run; read after the end.
	Errors      uint64
	MissingRows uint64
	ShortWrites uint64
}

// Count counts the operation that took from begin to now; false when it is time to end. An
// operation belongs to the phase in which it ends. With nosplit, as everything that runs once an
// operation, it is no place where the runtime takes the thread away.
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
func (l *Lane) advance(now int64) bool {
	if l.counts == &l.warmup {
		l.counts = &l.counted
		l.until.Store(l.run.end)
	}
	// A stop may have been overwritten by the line above.
	return now < l.run.end && !l.run.stopped.Load()
}
