package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/plan"
)

func prepareRandomRead(r *runner, point plan.Point) (*measurement, error) {
	return r.prepareRandom(point, func(operations uint64) events.Issued {
		return events.Issued{Reads: operations, ReadBytes: operations * uint64(point.BlockSizeBytes)}
	})
}

func prepareRandomWrite(r *runner, point plan.Point) (*measurement, error) {
	return r.prepareRandom(point, func(operations uint64) events.Issued {
		return events.Issued{Writes: operations, WrittenBytes: operations * uint64(point.BlockSizeBytes)}
	})
}

func (r *runner) prepareRandom(point plan.Point, issued func(operations uint64) events.Issued) (*measurement, error) {
	set, err := r.fileSet(point)
	if err != nil {
		return nil, err
	}
	workers, err := randomWorkers(set, r.pool(point), point)
	if err != nil {
		return nil, err
	}
	r.warnBuffered(point, set)
	return single(part{
		workers: workers.Each, frames: workers.Frames, direct: &set.Direct, issued: issued,
	}, workers.Free), nil
}

func randomWorkers(set *fileio.Set, pool *fileio.Pool, point plan.Point) (*fileio.Workers, error) {
	writing := point.Probe == plan.RandomWrite
	switch {
	case point.Touch != "":
		return set.Visitors(point.Touch, writing, pool, point.Threads, point.BlockSizeBytes, point.Seed)
	case writing:
		return set.Writers(pool, point.Threads, point.BlockSizeBytes, point.Seed)
	default:
		return set.Readers(pool, point.Threads, point.BlockSizeBytes, point.Seed)
	}
}
