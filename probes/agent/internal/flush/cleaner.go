package flush

import (
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
)

// cleaner is one page cleaner. It is a load.Worker.
type cleaner struct {
	queue       *queue
	frames      [][]byte
	pageBytes   int
	batchPages  int
	places      fileio.Places
	descriptors []uintptr
	// touched are the files that the batch has written to.
	touched   []bool
	directory string

	// area is nil without doublewrite; copied is what is written to it, each page a copy, as InnoDB
	// copies them.
	area   *area
	copied fileio.Buffer
	pace   *pace
	totals *totals
}

func newCleaner(set *fileio.Set, wish Wish, index int, frames [][]byte) (*cleaner, error) {
	queue, err := newQueue(wish.BatchPages)
	if err != nil {
		return nil, err
	}
	descriptors := set.Descriptors()
	return &cleaner{
		queue: queue, frames: frames, pageBytes: wish.PageBytes, batchPages: wish.BatchPages,
		places: set.Places(wish.PageBytes, wish.Seed, index), descriptors: descriptors,
		touched: make([]bool, len(descriptors)), directory: set.Directory(),
	}, nil
}

// doublewrite gives the cleaner an area, nil for none, and memory for what goes there.
func (c *cleaner) doublewrite(area *area, pool *fileio.Pool) error {
	if area == nil {
		return nil
	}
	memory, err := pool.Whole(c.batchPages * c.pageBytes)
	c.area, c.copied = area, memory
	return err
}

func (c *cleaner) close() {
	c.queue.close()
	if c.copied != nil {
		c.copied.Free()
	}
}

// Run flushes batches until time is up. It counts pages; the latency is a batch's.
func (c *cleaner) Run(lane *load.Lane) error {
	begin := lane.Begin()
	for {
		begin = c.pace.wait(lane, begin)
		if lane.Over(begin) {
			return nil
		}
		errno := c.batch(lane)
		now := clock.Now()
		if errno != 0 {
			return c.explain(errno)
		}
		if !lane.CountMany(begin, now, uint32(c.batchPages)) {
			return nil
		}
		begin = now
	}
}

// batch flushes one batch: in as many pieces as the doublewrite area wants, where that is smaller.
//
//go:nosplit
func (c *cleaner) batch(lane *load.Lane) syscall.Errno {
	at := clock.Now()
	for done := 0; done < c.batchPages; {
		pages := c.batchPages - done
		if c.area != nil {
			pages = min(pages, c.area.bytes/c.pageBytes)
			c.area.take()
		}
		var errno syscall.Errno
		// Who had to wait for the area may find that it is too late.
		over := lane.Over(clock.Now())
		if !over {
			at, errno = c.flush(lane, pages, at)
		}
		if c.area != nil {
			c.area.give()
		}
		if over || errno != 0 {
			return errno
		}
		done += pages
	}
	c.totals.batches.Add(1)
	return 0
}

// flush writes pages to their places, to the area before; at is when the thread began to wait for that.
//
//go:nosplit
func (c *cleaner) flush(lane *load.Lane, pages int, at int64) (end int64, errno syscall.Errno) {
	c.draw(pages)
	if c.area != nil {
		short, errno := c.area.write(fileio.Address(c.copied), uintptr(pages*c.pageBytes))
		lane.ShortWrites += short
		if errno != 0 {
			return at, errno
		}
		written := clock.Now()
		c.totals.doublewriteNS.Add(written - at)
		c.totals.writes.Add(uint64((pages*c.pageBytes + c.area.piece - 1) / c.area.piece))
		c.totals.bytes.Add(uint64(pages * c.pageBytes))
		if c.area.synced {
			c.totals.syncs.Add(1)
		}
		at = written
	}
	short, errno := c.queue.run(pages)
	lane.ShortWrites += short
	if errno != 0 {
		return at, errno
	}
	written := clock.Now()
	c.totals.pagesNS.Add(written - at)
	c.totals.writes.Add(uint64(pages))
	c.totals.bytes.Add(uint64(pages * c.pageBytes))
	c.totals.pages.Add(uint64(pages))
	if errno := c.syncTouched(); errno != 0 {
		return written, errno
	}
	end = clock.Now()
	c.totals.syncNS.Add(end - written)
	return end, 0
}

// draw makes so many new pages and finds a place for each.
//
//go:nosplit
func (c *cleaner) draw(pages int) {
	clear(c.touched)
	for index := range pages {
		file, block := c.places.Next()
		page := c.frames[index]
		fileio.Stamp(page, c.places.Number())
		if c.area != nil {
			copy(c.copied[index*c.pageBytes:], page)
		}
		c.queue.put(index, c.descriptors[file], fileio.Address(page), uintptr(c.pageBytes), block*uint64(c.pageBytes))
		c.touched[file] = true
	}
}

// syncTouched makes the files durable that were written to, as InnoDB does after each batch even
// with O_DIRECT: their blocks' places and the drive's cache are not yet.
//
//go:nosplit
func (c *cleaner) syncTouched() syscall.Errno {
	for file, touched := range c.touched {
		if !touched {
			continue
		}
		if errno := sync(c.descriptors[file]); errno != 0 {
			return errno
		}
		c.totals.syncs.Add(1)
	}
	return 0
}

func (c *cleaner) explain(errno syscall.Errno) error {
	if errno == unix.EINVAL {
		return faults.New(faults.IO, "writing pages of %d bytes by native AIO is refused in %s", c.pageBytes, c.directory)
	}
	return faults.Storage(c.directory, errno)
}
