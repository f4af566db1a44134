package probe

import (
	"fmt"
	"runtime"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/limits"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
	"leadline/agent/internal/redo"
)

type runner struct {
	plan   *plan.Plan
	writer *events.Writer
	sets   map[string]*fileio.Set
	// refused remembers why a set can't be made, so that no later point fills the disk again.
	refused map[string]error
	logs    map[string]*redo.Log
}

func newRunner(wanted *plan.Plan, writer *events.Writer) *runner {
	return &runner{
		plan:    wanted,
		writer:  writer,
		sets:    map[string]*fileio.Set{},
		refused: map[string]error{},
		logs:    map[string]*redo.Log{},
	}
}

// runAll measures all points in order and returns the exit status.
func (r *runner) runAll() int {
	for index, point := range r.plan.Points {
		if err := r.runPoint(point); err != nil {
			if status := report(r.writer, point.ID, err); status != 0 {
				return status
			}
		}
		r.release(index)
		collect()
	}
	r.writer.Write(events.Done{Event: "done"})
	return 0
}

// collect frees memory while no loop can see it: it waits for all threads, and would start one
// for every processor.
func collect() {
	runtime.GOMAXPROCS(spareProcessors)
	runtime.GC()
}

// measurement is a point's threads, ready to start.
type measurement struct {
	workers []load.Worker
	// direct is nil where there is no file.
	direct *bool
	free   func()
}

func (r *runner) runPoint(point plan.Point) error {
	threads := limits.Threads(point.Threads)
	if threads < point.Threads {
		r.warn(point, events.FewerThreads, fmt.Sprintf(
			"a limit on this host allows %d threads instead of %d", threads, point.Threads))
		point.Threads = threads
	}
	ready, err := r.prepare(point)
	if err != nil {
		return err
	}
	r.writer.Write(events.PointStarted{Event: "point_started", ID: point.ID})
	// A loop's system calls keep their processor, so each thread needs one of its own.
	runtime.GOMAXPROCS(point.Threads + spareProcessors)
	result, err := load.Run(ready.workers, seconds(point.WarmupSeconds), seconds(point.Seconds),
		func(sample load.Sample) { r.sample(point, sample) })
	// After a fatal fault threads may still be at work on what would be freed.
	if err == nil || !faults.Of(err).Fatal {
		ready.free()
	}
	if err != nil {
		return err
	}
	return r.result(point, ready, result)
}

func seconds(value float64) time.Duration { return time.Duration(value * float64(time.Second)) }

func (r *runner) prepare(point plan.Point) (*measurement, error) {
	switch point.Probe {
	case plan.RedoSync:
		return r.prepareRedo(point)
	case plan.PointSelect:
		return r.prepareSelect(point)
	default:
		return r.prepareFiles(point)
	}
}

func (r *runner) prepareFiles(point plan.Point) (*measurement, error) {
	set, err := r.fileSet(point)
	if err != nil {
		return nil, err
	}
	newWorkers := set.Readers
	if point.Probe == plan.RandomWrite {
		newWorkers = set.Writers
	}
	workers, err := newWorkers(point.Threads, point.BlockSizeBytes, point.Seed)
	if err != nil {
		return nil, err
	}
	if !set.Direct {
		r.warn(point, events.Buffered,
			"O_DIRECT is not possible here: memory takes part in what was measured")
	}
	return &measurement{workers.Each, &set.Direct, workers.Free}, nil
}

// fileSet makes the point's files when it is the first to use them.
func (r *runner) fileSet(point plan.Point) (*fileio.Set, error) {
	if set, ok := r.sets[point.FileSet]; ok {
		return set, nil
	}
	if err, ok := r.refused[point.FileSet]; ok {
		return nil, err
	}
	begin := time.Now()
	set, err := fileio.Create(r.wantedSet(point.FileSet), r.plan.IgnoreFloor,
		func(stage string, done, total int64) {
			r.writer.Write(events.Preparing{
				Event: "preparing", FileSet: point.FileSet, Stage: stage, DoneBytes: done, TotalBytes: total,
			})
		})
	if err != nil {
		r.refused[point.FileSet] = err
		return nil, err
	}
	r.sets[point.FileSet] = set
	r.writer.Write(events.Prepared{
		Event: "prepared", FileSet: point.FileSet, Direct: set.Direct,
		Seconds: rounded(time.Since(begin).Seconds(), 3),
	})
	return set, nil
}

func (r *runner) wantedSet(id string) plan.FileSet {
	for _, set := range r.plan.FileSets {
		if set.ID == id {
			return set
		}
	}
	// The plan was checked: every point's set is there.
	panic("no file set " + id)
}

func (r *runner) prepareRedo(point plan.Point) (*measurement, error) {
	log, ok := r.logs[point.Directory]
	if !ok {
		var err error
		if log, err = redo.Create(point.Directory, r.plan.IgnoreFloor); err != nil {
			return nil, err
		}
		r.logs[point.Directory] = log
	}
	writer, err := log.NewWriter(point.BlockSizeBytes, point.Sync)
	if err != nil {
		return nil, err
	}
	ready := &measurement{[]load.Worker{writer}, nil, writer.Close}
	if log.InMemory {
		ready.direct = new(bool)
		r.warn(point, events.Buffered, "this directory lies in memory: there is nothing to sync to")
	}
	return ready, nil
}

func (r *runner) prepareSelect(point plan.Point) (*measurement, error) {
	clients, err := pointselect.Open(r.plan.MySQL, point, point.Threads)
	if err != nil {
		return nil, err
	}
	return &measurement{clients.Each, nil, clients.Close}, nil
}

// release gives back the files that no point after index needs.
func (r *runner) release(index int) {
	for id, set := range r.sets {
		if r.plan.LastUse(id) <= index {
			set.Close()
			delete(r.sets, id)
		}
	}
	for directory, log := range r.logs {
		if r.plan.LastRedo(directory) <= index {
			log.Close()
			delete(r.logs, directory)
		}
	}
}
