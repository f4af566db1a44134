package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"leadline/agent/internal/faults"
)

// freezer lets the server's process go on and stops it, for as long as it is the one of the beginning.
type freezer struct {
	mutex sync.Mutex
	pid   int
	// born is when the process started: another one that gets its number later has not.
	born uint64
	over bool
}

// take makes pid the process; 0 is none.
func (f *freezer) take(pid int) error {
	if pid == 0 {
		return nil
	}
	_, born, err := lookAt(pid)
	if err != nil {
		return faults.New(faults.MySQLLost, "the server's process %d is not there", pid)
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.pid, f.born = pid, born
	return nil
}

// thaw lets the process go on.
func (f *freezer) thaw() error { return f.signal(syscall.SIGCONT) }

// freeze stops the process, and waits until it has: threads that the kernel keeps busy take a moment.
func (f *freezer) freeze() error {
	const patience, pause = time.Second, time.Millisecond
	if err := f.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(pause) {
		if state, _, err := lookAt(f.pid); err != nil || state == 'T' {
			break
		}
	}
	return nil
}

func (f *freezer) signal(signal syscall.Signal) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.pid == 0 {
		return nil
	}
	if _, born, err := lookAt(f.pid); err != nil || born != f.born {
		return faults.New(faults.MySQLLost, "the server's process %d has ended", f.pid)
	}
	if f.over && signal != syscall.SIGCONT {
		return nil
	}
	if err := syscall.Kill(f.pid, signal); err != nil {
		return faults.New(faults.BadPlan, "the server's process %d can't be stopped or let go on: %v", f.pid, err)
	}
	return nil
}

// letGo lets the process go on for good; who still wants to stop it does not any more.
func (f *freezer) letGo() {
	f.mutex.Lock()
	f.over = true
	f.mutex.Unlock()
	// One that has ended needs nothing.
	_ = f.thaw()
}

// lookAt reads what state a process is in, and when it was started, in ticks after the machine was.
func lookAt(pid int) (state byte, born uint64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	// The second field is a name in brackets, which may hold anything.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	const bornField = 22 - 3
	if len(fields) <= bornField {
		return 0, 0, fmt.Errorf("/proc/%d/stat has only %d fields", pid, len(fields))
	}
	if state = fields[0][0]; state == 'Z' || state == 'X' {
		return 0, 0, os.ErrProcessDone
	}
	born, err = strconv.ParseUint(string(fields[bornField]), 10, 64)
	return state, born, err
}
