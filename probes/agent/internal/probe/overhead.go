package probe

import (
	"time"

	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// overheadNS measures what an operation costs beside the storage: the very loop of random_read,
// with the cheapest read that there is. 0 where that can't be measured.
func overheadNS() float64 {
	const briefly, longest = 20 * time.Millisecond, time.Second
	nothing, err := fileio.OpenNothing()
	if err != nil {
		return 0
	}
	defer nothing.Close()
	workers, err := nothing.Readers(fileio.NewPool(plan.HugePages), 1, 512, 1)
	if err != nil {
		return 0
	}
	defer workers.Free()
	// On a busy machine the worker may get no processor while it is counted: it is asked for longer.
	for measured := briefly; measured <= longest; measured *= 2 {
		result, err := load.Run(workers.Each, measured/4, measured, func(load.Sample) {})
		if err != nil {
			return 0
		}
		if result.Counts.Operations > 0 {
			return float64(result.Measured.Nanoseconds()) / float64(result.Counts.Operations)
		}
	}
	return 0
}
