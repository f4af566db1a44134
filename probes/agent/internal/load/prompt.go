package load

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/futex"
)

// timer is how the thread that watches a run tells the time and waits.
type timer interface {
	now() int64
	// nap sleeps until moment, now and then less.
	nap(moment int64)
}

// kernelTimer sleeps in the kernel and keeps its processor of the Go runtime: waking in Go's own way
// takes the help of other threads, which are not prompt.
type kernelTimer struct{}

func (kernelTimer) now() int64 { return clock.Now() }

func (kernelTimer) nap(moment int64) {
	if left := moment - clock.Now(); left > 0 {
		futex.Sleep(left)
	}
}

// shortSlice asks for the processor in small pieces, and thereby soon (sched_setattr(2), for ordinary
// threads since Linux 6.12).
const shortSlice = 100 * time.Microsecond

// becomePrompt keeps the calling goroutine on a thread that gets a processor soon after it wakes; the
// thread ends with the goroutine. Else a thousand threads that never wait, as on a file in memory,
// would each go first: samples and the end came up to 3 s late. Who may not be served before all
// others asks for short slices; where that is not known either, nothing changes. It needs some
// 50 us in every 10 ms.
func becomePrompt() {
	runtime.LockOSThread()
	attributes := unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1,
		// No thread that is started from here may be like this one.
		Flags: unix.SCHED_FLAG_RESET_ON_FORK,
	}
	if unix.SchedSetAttr(0, &attributes, 0) == nil {
		return
	}
	attributes = unix.SchedAttr{Size: unix.SizeofSchedAttr, Runtime: uint64(shortSlice.Nanoseconds())}
	_ = unix.SchedSetAttr(0, &attributes, 0)
}
