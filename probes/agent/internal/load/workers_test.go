package load

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
)

// longest is for runs that end by what they have done: only go test itself loses patience.
const longest = time.Hour

// enough ends a run once each of so many parts has counted least operations after the warm-up,
// however long that takes.
func enough(least uint64, parts int) Hooks {
	counted := make([]uint64, parts)
	return Hooks{
		OnSample: func(part int, sample Sample) {
			if sample.At > 0 {
				counted[part] += sample.Operations
			}
		},
		Enough: func(events.Issued) bool { return slices.Min(counted) >= least },
	}
}

func processors(t *testing.T, wanted int) {
	before := runtime.GOMAXPROCS(wanted)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

var errBroken = errors.New("broken")

// sleeper is a worker whose every operation takes a millisecond or longer. It counts for itself too.
type sleeper struct {
	done uint64
	// most is how many there are to do; 0 is no end.
	most uint64
	// failAt is the operation that fails; 0 is none.
	failAt uint64
	// garbage is what each operation leaves behind.
	garbage int
	left    []byte
	_       [64]byte
}

func (s *sleeper) Run(lane *Lane) error {
	for begin := lane.Begin(); s.most == 0 || s.done < s.most; {
		time.Sleep(time.Millisecond)
		s.left = make([]byte, s.garbage)
		now := clock.Now()
		if s.done++; s.done == s.failAt {
			return errBroken
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
	return nil
}

// finder asks without a pause; see finding.
type finder struct {
	asked int
	_     [64]byte
}

func (f *finder) Run(lane *Lane) error {
	begin := lane.Begin()
	for {
		now := clock.Now()
		f.asked++
		if !lane.CountAs(finding(f.asked), begin, now) {
			return nil
		}
		begin = now
	}
}
