package load

import (
	"sync/atomic"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/latency"
)

// A Worker is what one thread does. Its Run starts with the lane's Begin, loops until the lane's
// Count says that time is up, and allocates nothing meanwhile; an error ends the whole run. A
// worker that returns before has done all there was to do, which ends the run for all.
//
// What a loop calls has to be nosplit. The runtime asks every thread to make room for others after
// 10 ms, and a thread obeys where a function begins that is not: it would wait there for another
// thread to wake it, and the runtime would need twice as many.
type Worker interface {
	Run(lane *Lane) error
}

// Lane is one thread's view of the run: when to end, and where to count.
type Lane struct {
	// until is the end of the run; 0 once it was stopped. One load answers both.
	until  *atomic.Int64
	counts [outcomes]*latency.Counts
	gate   *gate
	// ShortWrites did not write all they should, in the whole run; read after the end.
	ShortWrites uint64
	// late operations ended after the run: the drive had them to do, and nobody counts them.
	late uint64
	// Threads must not share a cache line.
	_ [64]byte
}

// Begin waits until all threads are there, and returns the time.
//
//go:nosplit
func (l *Lane) Begin() int64 {
	l.gate.wait()
	return clock.Now()
}

// Count counts the operation that took from begin to now; false when it is time to end. An
// operation belongs to the moment at which it ends.
//
//go:nosplit
func (l *Lane) Count(begin, now int64) bool { return l.CountAs(Done, begin, now) }

// CountAs counts one that ended with that outcome; see Count.
//
//go:nosplit
func (l *Lane) CountAs(outcome Outcome, begin, now int64) bool {
	if now >= l.until.Load() {
		l.late++
		return false
	}
	l.counts[outcome].Add(max(0, now-begin))
	return true
}

// CountMany counts many operations that were done together from begin to now, each with that
// latency; see Count.
//
//go:nosplit
func (l *Lane) CountMany(begin, now int64, many uint32) bool {
	if now >= l.until.Load() {
		l.late += uint64(many)
		return false
	}
	l.counts[Done].AddMany(max(0, now-begin), many)
	return true
}

// Over tells a thread that rests whether it is time to end.
//
//go:nosplit
func (l *Lane) Over(now int64) bool { return now >= l.until.Load() }
