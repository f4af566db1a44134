package watch

import (
	"time"

	"golang.org/x/sys/unix"
)

// wallAhead is how far the wall clock is ahead of the steady one. Both are slewed alike, so that it
// changes only where somebody sets the wall clock, or the machine was asleep.
func wallAhead() time.Duration {
	shortest, ahead := time.Duration(1<<62), time.Duration(0)
	for range 5 {
		before, wall, after := reading(unix.CLOCK_MONOTONIC), reading(unix.CLOCK_REALTIME), reading(unix.CLOCK_MONOTONIC)
		if after-before < shortest {
			shortest = after - before
			ahead = wall - before - (after-before)/2
		}
	}
	return ahead
}

func reading(clock int32) time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(clock, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}
