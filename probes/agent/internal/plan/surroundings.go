package plan

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Priorities of the probing threads' I/O.
const (
	// PriorityIdle is served when nobody else wants the drive.
	PriorityIdle = "idle"
	// PriorityLow is the last of the best-effort class.
	PriorityLow = "low"
)

// mostCalibrations bounds how many sizes, and how many threads, are calibrated.
const mostCalibrations = 32

// Calibrate asks the prober to measure itself before the first point.
type Calibrate struct {
	// Directory lies in memory, or nothing is read in it.
	Directory  string `json:"directory"`
	BlockSizes []int  `json:"block_sizes"`
	Threads    []int  `json:"threads"`
}

// Guard tells how a live server is watched, and what it may suffer. A limit of 0 is none.
type Guard struct {
	Table          string  `json:"table"`
	EverySeconds   float64 `json:"every_seconds"`
	AddedUS        float64 `json:"added_us"`
	ThreadsRunning int     `json:"threads_running"`
	RowLockWaits   int     `json:"row_lock_waits"`
	// StepBacks is how often a point alone ends, and not the plan: its threads must have ended within
	// EndSeconds, and the server have recovered within RecoverSeconds.
	StepBacks      int     `json:"step_backs"`
	EndSeconds     float64 `json:"end_seconds"`
	RecoverSeconds float64 `json:"recover_seconds"`
}

// mostStepBacks bounds how often a server may be slowed down in one plan.
const mostStepBacks = 16

// Budget is what the whole plan may take; 0 is no limit.
type Budget struct {
	Seconds      float64 `json:"seconds"`
	ReadBytes    int64   `json:"read_bytes"`
	WrittenBytes int64   `json:"written_bytes"`
}

// Watch names what to sample beside the points' own devices.
type Watch struct {
	// Directories are where a server keeps its data: points that ask a server work on their devices.
	Directories []string `json:"directories"`
	PIDs        []int    `json:"pids"`
}

func (p *Plan) checkSurroundings() error {
	if p.Calibrate != nil {
		if err := p.Calibrate.check(); err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
	}
	if p.Guard != nil {
		if err := p.Guard.check(p.MySQL); err != nil {
			return fmt.Errorf("guard: %w", err)
		}
	}
	if !(p.Budget.Seconds >= 0) || p.Budget.ReadBytes < 0 || p.Budget.WrittenBytes < 0 {
		return errors.New("budget: no limit can be below 0")
	}
	switch p.IOPriority {
	case "", PriorityIdle, PriorityLow:
	default:
		return fmt.Errorf("io_priority must be idle or low, not %q", p.IOPriority)
	}
	return p.Watch.check()
}

func (w Watch) check() error {
	for _, directory := range w.Directories {
		if !filepath.IsAbs(directory) {
			return fmt.Errorf("watch: %q is no absolute path", directory)
		}
	}
	for _, pid := range w.PIDs {
		if pid < 1 {
			return fmt.Errorf("watch: %d is no process", pid)
		}
	}
	return nil
}

func (c *Calibrate) check() error {
	if !filepath.IsAbs(c.Directory) {
		return errors.New("the directory must be an absolute path")
	}
	if len(c.BlockSizes) > mostCalibrations || len(c.Threads) > mostCalibrations {
		return fmt.Errorf("at most %d sizes and %d threads are taken", mostCalibrations, mostCalibrations)
	}
	for _, bytes := range c.BlockSizes {
		if err := checkBlock(bytes, smallestBlockBytes, largestBlockBytes, true); err != nil {
			return err
		}
	}
	for _, threads := range c.Threads {
		if threads < 1 || threads > mostThreads {
			return fmt.Errorf("threads must be 1 to %d", mostThreads)
		}
	}
	return nil
}

func (g *Guard) check(mysql *MySQL) error {
	if _, err := mysql.table(g.Table); err != nil {
		return err
	}
	switch {
	case !(g.EverySeconds >= 0.01 && g.EverySeconds <= 10):
		return errors.New("every_seconds must be 0.01 to 10")
	case !(g.AddedUS >= 0) || g.ThreadsRunning < 0 || g.RowLockWaits < 0:
		return errors.New("no limit can be below 0")
	case g.StepBacks < 0 || g.StepBacks > mostStepBacks:
		return fmt.Errorf("step_backs must be 0 to %d", mostStepBacks)
	case g.StepBacks > 0 && !(min(g.EndSeconds, g.RecoverSeconds) > 0 && max(g.EndSeconds, g.RecoverSeconds) <= 600):
		return errors.New("end_seconds and recover_seconds must be above 0, and 600 at most")
	}
	return nil
}
