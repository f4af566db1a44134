package probe

import (
	"errors"
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
	"leadline/agent/internal/steady"
)

type runner struct {
	plan     *plan.Plan
	writer   *events.Writer
	incoming *incoming
	budget   *budget
	hooks    hooks
	sets     map[string]*fileio.Set
	// refused remembers why a set can't be made, so that no later point fills the disk again.
	refused map[string]error
	logs    map[string]*redo.Log
	// pools are the memory of blocks, by how it lies.
	pools map[string]*fileio.Pool
	// memories are what points have shown of each probe in each place.
	memories map[string]*steady.Memory
	truce    *truce
}

func newRunner(wanted *plan.Plan, writer *events.Writer) *runner {
	return &runner{
		plan:     wanted,
		writer:   writer,
		incoming: newIncoming(wanted),
		budget:   newBudget(wanted.Budget),
		hooks:    newHooks(wanted),
		sets:     map[string]*fileio.Set{},
		refused:  map[string]error{},
		logs:     map[string]*redo.Log{},
		pools:    map[string]*fileio.Pool{},
		memories: map[string]*steady.Memory{},
		truce:    newTruce(wanted.Guard),
	}
}

// runAll measures all points in order, those that are added meanwhile too, and returns the exit
// status.
func (r *runner) runAll() int {
	if err := r.begin(); err != nil {
		fault := *faults.Of(err)
		fault.Fatal = true
		return report(r.writer, "", &fault)
	}
	for {
		point, found := r.nextPoint()
		if !found {
			break
		}
		err := r.withinBudget(point)
		if over := (overBudget{}); errors.As(err, &over) {
			r.leaveOut(over.limit, len(r.incoming.left())+1)
			break
		}
		if err != nil {
			if status := report(r.writer, point.ID, err); status != 0 {
				return status
			}
			r.awaitRecovery(err)
		}
		r.release(r.incoming.left())
		collect()
	}
	r.writer.Write(events.Plain{Event: "done"})
	return 0
}

// begin does what comes before the first point; an error is fatal.
func (r *runner) begin() error {
	if r.hooks.prioritise != nil {
		r.hooks.prioritise(r)
	}
	if r.hooks.calibrate != nil {
		r.hooks.calibrate(r)
	}
	if r.hooks.guard != nil {
		return r.hooks.guard(r)
	}
	return nil
}

// withinBudget measures a point unless nothing is left to do it with.
func (r *runner) withinBudget(point plan.Point) error {
	if limit := r.budget.usedUp(events.Issued{}); limit != "" {
		return overBudget{limit}
	}
	return r.runPoint(point)
}

// pool is the memory that a point's blocks lie in; all points that ask for one kind share it.
func (r *runner) pool(point plan.Point) *fileio.Pool {
	if r.pools[point.Buffers] == nil {
		r.pools[point.Buffers] = fileio.NewPool(point.Buffers)
	}
	return r.pools[point.Buffers]
}

// nextPoint waits where more points were announced; false when there are none any more.
func (r *runner) nextPoint() (plan.Point, bool) {
	for waiting := false; ; waiting = true {
		point, found, more := r.incoming.next()
		if found || !more {
			return point, found
		}
		if !waiting {
			r.writer.Write(events.Plain{Event: "waiting"})
		}
		<-r.incoming.arrived
	}
}

// abort ends the plan at once, from any goroutine: files have no names, so nothing is left.
func (r *runner) abort(err error) { fail(r.writer, err) }

// collect frees memory while no loop can see it: it waits for all threads, and would start one
// for every processor.
func collect() {
	runtime.GOMAXPROCS(spareProcessors)
	runtime.GC()
}

func (r *runner) runPoint(point plan.Point) error {
	point = r.withinLimits(point)
	if err := r.fitsMemory(point); err != nil {
		return err
	}
	if err := r.truce.prepare(); err != nil {
		return err
	}
	defer r.truce.rest()
	prepared := r.whilePreparing(len(r.incoming.left()) + 1)
	// The plan was checked: its probes are all there.
	ready, err := preparers[point.Probe](r, point)
	prepared()
	if err != nil {
		return err
	}
	// On a busy host the time may have run out without its timer.
	if limit := r.budget.usedUp(events.Issued{}); limit != "" {
		ready.free()
		return overBudget{limit}
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

// fitsMemory refuses a point for whose threads this host does not allow the memory: the kernel would
// end the process, or Go would.
func (r *runner) fitsMemory(point plan.Point) error {
	needed := int64(0)
	for _, leaf := range point.Leaves() {
		// A page cleaner holds a batch, all others one block.
		blocks := int64(max(1, leaf.BatchPages))
		needed += int64(leaf.Threads) * (limits.BytesPerThread + blocks*int64(leaf.BlockSizeBytes))
	}
	lacking := limits.Memory(needed)
	if lacking > 0 {
		return faults.New(faults.Limits, "a memory limit on this host is too low for %d threads: %d MiB are lacking",
			point.AllThreads(), lacking>>20+1)
	}
	return nil
}

func (r *runner) measure(point plan.Point, ready *measurement) ([]*load.Result, surroundings, error) {
	var parts []load.Part
	threads := 0
	for _, one := range ready.parts {
		parts = append(parts, load.Part{
			Workers: one.workers, Rows: one.rows, Issued: one.issued,
			Memory: r.memory(point, one.name), Setting: settingOf(point),
		})
		threads += len(one.workers)
	}
	// A loop's system calls keep their processor, so each thread needs one of its own.
	runtime.GOMAXPROCS(threads + spareProcessors)
	var around surroundings
	if r.hooks.watch != nil {
		around = r.hooks.watch(point)
	}
	results, err := load.RunParts(parts, length(point), load.Hooks{
		OnLaunch: r.truce.launch,
		OnSample: r.sampler(point, ready, around),
		Enough:   r.budget.enough,
	})
	r.truce.rest()
	for _, result := range results {
		r.budget.charge(result.Issued)
	}
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
