package load

import (
	"errors"
	"math"
	"testing"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/steady"
)

func TestPartsCountApartAllThatEndsInTime(t *testing.T) {
	processors(t, 8)
	sleepers := []*sleeper{{}, {}, {}}
	results, err := RunParts([]Part{
		{Workers: []Worker{sleepers[0], sleepers[1]}},
		{Workers: []Worker{sleepers[2]}, Issued: func(operations uint64) events.Issued {
			return events.Issued{Writes: operations, Syncs: 1}
		}},
	}, Length{Most: longest}, enough(20, 2))
	if err != nil {
		t.Fatal(err)
	}
	// The last operation of each thread came too late. It was issued all the same.
	if counted, done := results[0].Counts.Operations, sleepers[0].done+sleepers[1].done; counted != done-2 {
		t.Errorf("%d were done, and %d counted", done, counted)
	}
	if counted, done := results[1].Counts.Operations, sleepers[2].done; counted != done-1 {
		t.Errorf("%d were done, and %d counted", done, counted)
	}
	if wanted := (events.Issued{Writes: sleepers[2].done, Syncs: 1}); results[0].Issued != (events.Issued{}) || results[1].Issued != wanted {
		t.Errorf("%+v and %+v were issued", results[0].Issued, results[1].Issued)
	}
}

func TestWorkersThatHaveDoneAllEndTheRun(t *testing.T) {
	processors(t, 8)
	results, err := RunParts([]Part{
		{Workers: []Worker{&sleeper{most: 100}}},
		{Workers: []Worker{&sleeper{}}},
	}, Length{Most: longest}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	done := results[0]
	if done.EndedBy != events.EndedByBytes || results[1].EndedBy != events.EndedByBytes {
		t.Errorf("the parts ended by %s and %s", done.EndedBy, results[1].EndedBy)
	}
	if done.Counts.Operations != 100 || done.Measured < 100*time.Millisecond {
		t.Errorf("%d operations in %v", done.Counts.Operations, done.Measured)
	}
}

func TestWhatIsAllDoneInTheWarmUpCountsInFull(t *testing.T) {
	processors(t, 4)
	results, err := RunParts([]Part{{Workers: []Worker{&sleeper{most: 20}}}},
		Length{Warmup: longest, Most: longest}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if result := results[0]; result.Counts.Operations != 20 || result.Warmup != 0 || math.IsNaN(result.RatePerS()) {
		t.Errorf("%d operations after %v of warm-up", result.Counts.Operations, result.Warmup)
	}
}

func TestARunEndsWhenItHasCostEnough(t *testing.T) {
	processors(t, 8)
	most := events.Issued{}
	part := func() Part {
		return Part{Workers: []Worker{&sleeper{}}, Issued: func(operations uint64) events.Issued {
			return events.Issued{Reads: operations}
		}}
	}
	results, err := RunParts([]Part{part(), part()}, Length{Most: longest}, Hooks{
		Enough: func(issued events.Issued) bool {
			most = issued
			return issued.Reads > 300
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if both := results[0].Issued.Reads + results[1].Issued.Reads; most.Reads <= 300 || both < most.Reads {
		t.Errorf("it ended after %d of %d reads", most.Reads, both)
	}
	if results[0].EndedBy != events.EndedByTime {
		t.Errorf("it ended by %s", results[0].EndedBy)
	}
}

func TestMarksAreThinnedInALongRun(t *testing.T) {
	part := newPart(Part{Workers: []Worker{&sleeper{}}}, nil, nil)
	part.series = steady.NewSeries(0, 0, slot.Nanoseconds())
	for number := range int64(1000) {
		part.newMark().at = number * 50e6
		part.thin()
	}
	if len(part.marks) >= mostMarks || part.marks[0].at != 0 {
		t.Errorf("%d marks from %d on", len(part.marks), part.marks[0].at)
	}
	if got := part.markAt(900 * 50e6).at; got < 900*50e6 || got > 940*50e6 {
		t.Errorf("the mark for 45 s is at %d", got)
	}
	if got := part.markAt(1 << 60); got != part.marks[len(part.marks)-1] {
		t.Error("beyond the last mark there is another")
	}
}

func TestAFailureOfOnePartEndsAll(t *testing.T) {
	processors(t, 8)
	_, err := RunParts([]Part{
		{Workers: []Worker{&sleeper{}}},
		{Workers: []Worker{&sleeper{failAt: 30}}},
	}, Length{Most: longest}, Hooks{})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}
