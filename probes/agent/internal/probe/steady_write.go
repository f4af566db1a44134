package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/steadywrite"
)

func prepareSteadyWrite(r *runner, point plan.Point) (*measurement, error) {
	set, err := r.fileSet(point)
	if err != nil {
		return nil, err
	}
	writers, err := steadywrite.Open(set, r.pool(point), point.Threads, point.BlockSizeBytes, point.ByteLimit, point.Seed)
	if err != nil {
		return nil, err
	}
	r.warnBuffered(point, set)
	return single(part{
		workers: writers.Each,
		frames:  writers.Frames,
		direct:  &set.Direct,
		issued: func(operations uint64) events.Issued {
			return events.Issued{Writes: operations, WrittenBytes: operations * uint64(point.BlockSizeBytes)}
		},
	}, writers.Close), nil
}
