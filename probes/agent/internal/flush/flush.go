// Package flush writes pages as InnoDB's page cleaners do: a batch at a time, twice or once, and
// durable before the next one.
package flush

import (
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
)

// Wish is what a page_flush point asks for.
type Wish struct {
	Cleaners, PageBytes, BatchPages int
	// Doublewrite is one of the plan's.
	Doublewrite string
	// PerSecond limits the pages of all cleaners; 0 does not.
	PerSecond   float64
	Seed        uint64
	IgnoreFloor bool
}

// Cleaners are the threads of one page_flush point, and what they hold.
type Cleaners struct {
	Each []load.Worker
	// BatchPages are fewer than wished for at a low limit.
	BatchPages int
	// Frames are the pages' memory.
	Frames *fileio.Frames

	own    []*cleaner
	areas  *fileio.Set
	totals *totals
}

// Open prepares cleaners that write pages of pool to set.
func Open(set *fileio.Set, pool *fileio.Pool, wish Wish) (*Cleaners, error) {
	wish.BatchPages = pacedBatch(wish.PerSecond, wish.BatchPages)
	opened := &Cleaners{BatchPages: wish.BatchPages, totals: &totals{}}
	files, areas, err := newAreas(wish, set.Directory())
	if err != nil {
		return nil, err
	}
	opened.areas = files
	if err := opened.takePages(set, pool, wish); err != nil {
		opened.Close()
		return nil, err
	}
	pace := newPace(wish.PerSecond, wish.BatchPages)
	for index := range wish.Cleaners {
		made, err := newCleaner(set, wish, index, opened.Frames.Of(index, wish.Cleaners))
		if err != nil {
			opened.Close()
			return nil, err
		}
		opened.own = append(opened.own, made)
		if err := made.doublewrite(areas[index], pool); err != nil {
			opened.Close()
			return nil, err
		}
		made.pace, made.totals = pace, opened.totals
		opened.Each = append(opened.Each, made)
	}
	return opened, nil
}

func (c *Cleaners) takePages(set *fileio.Set, pool *fileio.Pool, wish Wish) error {
	frames, err := pool.Take(wish.Cleaners*wish.BatchPages, wish.PageBytes)
	if err != nil {
		return err
	}
	c.Frames = frames
	return set.Ink(frames.Each...)
}

// Close gives everything back once the threads have ended.
func (c *Cleaners) Close() {
	for _, cleaner := range c.own {
		cleaner.close()
	}
	if c.areas != nil {
		c.areas.Close()
	}
	if c.Frames != nil {
		c.Frames.Free()
	}
}

// Totals tells what was done so far.
func (c *Cleaners) Totals() Totals { return c.totals.read() }
