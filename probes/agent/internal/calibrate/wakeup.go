package calibrate

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/load"
)

const (
	// perWakeup is the time between two wake-ups among all threads: enough of them to be measured
	// soon, few enough to leave the processors idle in between.
	perWakeup = 100 * time.Microsecond
	// A thread sleeps within these bounds.
	shortSleep, longSleep = 200 * time.Microsecond, 20 * time.Millisecond
)

// wakeup is the median delay, in microseconds, of waking one of that many sleeping threads.
func (t *trial) wakeup(threads int) (float64, bool) {
	length := min(longSleep, max(shortSleep, time.Duration(threads)*perWakeup))
	workers := make([]load.Worker, threads)
	for index := range workers {
		workers[index] = &sleeper{length: length.Nanoseconds(), random: uint64(index) + 1}
	}
	result, ok, err := t.run(workers)
	if err != nil || !ok || result.Counts.Operations == 0 {
		return 0, false
	}
	return result.Counts.PercentileUS(50), true
}

// sleeper sleeps, over and over, and counts by how much it woke too late.
type sleeper struct {
	length int64
	random uint64
	_      [64]byte
}

// Run sleeps until time is up.
func (s *sleeper) Run(lane *load.Lane) error {
	// The kernel would wake ordinary threads up to 50 us late, to wake several at once.
	_, _, _ = unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_TIMERSLACK, 1, 0)
	lane.Begin()
	for {
		length := s.next()
		rest := unix.Timespec{Nsec: length}
		begin := clock.Now()
		_, _, errno := unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&rest)), 0, 0)
		now := clock.Now()
		if errno != 0 {
			// A signal came before its time.
			continue
		}
		if !lane.Count(begin+length, now) {
			_, _, _ = unix.RawSyscall(unix.SYS_PRCTL, unix.PR_SET_TIMERSLACK, 0, 0)
			return nil
		}
	}
}

// next is a length of 3/4 to 5/4 of the usual one, so that threads do not march in step; the
// generator is xorshift64.
//
//go:nosplit
func (s *sleeper) next() int64 {
	s.random ^= s.random << 13
	s.random ^= s.random >> 7
	s.random ^= s.random << 17
	return s.length*3/4 + int64(s.random%uint64(s.length/2))
}
