package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/plan"
)

func prepareRandomRead(r *runner, point plan.Point) (*measurement, error) {
	return r.prepareRandom(point, (*fileio.Set).Readers, func(operations uint64) events.Issued {
		return events.Issued{Reads: operations, ReadBytes: operations * uint64(point.BlockSizeBytes)}
	})
}

func prepareRandomWrite(r *runner, point plan.Point) (*measurement, error) {
	return r.prepareRandom(point, (*fileio.Set).Writers, func(operations uint64) events.Issued {
		return events.Issued{Writes: operations, WrittenBytes: operations * uint64(point.BlockSizeBytes)}
	})
}

func (r *runner) prepareRandom(
	point plan.Point,
	newWorkers func(set *fileio.Set, threads, blockBytes int, seed uint64) (*fileio.Workers, error),
	issued func(operations uint64) events.Issued,
) (*measurement, error) {
	set, err := r.fileSet(point)
	if err != nil {
		return nil, err
	}
	workers, err := newWorkers(set, point.Threads, point.BlockSizeBytes, point.Seed)
	if err != nil {
		return nil, err
	}
	r.warnBuffered(point, set)
	return single(part{workers: workers.Each, direct: &set.Direct, issued: issued}, workers.Free), nil
}
