package load

import (
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
)

// highestNice is the kernel's for those who may have it.
const highestNice = -20

// shortSlice asks for the processor in small pieces, and thereby soon (sched_setattr(2), for ordinary
// threads since Linux 6.12).
const shortSlice = 100 * time.Microsecond

// becomePrompt keeps the calling goroutine on a thread that gets a processor soon after it wakes.
// Else a thousand threads that never wait, as on a file in memory, would each go first, and
// samples and the end would come a second late. Where neither way is allowed, nothing changes.
// The thread ends with the goroutine.
func becomePrompt() {
	runtime.LockOSThread()
	attributes := unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Nice: highestNice, Runtime: uint64(shortSlice.Nanoseconds()),
	}
	if unix.SchedSetAttr(0, &attributes, 0) == nil {
		return
	}
	attributes.Nice = 0
	_ = unix.SchedSetAttr(0, &attributes, 0)
}

// nap sleeps in the kernel until moment and keeps its processor of the Go runtime: waking in Go's
// own way takes the help of other threads, which are not prompt.
func nap(moment int64) {
	left := moment - clock.Now()
	if left <= 0 {
		return
	}
	wanted := unix.NsecToTimespec(left)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, 0,
		uintptr(unsafe.Pointer(&wanted)), 0, 0, 0)
}
