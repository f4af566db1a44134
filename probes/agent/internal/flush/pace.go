package flush

import (
	"sync/atomic"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/futex"
	"leadline/agent/internal/load"
)

// longestNapNS is how long a resting cleaner does not look whether the run is over.
const longestNapNS = 20_000_000

// beatsPerSecond is how many batches a limited rate is made of at least: a rate that comes in few
// lumps can't be decided from a short point.
const beatsPerSecond = 10

// pace lets the batches of all cleaners begin at even distances. A batch that comes late takes the
// place of its own beat, and what is later than one beat is lost.
type pace struct {
	// beatNS is the distance of two batches; 0 is no limit.
	beatNS int64
	due    atomic.Int64
}

// pacedBatch is how many pages a batch has at a limited rate.
func pacedBatch(perSecond float64, batchPages int) int {
	if perSecond == 0 {
		return batchPages
	}
	return max(1, min(batchPages, int(perSecond/beatsPerSecond)))
}

func newPace(perSecond float64, batchPages int) *pace {
	if perSecond == 0 {
		return &pace{}
	}
	return &pace{beatNS: int64(float64(batchPages) / perSecond * 1e9)}
}

// wait rests until the next batch is due, and returns the time.
//
//go:nosplit
func (p *pace) wait(lane *load.Lane, now int64) int64 {
	if p.beatNS == 0 {
		return now
	}
	due := p.next(now)
	for now < due && !lane.Over(now) {
		futex.Sleep(min(due-now, longestNapNS))
		now = clock.Now()
	}
	return now
}

// next is when the next batch is due.
//
//go:nosplit
func (p *pace) next(now int64) int64 {
	for {
		last := p.due.Load()
		due := max(last+p.beatNS, now-p.beatNS)
		if last == 0 {
			due = now
		}
		if p.due.CompareAndSwap(last, due) {
			return due
		}
	}
}
