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
	"leadline/agent/internal/redo"
)

type runner struct {
	plan   *plan.Plan
	writer *events.Writer
	hooks  hooks
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
	if r.hooks.calibrate != nil {
		r.hooks.calibrate(r)
	}
	if r.hooks.guard != nil {
		if err := r.hooks.guard(r); err != nil {
			return report(r.writer, "", err)
		}
	}
	for index, point := range r.plan.Points {
		if err := r.runPoint(point); err != nil {
			if status := report(r.writer, point.ID, err); status != 0 {
				return status
			}
		}
		r.release(r.plan.Points[index+1:])
		collect()
	}
	r.writer.Write(events.Plain{Event: "done"})
	return 0
}

// abort ends the plan at once, from any goroutine: files have no names, so nothing is left.
func (r *runner) abort(fault *faults.Fault) {
	r.writer.Last(events.Error{Event: "error", Code: fault.Code, Message: fault.Message, Fatal: true}, 1)
}

// collect frees memory while no loop can see it: it waits for all threads, and would start one
// for every processor.
func collect() {
	runtime.GOMAXPROCS(spareProcessors)
	runtime.GC()
}

func (r *runner) runPoint(point plan.Point) error {
	ready, err := r.prepare(r.withinLimits(point))
	if err != nil {
		return err
	}
	r.writer.Write(events.PointStarted{Event: "point_started", ID: point.ID})
	results, around, err := r.measure(point, ready)
	// After a fatal fault threads may still be at work on what would be freed.
	if err == nil || !faults.Of(err).Fatal {
		defer ready.free()
	}
	if err != nil {
		return err
	}
	return r.results(point, ready, results, around)
}

// withinLimits takes as many threads as this host allows.
func (r *runner) withinLimits(point plan.Point) plan.Point {
	asked := point.AllThreads()
	allowed := limits.Threads(asked)
	if allowed < asked {
		r.warn(point, events.FewerThreads, fmt.Sprintf(
			"a limit on this host allows %d threads instead of %d", allowed, asked))
		point = point.WithThreads(allowed)
	}
	return point
}

func (r *runner) measure(point plan.Point, ready *measurement) ([]*load.Result, surroundings, error) {
	var parts []load.Part
	threads := 0
	for _, one := range ready.parts {
		parts = append(parts, load.Part{Workers: one.workers, Issued: one.issued})
		threads += len(one.workers)
	}
	// A loop's system calls keep their processor, so each thread needs one of its own.
	runtime.GOMAXPROCS(threads + spareProcessors)
	var around surroundings
	if r.hooks.watch != nil {
		around = r.hooks.watch(point)
	}
	results, err := load.RunParts(parts, length(point), load.Hooks{
		OnThread: r.hooks.onThread,
		OnSample: r.sampler(point, ready, around),
	})
	return results, around, err
}

func length(point plan.Point) load.Length {
	return load.Length{
		Warmup: seconds(point.WarmupSeconds),
		Least:  seconds(point.LeastSeconds),
		Most:   seconds(point.Seconds),
		Within: point.Within,
	}
}

func seconds(value float64) time.Duration { return time.Duration(value * float64(time.Second)) }
