package load

import (
	"runtime"
	"testing"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
)

// teller counts for itself what it does.
type teller struct {
	done uint64
	_    [64]byte
}

func (t *teller) Run(lane *Lane) error {
	begin := lane.Begin()
	for {
		time.Sleep(time.Millisecond)
		t.done++
		now := clock.Now()
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}

func TestWhatEndedTooLateWasIssuedAllTheSame(t *testing.T) {
	tellers := []*teller{{}, {}, {}}
	var workers []Worker
	for _, teller := range tellers {
		workers = append(workers, teller)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(len(workers) + 4))
	part := Part{Workers: workers, Issued: func(operations uint64) events.Issued {
		return events.Issued{Reads: operations}
	}}
	results, err := RunParts([]Part{part}, Length{Most: 100 * time.Millisecond}, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	done := uint64(0)
	for _, teller := range tellers {
		done += teller.done
	}
	if issued := results[0].Issued.Reads; issued != done {
		t.Errorf("%d were done, and %d issued", done, issued)
	}
	// On a busy machine the span may begin after an operation or two; each teller's last one ended after it.
	if counted := results[0].Counts.Operations; counted == 0 || counted > done-uint64(len(tellers)) {
		t.Errorf("%d were done, and %d counted", done, counted)
	}
}
