// Package redo does what InnoDB's log writer does: append a little, make it durable, again.
package redo

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// logBytes is the size of the log file: large enough that appends do not come round within the
// cache of a drive in one short point, small enough to be written in a moment.
const logBytes = 64 << 20

// Log is a pre-written file without a name. Its writes go through the page cache, as InnoDB
// writes its redo log unless told otherwise, even with innodb_flush_method=O_DIRECT; the sync
// after each of them is what reaches the drive.
type Log struct {
	// InMemory tells that the file system has no drive to sync to.
	InMemory  bool
	directory string
	fd        int
}

// Create makes and fills a log file in directory.
func Create(directory string, ignoreFloor bool) (*Log, error) {
	if err := fileio.Reserve(directory, logBytes, ignoreFloor); err != nil {
		return nil, err
	}
	fd, err := fileio.OpenNameless(directory, 0)
	if err != nil {
		return nil, faults.Storage(directory, err)
	}
	log := &Log{directory: directory, fd: fd}
	if err := log.fill(); err != nil {
		log.Close()
		return nil, faults.Storage(directory, err)
	}
	log.InMemory, err = fileio.InMemory(fd)
	if err != nil {
		log.Close()
		return nil, faults.Storage(directory, err)
	}
	return log, nil
}

func (l *Log) fill() error {
	memory := make([]byte, 1<<20)
	for offset := 0; offset < logBytes; {
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

// Writer appends blocks and makes each durable.
type Writer struct {
	directory string
	fd        int
	sync      uintptr
	block     fileio.Buffer
	stamp     uint64
}

// NewWriter prepares one writer; sync is one of the plan's ways.
func (l *Log) NewWriter(blockBytes int, sync string) (*Writer, error) {
	flags := unix.O_WRONLY | unix.O_CLOEXEC
	var call uintptr
	switch sync {
	case plan.Fdatasync:
		call = syscall.SYS_FDATASYNC
	case plan.Fsync:
		call = syscall.SYS_FSYNC
	case plan.ODsync:
		flags |= unix.O_DSYNC
	}
	// The file has no name; this way leads to it all the same, and allows other flags.
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", l.fd), flags, 0)
	if err != nil {
		return nil, faults.Storage(l.directory, err)
	}
	block, err := fileio.NewBuffer(blockBytes)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	_, _ = rand.Read(block)
	return &Writer{l.directory, fd, call, block, 0}, nil
}

// Close gives the writer's memory and descriptor back once its thread has ended.
func (w *Writer) Close() {
	w.block.Free()
	_ = unix.Close(w.fd)
}

// Run appends until time is up, from the file's start again where its end is reached. The
// latency is that of the write and its sync together.
func (w *Writer) Run(lane *load.Lane) error {
	fd, address, length := uintptr(w.fd), w.block.Address(0), uintptr(len(w.block))
	offset := uintptr(0)
	begin := lane.Begin()
	for {
		w.stamp++
		binary.LittleEndian.PutUint64(w.block, w.stamp)
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PWRITE64, fd, address, length, offset, 0, 0)
		if n == length && w.sync != 0 {
			_, _, errno = syscall.RawSyscall(w.sync, fd, 0, 0)
		}
		now := clock.Now()
		if errno == syscall.EINTR {
			continue
		}
		if errno != 0 {
			return faults.Storage(w.directory, errno)
		}
		if n != length {
			lane.ShortWrites++
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
		offset += length
		if offset+length > logBytes {
			offset = 0
		}
	}
}
