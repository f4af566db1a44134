package load

import (
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/latency"
	"leadline/agent/internal/steady"
)

// Sample is what was seen within one interval; At counts from the end of the planned warm-up.
type Sample struct {
	At         time.Duration
	Took       time.Duration
	Operations uint64
	P95US      float64
	P99US      float64
}

// Result is what a part measured after its warm-up.
type Result struct {
	// Launched is how long it took until all threads were there; then Warmup was cut off, and
	// Measured is what remained.
	Launched time.Duration
	Warmup   time.Duration
	Measured time.Duration
	EndedBy  string
	Counts   *latency.Sum
	CPU      CPU
	CI95PerS [2]float64
	Estimate steady.Estimate
	// Issued is what the part asked of the drive, the warm-up included.
	Issued events.Issued
	// Errors and MissingRows are some of the operations in Counts; Errors of transactions are beside them.
	Errors, MissingRows uint64
	// ShortWrites are those of the whole run.
	ShortWrites uint64
}

// RatePerS is the part's rate over the measured time.
func (r *Result) RatePerS() float64 {
	if r.Measured <= 0 {
		return 0
	}
	return float64(r.Counts.Operations) / r.Measured.Seconds()
}

// results reports the last sample and what all parts measured, once no thread is at work any more.
func (w *watch) results() []*Result {
	end := w.until.Load()
	for index, part := range w.parts {
		part.now.Take(part.all)
		part.series.Add(end, part.now.Operations)
		w.tell(index, part, end)
	}
	cut := w.cut()
	var results []*Result
	for _, part := range w.parts {
		results = append(results, w.result(part, part.markAt(cut), end))
	}
	return results
}

// cut is when the warm-up was over for all parts.
func (w *watch) cut() int64 {
	latest := w.start
	if w.length.Within == 0 {
		return latest
	}
	for _, part := range w.parts {
		cut := int64(steady.WarmUp(part.series.Slots()))
		latest = max(latest, w.start+cut*part.series.Slot())
	}
	return latest
}

func (w *watch) result(part *part, from *mark, end int64) *Result {
	var all tally
	all.take(part)
	result := &Result{
		Launched: w.launched,
		Warmup:   time.Duration(from.at - w.began),
		Measured: time.Duration(end - from.at),
		EndedBy:  w.endedBy(),
		Counts:   &latency.Sum{},
		CPU:      w.cpu.minus(from.cpu),
		Issued:   part.issued(all.sum.Operations + part.late()),

		Errors:      all.of[Failed] - from.of[Failed],
		MissingRows: all.of[Missing] - from.of[Missing],
	}
	result.Counts.Subtract(&all.sum, &from.sum)
	cut := (from.at - w.start + part.series.Slot()/2) / part.series.Slot()
	kept := part.series.Slots()[min(int(cut), len(part.series.Slots())):]
	estimate := steady.Interval(kept, part.series.Slot(), part.Memory)
	part.Memory.Learn(part.Setting, kept, part.series.Slot())
	result.Estimate, result.CI95PerS = estimate, estimate.Bounds(result.RatePerS())
	for _, lane := range part.lanes {
		result.ShortWrites += lane.ShortWrites
	}
	return result
}

func (w *watch) endedBy() string {
	switch {
	case w.finished.Load():
		return events.EndedByBytes
	case w.sure:
		return events.EndedByInterval
	default:
		return events.EndedByTime
	}
}
