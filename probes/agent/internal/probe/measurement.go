package probe

import (
	"leadline/agent/internal/events"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// part is a group of threads that count together; what is nil is not known or not needed.
type part struct {
	// name is empty but for the parts of mixed.
	name    string
	workers []load.Worker
	// rows tells that the workers ask for rows.
	rows bool
	// frames are the memory of its blocks, nil where the page cache or a server stands between.
	frames *fileio.Frames
	// direct is nil where there is no file.
	direct *bool
	// issued tells what was asked of the drive so far, warm-up included, after that many operations.
	issued func(operations uint64) events.Issued
	// details are what this probe alone can tell, once its threads have ended.
	details func(result *load.Result) map[string]any
}

// measurement is a point's threads, ready to start. All but mixed have one part.
type measurement struct {
	parts []part
	free  func()
}

// A preparer makes a point ready. It warns of what is worth knowing by way of the runner.
type preparer func(r *runner, point plan.Point) (*measurement, error)

// preparers are all probes, one file each.
var preparers = map[string]preparer{
	plan.RandomRead:  prepareRandomRead,
	plan.RandomWrite: prepareRandomWrite,
	plan.SteadyWrite: prepareSteadyWrite,
	plan.RedoSync:    prepareRedoSync,
	plan.PageFlush:   preparePageFlush,
	plan.PointSelect: prepareMySQL,
	plan.PKUpdate:    prepareMySQL,
}

// single is a measurement of one part.
func single(one part, free func()) *measurement {
	return &measurement{parts: []part{one}, free: free}
}
