package probe

import (
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/plan"
)

// fileSet makes the point's files when it is the first to use them.
func (r *runner) fileSet(point plan.Point) (*fileio.Set, error) {
	if set, ok := r.sets[point.FileSet]; ok {
		return set, nil
	}
	if err, ok := r.refused[point.FileSet]; ok {
		return nil, err
	}
	// The plan was checked: every point's set is there.
	wanted, _ := r.plan.FileSet(point.FileSet)
	if limit := r.budget.usedUp(fillingOf(wanted)); limit != "" {
		return nil, overBudget{limit}
	}
	begin := time.Now()
	r.truce.fill()
	defer r.truce.filled()
	set, err := fileio.CreateResting(wanted, r.plan.IgnoreFloor, func(stage string, done, total int64) {
		r.writer.Write(events.Preparing{
			Event: "preparing", FileSet: point.FileSet, Stage: stage, DoneBytes: done, TotalBytes: total,
		})
	}, r.truce.breathe)
	if err != nil {
		r.refused[point.FileSet] = err
		return nil, err
	}
	r.sets[point.FileSet] = set
	r.budget.charge(fillingOf(wanted))
	r.writer.Write(events.Prepared{
		Event: "prepared", FileSet: point.FileSet, Direct: set.Direct,
		Seconds: rounded(time.Since(begin).Seconds(), 3),
	})
	return set, nil
}

// fillingOf is what it takes to make a file set.
func fillingOf(set plan.FileSet) events.Issued {
	var issued events.Issued
	if set.Content != plan.Sparse {
		issued.WrittenBytes = uint64(set.TotalBytes())
	}
	if *set.Settle {
		issued.ReadBytes = uint64(set.TotalBytes())
	}
	return issued
}

// warnBuffered tells where the page cache takes part.
func (r *runner) warnBuffered(point plan.Point, set *fileio.Set) {
	if !set.Direct {
		r.warn(point, events.Buffered,
			"O_DIRECT is not possible here: memory takes part in what was measured")
	}
}

// release gives back what no point that is left needs; where more are announced, nothing.
func (r *runner) release(left []plan.Point) {
	if r.plan.More {
		return
	}
	sets, logs := map[string]bool{}, map[string]bool{}
	for _, point := range left {
		for _, leaf := range point.Leaves() {
			sets[leaf.FileSet] = true
			logs[leaf.Directory] = true
		}
	}
	for id, set := range r.sets {
		if !sets[id] {
			set.Close()
			delete(r.sets, id)
		}
	}
	for directory, log := range r.logs {
		if !logs[directory] {
			log.Close()
			delete(r.logs, directory)
		}
	}
}
