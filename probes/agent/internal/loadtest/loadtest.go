// Package loadtest lets workers loop in tests until they have done enough, however busy the machine is.
package loadtest

import (
	"runtime"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
)

// Longest is for runs that end by what they do or what happens to them: only go test itself loses
// patience.
const Longest = time.Hour

// Run lets the workers of a part loop until they have counted least operations after the warm-up.
func Run(part load.Part, warmup time.Duration, least uint64) (*load.Result, error) {
	counted := uint64(0)
	return run(part, load.Length{Warmup: warmup, Most: Longest}, load.Hooks{
		OnSample: func(_ int, sample load.Sample) {
			if sample.At > 0 {
				counted += sample.Operations
			}
		},
		Enough: func(events.Issued) bool { return counted >= least },
	})
}

// RunToTheEnd lets workers loop until they have done all there is to do, or fail. After every interval
// in which they have done something it calls working, which may be nil.
func RunToTheEnd(workers []load.Worker, working func()) (*load.Result, error) {
	return run(load.Part{Workers: workers}, load.Length{Most: Longest}, load.Hooks{
		OnSample: func(_ int, sample load.Sample) {
			if sample.Operations > 0 && working != nil {
				working()
			}
		},
	})
}

// run gives every worker a processor of the Go runtime, and some to the rest.
func run(part load.Part, length load.Length, hooks load.Hooks) (*load.Result, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(len(part.Workers) + 4))
	results, err := load.RunParts([]load.Part{part}, length, hooks)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}
