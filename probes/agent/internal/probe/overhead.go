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
	const briefly = 20 * time.Millisecond
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
	result, err := load.Run(workers.Each, briefly/4, briefly, func(load.Sample) {})
	if err != nil || result.Counts.Operations == 0 {
		return 0
	}
	return float64(result.Measured.Nanoseconds()) / float64(result.Counts.Operations)
}
