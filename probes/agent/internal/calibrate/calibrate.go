// Package calibrate finds out what the prober itself costs and can do on this machine, so that
// nobody takes its own limits for those of a drive.
package calibrate

import (
	"runtime"
	"slices"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/limits"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

const (
	// slice is how long each measurement takes; shortest where there are many.
	slice, shortest = 50 * time.Millisecond, 10 * time.Millisecond
	// altogether is what they may take together, and atMost where threads are slow to start: what is
	// not measured by then is left out.
	altogether, atMost = 800 * time.Millisecond, 2 * time.Second
	// spareProcessors serve what else this process does.
	spareProcessors = 8
)

// Run measures the prober. What could not be measured is left out of the answer, and said in a
// sentence where that was not to be expected.
func Run(asked *plan.Calibrate) (found events.Calibrated, sentence string) {
	found = events.Calibrated{
		Event:       "calibrated",
		Processors:  processors("/"),
		WakeupUS:    map[int]float64{},
		CeilingPerS: map[int]map[int]float64{},
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	trial := &trial{
		processors: found.Processors,
		length:     min(slice, max(shortest, altogether/time.Duration(1+len(asked.Threads)*(1+len(asked.BlockSizes))))),
		until:      time.Now().Add(atMost),
		// No drive is at work: whatever memory is quickest had shows what the prober can do.
		pool: fileio.NewPool(plan.HugePages),
	}
	levels := trial.levels(asked.Threads)
	for _, threads := range levels {
		if delay, ok := trial.wakeup(threads); ok {
			found.WakeupUS[threads] = delay
		}
	}
	if !inMemory(asked.Directory) {
		return found, ""
	}
	if err := trial.ceilings(asked, levels, found.CeilingPerS); err != nil {
		sentence = "how fast the prober can be was not measured: " + err.Error()
	}
	return found, sentence
}

// trial is a series of short measurements.
type trial struct {
	processors int
	length     time.Duration
	pool       *fileio.Pool
	until      time.Time
}

// levels are the numbers of threads that this host allows, ascending: each one's threads serve the
// next one again.
func (t *trial) levels(asked []int) []int {
	levels := slices.Compact(slices.Sorted(slices.Values(asked)))
	return slices.DeleteFunc(levels, func(threads int) bool {
		return limits.Threads(threads) < threads || limits.Memory(int64(threads)*limits.BytesPerThread) > 0
	})
}

// run lets workers loop for a moment; false when there is no time left for it.
func (t *trial) run(workers []load.Worker) (*load.Result, bool, error) {
	if time.Now().After(t.until) {
		return nil, false, nil
	}
	runtime.GOMAXPROCS(len(workers) + spareProcessors)
	result, err := load.Run(workers, t.length/10, t.length, func(load.Sample) {})
	return result, err == nil, err
}

// ceilings are the rates of random_read where no drive is.
func (t *trial) ceilings(asked *plan.Calibrate, levels []int, found map[int]map[int]float64) error {
	bytes, err := fileBytes(asked.Directory, threadBytes(asked.BlockSizes, levels))
	if err != nil {
		return err
	}
	settle := false
	set, err := fileio.Create(plan.FileSet{
		Directory: asked.Directory, Files: 1, BytesPerFile: bytes, Settle: &settle,
	}, true, func(string, int64, int64) {})
	if err != nil {
		return err
	}
	defer set.Close()
	for _, blockBytes := range asked.BlockSizes {
		found[blockBytes] = map[int]float64{}
		for _, threads := range levels {
			rate, ok, err := t.ceiling(set, threads, blockBytes)
			if err != nil {
				return err
			}
			if ok {
				found[blockBytes][threads] = rate
			}
		}
	}
	return nil
}

func (t *trial) ceiling(set *fileio.Set, threads, blockBytes int) (float64, bool, error) {
	workers, err := set.Readers(t.pool, threads, blockBytes, 1)
	if err != nil {
		return 0, false, err
	}
	defer workers.Free()
	result, ok, err := t.run(workers.Each)
	if !ok || result.Counts.Operations == 0 {
		return 0, false, err
	}
	return float64(int64(max(result.RatePerS(), t.undisturbed(result, threads)))), true, nil
}

// undisturbed is the rate of threads that have their processors to themselves: what else keeps
// those busy for a moment is no limit of the prober's.
func (t *trial) undisturbed(result *load.Result, threads int) float64 {
	took := result.CPU.User + result.CPU.System
	if took <= 0 {
		return 0
	}
	return float64(result.Counts.Operations) / took.Seconds() * float64(min(threads, t.processors))
}
