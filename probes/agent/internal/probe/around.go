package probe

import (
	"os"
	"slices"
	"strings"
	"time"

	"leadline/agent/internal/calibrate"
	"leadline/agent/internal/canary"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/ioprio"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/watch"
)

// newHooks are those that a plan asks for.
func newHooks(wanted *plan.Plan) hooks {
	watcher := watch.New(wanted.Watch.PIDs)
	made := hooks{watch: func(point plan.Point) surroundings {
		own := directories(wanted, point)
		if len(own) == 0 {
			own = wanted.Watch.Directories
		}
		watcher.Begin(own)
		return around{watcher}
	}}
	if wanted.IOPriority != "" {
		made.prioritise = prioritise
	}
	if wanted.Calibrate != nil {
		made.calibrate = calibrated
	}
	if wanted.Guard != nil {
		made.guard = guarded
	}
	return made
}

// around is what a watcher sees during one point.
type around struct{ watcher *watch.Watcher }

func (a around) Sample(time.Duration) *events.Host { return a.watcher.Sample() }

func (a around) Details() map[string]any {
	details := map[string]any{}
	a.watcher.End(details)
	return details
}

// directories are those that a point works in; none for the server's probes.
func directories(wanted *plan.Plan, point plan.Point) []string {
	var found []string
	for _, leaf := range point.Leaves() {
		directory := leaf.Directory
		if set, ok := wanted.FileSet(leaf.FileSet); ok {
			directory = set.Directory
		}
		if directory != "" && !slices.Contains(found, directory) {
			found = append(found, directory)
		}
	}
	return found
}

func prioritise(r *runner) {
	if err := ioprio.Set(r.plan.IOPriority); err != nil {
		r.warn(plan.Point{}, events.IOPriority, err.Error()+"; the probe runs as others do")
		return
	}
	var all []string
	for _, set := range r.plan.FileSets {
		all = append(all, set.Directory)
	}
	for _, point := range r.plan.Points {
		all = append(all, directories(r.plan, point)...)
	}
	if ignored := ioprio.Ignored("/", all); len(ignored) > 0 {
		r.warn(plan.Point{}, events.IOPriority, "the I/O scheduler of "+strings.Join(ignored, ", ")+
			" does not look at priorities: the probe's I/O is served like that of others")
	}
}

func calibrated(r *runner) {
	found, sentence := calibrate.Run(r.plan.Calibrate)
	if sentence != "" {
		r.warn(plan.Point{}, events.NotCalibrated, sentence)
	}
	r.writer.Write(found)
	collect()
}

// farewell is how long the last words may wait for somebody who reads them.
const farewell = 250 * time.Millisecond

func guarded(r *runner) error {
	return canary.Start(r.plan.MySQL, r.plan.Guard, canary.Hooks{
		Report:    func(seen events.Canary) { r.writer.Write(seen) },
		StepBack:  r.stepBack,
		Recovered: r.truce.restore,
		Stop:      r.endFor,
	})
}

// stepBack ends what slows the server down, with the guard's sentence. What is said of it is written
// by another thread: whoever reads it must not hold up the watch.
func (r *runner) stepBack(sentence string) bool {
	if r.truce.hold() {
		go r.warn(plan.Point{}, events.SteppedBack, "files were filled more slowly because the server suffered: "+sentence)
		return true
	}
	return r.truce.stepBack(sentence, func() { r.endFor(canary.Suffered(sentence)) })
}

// endFor ends the plan because of the server, which must have its drive back even where nobody
// reads what is written.
func (r *runner) endFor(fault *faults.Fault) {
	time.AfterFunc(farewell, func() { os.Exit(1) })
	r.abort(fault)
}
