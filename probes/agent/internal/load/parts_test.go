package load

import (
	"errors"
	"math"
	"testing"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/steady"
)

// beat is a worker that does one operation every so often, and at most so many.
type beat struct {
	every time.Duration
	most  int
}

func (b *beat) Run(lane *Lane) error {
	begin := lane.Begin()
	for done := 0; b.most == 0 || done < b.most; done++ {
		time.Sleep(b.every)
		now := clock.Now()
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
	return nil
}

func TestPartsCountApart(t *testing.T) {
	processors(t, 8)
	samples := [2]int{}
	results, err := RunParts([]Part{
		{Workers: []Worker{&beat{every: time.Millisecond}, &beat{every: time.Millisecond}}},
		{Workers: []Worker{&beat{every: 10 * time.Millisecond}}, Issued: func(operations uint64) events.Issued {
			return events.Issued{Writes: operations, Syncs: 1}
		}},
	}, Length{Warmup: 100 * time.Millisecond, Most: 400 * time.Millisecond}, Hooks{
		OnSample: func(part int, _ Sample) { samples[part]++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	fast, slow := results[0], results[1]
	if fast.Counts.Operations <= slow.Counts.Operations || slow.Counts.Operations == 0 {
		t.Errorf("%d and %d operations were counted", fast.Counts.Operations, slow.Counts.Operations)
	}
	if samples[0] != samples[1] || samples[0] < 2 {
		t.Errorf("there were %v samples", samples)
	}
	if fast.Issued != (events.Issued{}) || slow.Issued.Writes < slow.Counts.Operations+1 || slow.Issued.Syncs != 1 {
		t.Errorf("%+v and %+v were issued", fast.Issued, slow.Issued)
	}
	for _, result := range results {
		if result.EndedBy != events.EndedByTime || result.Measured < 390*time.Millisecond {
			t.Errorf("a part ended by %s after %v", result.EndedBy, result.Measured)
		}
		if result.CI95PerS[0] > result.RatePerS() || result.CI95PerS[1] < result.RatePerS() {
			t.Errorf("the interval of %v is %v", result.RatePerS(), result.CI95PerS)
		}
	}
}

func TestWorkersThatHaveDoneAllEndTheRun(t *testing.T) {
	processors(t, 8)
	results, err := RunParts([]Part{
		{Workers: []Worker{&beat{every: time.Millisecond, most: 100}}},
		{Workers: []Worker{&beat{every: time.Millisecond}}},
	}, Length{Most: time.Hour}, Hooks{})
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
	results, err := RunParts([]Part{{Workers: []Worker{&beat{every: time.Millisecond, most: 20}}}},
		Length{Warmup: 30 * time.Second, Most: time.Minute}, Hooks{})
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
		return Part{Workers: []Worker{&beat{every: time.Millisecond}}, Issued: func(operations uint64) events.Issued {
			return events.Issued{Reads: operations}
		}}
	}
	results, err := RunParts([]Part{part(), part()}, Length{Most: time.Minute}, Hooks{
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

func TestARunEndsWhenAllPartsAreSure(t *testing.T) {
	processors(t, 8)
	memory := &steady.Memory{}
	length := Length{Warmup: 20 * time.Millisecond, Least: 400 * time.Millisecond, Most: time.Minute, Within: 0.9}
	for range 2 {
		results, err := RunParts([]Part{{
			Workers: []Worker{&beat{every: time.Millisecond}}, Memory: memory, Setting: "beat",
		}}, length, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		last := results[0]
		if last.EndedBy != events.EndedByInterval || last.Warmup < length.Warmup || last.Estimate.HalfWidth > 1.2 {
			t.Errorf("it ended by %s after %v and %v with %+v", last.EndedBy, last.Warmup, last.Measured, last.Estimate)
		}
		if took := last.Warmup + last.Measured; took < length.Least {
			t.Errorf("it took %v", took)
		}
	}
}

func TestMarksAreThinnedInALongRun(t *testing.T) {
	part := newPart(Part{Workers: []Worker{&beat{}}}, nil, nil)
	part.series = steady.NewSeries(0, 0, slot.Nanoseconds())
	for number := range int64(1000) {
		part.mark().at = number * 50e6
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
		{Workers: []Worker{&beat{every: time.Millisecond}}},
		{Workers: []Worker{&sleeper{failAfter: 30}}},
	}, Length{Most: time.Minute}, Hooks{})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}
