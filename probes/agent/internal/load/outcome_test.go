package load

import (
	"math"
	"testing"
	"time"

	"leadline/agent/internal/clock"
)

// finder asks without a pause: every second question has no row, every tenth fails.
type finder struct{ asked int }

func (f *finder) Run(lane *Lane) error {
	begin := lane.Begin()
	for {
		f.asked++
		outcome := Done
		switch {
		case f.asked%2 == 0:
			outcome = Missing
		case f.asked%10 == 1:
			outcome = Failed
		}
		now := clock.Now()
		if !lane.CountAs(outcome, begin, now) {
			return nil
		}
		begin = now
	}
}

func TestOutcomesAreCountedOverTheSpanOfTheOperations(t *testing.T) {
	processors(t, 8)
	for _, length := range []Length{
		{Warmup: 200 * time.Millisecond, Most: 60 * time.Millisecond},
		{Warmup: 50 * time.Millisecond, Least: 300 * time.Millisecond, Most: time.Second, Within: 0.9},
		{Most: 60 * time.Millisecond},
	} {
		results, err := RunParts([]Part{{Workers: []Worker{&finder{}, &finder{}, &finder{}}, Rows: true}}, length, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		result := results[0]
		operations := float64(result.Counts.Operations)
		// The span's begin is no sharp moment: one outcome's histogram is read after the other's.
		for share, count := range map[float64]uint64{0.5: result.MissingRows, 0.1: result.Errors} {
			if apart := math.Abs(float64(count) - share*operations); apart > 0.1*share*operations+3 {
				t.Errorf("%+v: %d of %v operations where %v of all should be", length, count, operations, share)
			}
		}
		if result.MissingRows+result.Errors > result.Counts.Operations {
			t.Errorf("%+v: %+v", length, result)
		}
	}
}

func TestAPartThatAsksForNoRowsHasOneOutcome(t *testing.T) {
	for rows, want := range map[bool]int{false: 1, true: int(outcomes)} {
		part := newPart(Part{Workers: []Worker{&finder{}}, Rows: rows}, nil, nil)
		if len(part.all) != want {
			t.Errorf("%d histograms instead of %d", len(part.all), want)
		}
	}
}
