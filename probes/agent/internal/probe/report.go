package probe

import (
	"fmt"
	"maps"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

func (r *runner) warn(point plan.Point, code, message string) {
	r.writer.Write(events.Warning{Event: "warning", ID: point.ID, Code: code, Message: message})
}

// sampler writes samples. What the surroundings did goes with the first part's.
func (r *runner) sampler(point plan.Point, ready *measurement, around surroundings) func(int, load.Sample) {
	return func(index int, sample load.Sample) {
		var host *events.Host
		if around != nil && index == 0 {
			host = around.Sample(sample.Took)
		}
		r.writer.Write(events.Sample{
			Event:      "sample",
			ID:         point.ID,
			Part:       ready.parts[index].name,
			AtS:        rounded(sample.At.Seconds(), 3),
			Operations: sample.Operations,
			RatePerS:   rounded(float64(sample.Operations)/sample.Took.Seconds(), 1),
			P95US:      sample.P95US,
			P99US:      sample.P99US,
			Host:       host,
		})
	}
}

func (r *runner) results(
	point plan.Point, ready *measurement, results []*load.Result, around surroundings,
) error {
	var seen map[string]any
	if around != nil {
		seen = around.Details()
	}
	operations := uint64(0)
	for _, result := range results {
		operations += result.Counts.Operations
	}
	for index, result := range results {
		if result.ShortWrites > 0 {
			r.warn(point, events.ShortWrites,
				fmt.Sprintf("%d writes were cut short by the file system", result.ShortWrites))
		}
		written, err := pointEvent(point, ready.parts[index], result, operations)
		if err != nil {
			return err
		}
		maps.Copy(written.Details, seen)
		r.writer.Write(written)
	}
	return nil
}

// pointEvent puts one part's result into words; all is how many operations all parts did.
func pointEvent(point plan.Point, one part, result *load.Result, all uint64) (*events.Point, error) {
	histogram, err := result.Counts.Encode()
	if err != nil {
		return nil, err
	}
	return &events.Point{
		Event:            "point",
		ID:               point.ID,
		Part:             one.name,
		Threads:          len(one.workers),
		Seconds:          rounded(result.Measured.Seconds(), 6),
		WarmupSeconds:    rounded(result.Warmup.Seconds(), 6),
		EndedBy:          result.EndedBy,
		Operations:       result.Counts.Operations,
		RatePerS:         rounded(result.RatePerS(), 2),
		CI95PerS:         [2]float64{rounded(result.CI95PerS[0], 2), rounded(result.CI95PerS[1], 2)},
		Histogram:        histogram,
		CPUUserUSPerOp:   perOperation(result.CPU.User, all),
		CPUSystemUSPerOp: perOperation(result.CPU.System, all),
		Direct:           one.direct,
		Errors:           result.Errors,
		MissingRows:      result.MissingRows,
		Details:          details(one, result),
	}, nil
}

func details(one part, result *load.Result) map[string]any {
	all := map[string]any{
		"launch_s":        rounded(result.Launched.Seconds(), 4),
		"batches":         result.Estimate.Batches,
		"autocorrelation": rounded(result.Estimate.Autocorrelation, 3),
		"swing":           rounded(result.Estimate.Swing, 4),
	}
	if one.issued != nil {
		all["issued"] = result.Issued
	}
	if one.frames != nil {
		all["buffers"] = one.frames.Pages
		if one.frames.Pieces > 0 {
			all["pieces_per_block"] = rounded(one.frames.Pieces, 3)
		}
	}
	if one.details != nil {
		maps.Copy(all, one.details(result))
	}
	return all
}

// perOperation is in microseconds; 0 when nothing finished.
func perOperation(spent time.Duration, operations uint64) float64 {
	if operations == 0 {
		return 0
	}
	return rounded(float64(spent.Nanoseconds())/1000/float64(operations), 4)
}
