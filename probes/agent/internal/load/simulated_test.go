package load

import (
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/steady"
)

// simulated is a run in a time of its own, which passes only while the thread that watches it waits.
// What its threads count is known to the operation, however busy the machine is.
type simulated struct {
	length Length
	// enough and around are the hooks; nil for none.
	enough func(events.Issued) bool
	around func() error
	// held is the reading of the time, by its number from 1 on, before which the watching thread is
	// kept waiting for heldUp; 0 never keeps it.
	held  int
	parts []simulatedPart

	at       int64
	gate     gate
	readings int
	// samples are those of each part.
	samples [][]Sample
}

const heldUp = 5 * time.Second

type simulatedPart struct {
	threads []*simulatedThread
	rows    bool
	// transactions as in Part.
	transactions bool
	memory       *steady.Memory
}

// simulatedThread does one operation after the other, each as long as every.
type simulatedThread struct {
	every time.Duration
	// outcome is that of an operation by its number from 0 on; nil for all Done.
	outcome func(number int) Outcome

	lane   *Lane
	at     int64
	number int
	ended  bool
}

func (s *simulated) now() int64 {
	if s.readings++; s.readings == s.held {
		s.nap(s.at + heldUp.Nanoseconds())
	}
	return s.at
}

func (s *simulated) nap(moment int64) {
	for _, part := range s.parts {
		for _, thread := range part.threads {
			if s.gate.state.Load() == 0 {
				thread.at = moment
			}
			thread.work(moment)
		}
	}
	s.at = moment
}

func (t *simulatedThread) work(moment int64) {
	for every := t.every.Nanoseconds(); !t.ended && t.at+every <= moment; t.at += every {
		outcome := Done
		if t.outcome != nil {
			outcome = t.outcome(t.number)
		}
		t.number++
		t.ended = !t.lane.CountAs(outcome, t.at, t.at+every)
	}
}

func (s *simulated) run() []*Result {
	s.at, s.samples = int64(time.Hour), make([][]Sample, len(s.parts))
	run := newRun(s, s.length, Hooks{
		OnSample: func(part int, sample Sample) { s.samples[part] = append(s.samples[part], sample) },
		Enough:   s.enough,
		Around:   s.around,
	})
	for _, simulating := range s.parts {
		asked := Part{
			Workers: make([]Worker, len(simulating.threads)), Rows: simulating.rows,
			Transactions: simulating.transactions, Memory: simulating.memory,
			Issued: func(operations uint64) events.Issued { return events.Issued{Reads: operations} },
		}
		part := newPart(asked, &run.until, &s.gate)
		run.parts = append(run.parts, part)
		for index, thread := range simulating.threads {
			thread.lane, thread.at = part.lanes[index], s.at
		}
	}
	return run.watch(&s.gate).results()
}

// sampled is how many operations samples of the measured time hold.
func sampled(samples []Sample) uint64 {
	sum := uint64(0)
	for _, sample := range samples {
		if sample.At > 0 {
			sum += sample.Operations
		}
	}
	return sum
}
