package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/flush"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

func preparePageFlush(r *runner, point plan.Point) (*measurement, error) {
	set, err := r.fileSet(point)
	if err != nil {
		return nil, err
	}
	wish := flush.Wish{
		Cleaners: point.Threads, PageBytes: point.BlockSizeBytes, BatchPages: point.BatchPages,
		Doublewrite: point.Doublewrite, PerSecond: point.PerSecond, Seed: point.Seed,
		IgnoreFloor: r.plan.IgnoreFloor,
	}
	if err := r.afford(wish.AreaBytes()); err != nil {
		return nil, err
	}
	cleaners, err := flush.Open(set, r.pool(point), wish)
	if err != nil {
		return nil, err
	}
	r.warnBuffered(point, set)
	return single(part{
		workers: cleaners.Each,
		frames:  cleaners.Frames,
		direct:  &set.Direct,
		issued: func(uint64) events.Issued {
			all := cleaners.Totals()
			return events.Issued{Writes: all.Writes, WrittenBytes: all.WrittenBytes, Syncs: all.Syncs}
		},
		details: func(*load.Result) map[string]any {
			all := cleaners.Totals()
			return map[string]any{
				"flush_batches":  all.Batches,
				"batch_pages":    cleaners.BatchPages,
				"doublewrite_us": rounded(all.DoublewriteUS, 1),
				"pages_us":       rounded(all.PagesUS, 1),
				"sync_us":        rounded(all.SyncUS, 1),
			}
		},
	}, cleaners.Close), nil
}
