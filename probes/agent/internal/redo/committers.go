package redo

import (
	"crypto/rand"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// Committers are the threads of one redo_sync point, and what they hold.
type Committers struct {
	Each  []load.Worker
	group *group
}

// Open prepares count committers of records of blockBytes; sync is one of the plan's ways. With a
// binlog, each group is appended to that first, and made durable by fdatasync, as MySQL does.
func (l *Log) Open(count, blockBytes int, sync string, binlog *Log) (*Committers, error) {
	redo, err := l.stream(sync)
	if err != nil {
		return nil, err
	}
	shared := &group{redo: redo, block: blockBytes}
	shared.open.Store(firstGroup << 32)
	opened := &Committers{group: shared}
	if binlog != nil {
		second, err := binlog.stream(plan.Fdatasync)
		if err != nil {
			opened.Close()
			return nil, err
		}
		shared.binlog = &second
	}
	if shared.memory, err = fileio.NewBuffer(count * blockBytes); err != nil {
		opened.Close()
		return nil, err
	}
	_, _ = rand.Read(shared.memory)
	for range count {
		opened.Each = append(opened.Each, &committer{shared, l.directory})
	}
	return opened, nil
}

// Close gives memory and descriptors back once the threads have ended.
func (c *Committers) Close() {
	if c.group.memory != nil {
		c.group.memory.Free()
	}
	if c.group.binlog != nil {
		c.group.binlog.close()
	}
	c.group.redo.close()
}

// Totals tells how many commits were made durable so far, and by how many syncs of the redo log;
// the warm-up is included.
func (c *Committers) Totals() (commits, syncs uint64) {
	return c.group.commits.Load(), c.group.groups.Load()
}

type committer struct {
	group     *group
	directory string
}

// Run commits until time is up. The latency is that from the record to its being durable.
func (c *committer) Run(lane *load.Lane) error {
	begin := lane.Begin()
	for {
		errno := c.group.commit(lane)
		now := clock.Now()
		if errno != 0 {
			return faults.Storage(c.directory, errno)
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}
