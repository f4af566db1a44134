package probe

import (
	"fmt"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

func (r *runner) warn(point plan.Point, code, message string) {
	r.writer.Write(events.Warning{Event: "warning", ID: point.ID, Code: code, Message: message})
}

func (r *runner) sample(point plan.Point, sample load.Sample) {
	r.writer.Write(events.Sample{
		Event:      "sample",
		ID:         point.ID,
		AtS:        rounded(sample.At.Seconds(), 3),
		Operations: sample.Operations,
		RatePerS:   rounded(float64(sample.Operations)/sample.Took.Seconds(), 1),
		P95US:      sample.P95US,
		P99US:      sample.P99US,
	})
}

func (r *runner) result(point plan.Point, ready *measurement, result *load.Result) error {
	if result.ShortWrites > 0 {
		r.warn(point, events.ShortWrites,
			fmt.Sprintf("%d writes were cut short by the file system", result.ShortWrites))
	}
	histogram, err := result.Counts.Encode()
	if err != nil {
		return err
	}
	operations := result.Counts.Operations
	r.writer.Write(events.Point{
		Event:            "point",
		ID:               point.ID,
		Threads:          point.Threads,
		Seconds:          result.Measured.Seconds(),
		Operations:       operations,
		RatePerS:         rounded(float64(operations)/result.Measured.Seconds(), 2),
		Histogram:        histogram,
		CPUUserUSPerOp:   perOperation(result.CPU.User, operations),
		CPUSystemUSPerOp: perOperation(result.CPU.System, operations),
		Direct:           ready.direct,
		Errors:           result.Errors,
		MissingRows:      result.MissingRows,
	})
	return nil
}

// perOperation is in microseconds; 0 when nothing finished.
func perOperation(spent time.Duration, operations uint64) float64 {
	if operations == 0 {
		return 0
	}
	return rounded(float64(spent.Nanoseconds())/1000/float64(operations), 4)
}
