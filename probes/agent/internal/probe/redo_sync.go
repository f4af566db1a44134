package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/redo"
)

func prepareRedoSync(r *runner, point plan.Point) (*measurement, error) {
	log, err := r.redoLog(point)
	if err != nil {
		return nil, err
	}
	writer, err := log.NewWriter(point.BlockSizeBytes, point.Sync)
	if err != nil {
		return nil, err
	}
	one := part{workers: []load.Worker{writer}, issued: func(operations uint64) events.Issued {
		bytes := operations * uint64(point.BlockSizeBytes)
		return events.Issued{Writes: operations, WrittenBytes: bytes, Syncs: operations}
	}}
	if log.InMemory {
		one.direct = new(bool)
		r.warn(point, events.Buffered, "this directory lies in memory: there is nothing to sync to")
	}
	return single(one, writer.Close), nil
}

// redoLog makes the directory's log when the point is the first to use it.
func (r *runner) redoLog(point plan.Point) (*redo.Log, error) {
	if log, ok := r.logs[point.Directory]; ok {
		return log, nil
	}
	log, err := redo.Create(point.Directory, r.plan.IgnoreFloor)
	if err != nil {
		return nil, err
	}
	r.logs[point.Directory] = log
	return log, nil
}
