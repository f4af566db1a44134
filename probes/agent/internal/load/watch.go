package load

import (
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/steady"
)

// Interval is the time between two samples.
const Interval = 200 * time.Millisecond

// slot is the shortest time that is told apart in the series that intervals are made of.
const slot = 10 * time.Millisecond

// watch is what the thread that watches a run knows.
type watch struct {
	*run
	// began is when the threads were let go, start the end of the planned warm-up.
	began, start int64
	stopping     *steady.Stopping
	// sure tells that the run was ended because its intervals are narrow enough.
	sure bool
	// cpu is what had been spent when the threads were let go, and then when they ended.
	cpu CPU
}

// watch lets the threads go, looks at what they count, and tells them when to end.
func (r *run) watch(gate *gate) *watch {
	becomePrompt()
	w := &watch{run: r, began: clock.Now(), cpu: cpuNow()}
	w.start = w.began + r.length.Warmup.Nanoseconds()
	for _, part := range r.parts {
		part.start, part.sampledAt = w.start, w.began
	}
	gate.open()
	w.warmUp()
	w.begin()
	w.measure()
	w.cpu = cpuNow()
	return w
}

// warmUp samples on whole intervals before the start of measuring.
func (w *watch) warmUp() {
	step := Interval.Nanoseconds()
	first := w.start - (w.start-w.began)/step*step
	for boundary := first; boundary < w.start; boundary += step {
		if w.napUntil(boundary) {
			w.sample()
		}
	}
	w.napUntil(w.start)
}

// begin starts measuring. What was asked is measured in full from now on, however late this
// thread has seen the planned warm-up end.
func (w *watch) begin() {
	for index, part := range w.parts {
		first := part.mark()
		if w.over() {
			// All was done before: then all of it counts.
			*first = mark{at: w.began, cpu: w.cpu}
		}
		part.start = first.at
		part.series = steady.NewSeries(first.at, first.sum.Operations, slot.Nanoseconds())
		part.now = first.sum
		w.tell(index, part, first.at)
	}
	w.start = w.parts[0].start
	w.endBy(w.start + w.length.Most.Nanoseconds())
	w.stopping = steady.NewStopping(w.length.Within, len(w.parts))
}

// measure looks once a slot until the run is over.
func (w *watch) measure() {
	// MSER-5 looks at five slots together.
	const perMark, perSample = steady.SlotsPerBatch, int64(Interval / slot)
	marked, sampled, step := int64(0), int64(0), int64(perMark)
	for slots := int64(0); w.napUntil(w.start + (slots+1)*slot.Nanoseconds()); {
		// Where this thread comes late, what lies between is not looked at slot by slot.
		slots = (clock.Now() - w.start) / slot.Nanoseconds()
		for _, part := range w.parts {
			part.look()
		}
		if w.length.Within > 0 && slots-marked >= step {
			marked = slots - slots%step
			if w.mark() {
				step *= 2
			}
			w.decide()
		}
		if slots-sampled >= perSample {
			sampled = slots - slots%perSample
			w.sample()
			w.mindBudget()
		}
	}
}

// mark remembers this moment in all parts; true when marks became too many, so that every other
// one was given up.
func (w *watch) mark() bool {
	thinned := false
	for _, part := range w.parts {
		part.mark()
		thinned = part.thin()
	}
	return thinned
}

// decide ends the run once all parts are sure enough.
func (w *watch) decide() {
	if clock.Now()-w.start < w.length.Least.Nanoseconds() {
		return
	}
	for index, part := range w.parts {
		w.stopping.Look(index, part.series, part.Memory)
	}
	if w.stopping.Enough() {
		w.sure = w.endBy(clock.Now())
	}
}

// mindBudget ends the run when somebody says that it has cost enough.
func (w *watch) mindBudget() {
	if w.hooks.Enough == nil {
		return
	}
	var all events.Issued
	for _, part := range w.parts {
		all = all.Plus(part.issued(part.sampled.Operations))
	}
	if w.hooks.Enough(all) {
		w.endBy(clock.Now())
	}
}

func (w *watch) over() bool { return clock.Now() >= w.until.Load() }

// napUntil sleeps until moment, and returns false as soon as the run is over.
func (w *watch) napUntil(moment int64) bool {
	for {
		end, now := w.until.Load(), clock.Now()
		if now >= end {
			return false
		}
		if now >= moment {
			return true
		}
		nap(min(moment, end, now+slot.Nanoseconds()))
	}
}

// sample reports what every part has counted since its last sample.
func (w *watch) sample() {
	for index, part := range w.parts {
		at := together(func() { part.now.Take(part.all) })
		w.tell(index, part, at)
	}
}

// tell reports part.now as what had been counted at that moment; too short an interval is left to
// the next sample.
func (w *watch) tell(index int, part *part, at int64) {
	took := at - part.sampledAt
	if took < Interval.Nanoseconds()/4 {
		return
	}
	part.since.Subtract(&part.now, &part.sampled)
	part.sampled, part.now = part.now, part.sampled
	part.sampledAt = at
	if w.hooks.OnSample == nil {
		return
	}
	w.hooks.OnSample(index, Sample{
		At:         time.Duration(at - part.start),
		Took:       time.Duration(took),
		Operations: part.since.Operations,
		P95US:      part.since.PercentileUS(95),
		P99US:      part.since.PercentileUS(99),
	})
}
