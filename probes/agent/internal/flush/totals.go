package flush

import "sync/atomic"

// Totals are what all cleaners did so far, the warm-up included.
type Totals struct {
	Batches, Pages, Writes, WrittenBytes, Syncs uint64
	// Means of a batch, in microseconds. Waiting for a shared doublewrite area is part of the
	// doublewrite.
	DoublewriteUS, PagesUS, SyncUS float64
}

type totals struct {
	batches, pages, writes, bytes, syncs atomic.Uint64
	doublewriteNS, pagesNS, syncNS       atomic.Int64
}

func (t *totals) read() Totals {
	batches := t.batches.Load()
	mean := func(sum *atomic.Int64) float64 {
		return float64(sum.Load()) / 1000 / float64(max(1, batches))
	}
	return Totals{
		Batches: batches, Pages: t.pages.Load(), Writes: t.writes.Load(),
		WrittenBytes: t.bytes.Load(), Syncs: t.syncs.Load(),
		DoublewriteUS: mean(&t.doublewriteNS), PagesUS: mean(&t.pagesNS), SyncUS: mean(&t.syncNS),
	}
}
