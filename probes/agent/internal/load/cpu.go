package load

import (
	"syscall"
	"time"
)

// CPU is time that this process spent on processors.
type CPU struct {
	User, System time.Duration
}

// cpuNow reads the whole process's CPU time: the kernel splits it into user and system by
// sampling, and threads alone have too few samples.
func cpuNow() CPU {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return CPU{}
	}
	return CPU{
		User:   time.Duration(syscall.TimevalToNsec(usage.Utime)),
		System: time.Duration(syscall.TimevalToNsec(usage.Stime)),
	}
}

func (c CPU) minus(earlier CPU) CPU {
	return CPU{User: c.User - earlier.User, System: c.System - earlier.System}
}
