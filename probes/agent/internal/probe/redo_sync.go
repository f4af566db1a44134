package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/redo"
)

func prepareRedoSync(r *runner, point plan.Point) (*measurement, error) {
	log, binlog, free, err := r.logsFor(point)
	if err != nil {
		return nil, err
	}
	committers, err := log.Open(point.Threads, point.BlockSizeBytes, point.Sync, binlog)
	if err != nil {
		free()
		return nil, err
	}
	one := part{
		workers: committers.Each,
		issued:  func(uint64) events.Issued { return redoIssued(point, committers) },
		details: func(*load.Result) map[string]any { return redoDetails(committers) },
	}
	if log.InMemory {
		one.direct = new(bool)
		r.warn(point, events.Buffered, "this directory lies in memory: there is nothing to sync to")
	}
	return single(one, func() {
		committers.Close()
		free()
	}), nil
}

// logsFor returns the point's log, and its binlog where it has one. Logs that grow are the point's
// own, and given back by free.
func (r *runner) logsFor(point plan.Point) (log, binlog *redo.Log, free func(), err error) {
	var own []*redo.Log
	free = func() {
		for _, one := range own {
			one.Close()
		}
	}
	grow := func() (*redo.Log, error) {
		one, err := redo.CreateGrowing(point.Directory, r.plan.IgnoreFloor)
		if err == nil {
			own = append(own, one)
		}
		return one, err
	}
	if point.Log == plan.Growing {
		log, err = grow()
	} else {
		log, err = r.redoLog(point)
	}
	if err == nil && point.Binlog {
		binlog, err = grow()
	}
	if err != nil {
		free()
	}
	return log, binlog, free, err
}

// redoLog makes the directory's log when the point is the first to use it.
func (r *runner) redoLog(point plan.Point) (*redo.Log, error) {
	if log, ok := r.logs[point.Directory]; ok {
		return log, nil
	}
	if err := r.afford(redo.LogBytes); err != nil {
		return nil, err
	}
	log, err := redo.Create(point.Directory, r.plan.IgnoreFloor)
	if err != nil {
		return nil, err
	}
	r.logs[point.Directory] = log
	return log, nil
}

// afford takes what writing so many bytes before a point costs from the budget, where that is left.
func (r *runner) afford(bytes int64) error {
	filling := events.Issued{WrittenBytes: uint64(bytes)}
	if limit := r.budget.usedUp(filling); limit != "" {
		return overBudget{limit}
	}
	r.budget.charge(filling)
	return nil
}

func redoIssued(point plan.Point, committers *redo.Committers) events.Issued {
	commits, syncs := committers.Totals()
	files := uint64(1)
	if point.Binlog {
		files = 2
	}
	return events.Issued{
		Writes:       syncs * files,
		WrittenBytes: commits * files * uint64(point.BlockSizeBytes),
		Syncs:        syncs * files,
	}
}

func redoDetails(committers *redo.Committers) map[string]any {
	commits, syncs := committers.Totals()
	return map[string]any{
		"syncs":            syncs,
		"commits_per_sync": rounded(float64(commits)/float64(max(1, syncs)), 3),
	}
}
