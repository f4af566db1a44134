package redo

import (
	"encoding/binary"
	"sync/atomic"
	"syscall"

	"leadline/agent/internal/fileio"
	"leadline/agent/internal/futex"
	"leadline/agent/internal/load"
)

// group is what commits share. Who finds the open group empty leads it: it waits until the group
// before is durable, closes its own, and writes and syncs for all who have joined meanwhile, like
// the queues of MySQL's group commit (its manual, "binlog group commit") and InnoDB's log buffer.
type group struct {
	redo stream
	// binlog is appended to and synced before the redo; nil without.
	binlog *stream
	memory fileio.Buffer
	block  int
	stamp  uint64
	// open is the number of the open group, and in the lower half how many have joined it.
	open atomic.Uint64
	// durable is the number of the last durable group; the leader of the next one waits for it.
	durable atomic.Uint32
	// released is changed when a group is durable: one for odd and one for even groups, because
	// one is written while the next one is open.
	released [2]atomic.Uint32
	// failure is the error number that ended everything.
	failure atomic.Uint32
	// Totals, the warm-up included.
	commits, groups atomic.Uint64
}

// firstGroup is the number of the first one; durable begins one below.
const firstGroup = 1

// commit adds a record and returns once it is durable.
//
//go:nosplit
func (g *group) commit(lane *load.Lane) syscall.Errno {
	joined := g.open.Add(1)
	own := uint32(joined >> 32)
	if uint32(joined) == 1 {
		g.lead(lane, own)
	} else {
		g.follow(own)
	}
	return syscall.Errno(g.failure.Load())
}

// lead makes the group own durable, and lets everybody go on even when that failed.
//
//go:nosplit
func (g *group) lead(lane *load.Lane, own uint32) {
	for seen := g.durable.Load(); seen != own-1; seen = g.durable.Load() {
		futex.Wait(&g.durable, seen)
	}
	members := uint32(g.open.Swap(uint64(own+1) << 32))
	if g.failure.Load() == 0 {
		g.failure.Store(uint32(g.write(lane, int(members))))
	}
	g.durable.Store(own)
	if members > 1 {
		g.released[own&1].Add(1)
		futex.Wake(&g.released[own&1], futex.All)
	}
	if uint32(g.open.Load()) > 0 {
		futex.Wake(&g.durable, 1)
	}
}

// follow waits until the group own is durable.
//
//go:nosplit
func (g *group) follow(own uint32) {
	for {
		seen := g.released[own&1].Load()
		if int32(g.durable.Load()-own) >= 0 {
			return
		}
		futex.Wait(&g.released[own&1], seen)
	}
}

// write writes and syncs the records of so many members. Each record is new.
//
//go:nosplit
func (g *group) write(lane *load.Lane, members int) syscall.Errno {
	length := members * g.block
	for at := 0; at < length; at += g.block {
		g.stamp++
		binary.LittleEndian.PutUint64(g.memory[at:], g.stamp)
	}
	address := g.memory.Address(0)
	if g.binlog != nil {
		if errno := g.append(lane, g.binlog, address, uintptr(length)); errno != 0 {
			return errno
		}
	}
	if errno := g.append(lane, &g.redo, address, uintptr(length)); errno != 0 {
		return errno
	}
	g.groups.Add(1)
	g.commits.Add(uint64(members))
	return 0
}

//go:nosplit
func (g *group) append(lane *load.Lane, to *stream, address, length uintptr) syscall.Errno {
	short, errno := to.append(address, length)
	if short {
		lane.ShortWrites++
	}
	return errno
}
