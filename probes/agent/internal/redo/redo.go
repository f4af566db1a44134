// Package redo does what InnoDB's log writer does: append a little, make it durable, again; for one
// or for many who commit at once.
package redo

import (
	"crypto/rand"
	"fmt"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/plan"
)

// LogBytes is the size of the log file: large enough that appends do not come round within the
// cache of a drive in one short point, small enough to be written in a moment.
const LogBytes = 64 << 20

// Log is a file without a name. Its writes go through the page cache, as InnoDB writes its redo log
// unless told otherwise, even with innodb_flush_method=O_DIRECT; the sync after each of them is
// what reaches the drive.
type Log struct {
	// InMemory tells that the file system has no drive to sync to.
	InMemory  bool
	directory string
	fd        int
	growing   bool
}

// Create makes and fills a log file in directory, as InnoDB does before it starts.
func Create(directory string, ignoreFloor bool) (*Log, error) {
	log, err := CreateGrowing(directory, ignoreFloor)
	if err != nil {
		return nil, err
	}
	log.growing = false
	if err := log.fill(); err != nil {
		log.Close()
		return nil, faults.Storage(directory, err)
	}
	return log, nil
}

// CreateGrowing makes an empty log file that grows with what is appended, as a binlog does: each
// sync has to make its new length and place durable too.
func CreateGrowing(directory string, ignoreFloor bool) (*Log, error) {
	if err := fileio.Reserve(directory, LogBytes, ignoreFloor); err != nil {
		return nil, err
	}
	fd, err := fileio.OpenNameless(directory, 0)
	if err != nil {
		return nil, faults.Storage(directory, err)
	}
	log := &Log{directory: directory, fd: fd, growing: true}
	log.InMemory, err = fileio.InMemory(fd)
	if err != nil {
		log.Close()
		return nil, faults.Storage(directory, err)
	}
	return log, nil
}

func (l *Log) fill() error {
	memory := make([]byte, 1<<20)
	for offset := 0; offset < LogBytes; {
		_, _ = rand.Read(memory)
		n, err := unix.Pwrite(l.fd, memory, int64(offset))
		if err != nil && err != unix.EINTR {
			return err
		}
		offset += max(n, 0)
	}
	return unix.Fsync(l.fd)
}

// Close gives the file back.
func (l *Log) Close() { _ = unix.Close(l.fd) }

// stream opens the log once more to append to it; sync is one of the plan's ways. A growing log
// starts empty.
func (l *Log) stream(sync string) (stream, error) {
	flags := unix.O_WRONLY | unix.O_CLOEXEC
	var call uintptr
	switch sync {
	case plan.Fdatasync:
		call = unix.SYS_FDATASYNC
	case plan.Fsync:
		call = unix.SYS_FSYNC
	case plan.ODsync:
		flags |= unix.O_DSYNC
	}
	if l.growing {
		flags |= unix.O_TRUNC
	}
	// The file has no name; this way leads to it all the same, and allows other flags.
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", l.fd), flags, 0)
	if err != nil {
		return stream{}, faults.Storage(l.directory, err)
	}
	return stream{fd: uintptr(fd), sync: call, growing: l.growing}, nil
}
