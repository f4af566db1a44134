package load

import (
	"math"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/latency"
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
	w := &watch{run: r, began: r.timer.now(), cpu: cpuNow()}
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
	w.countAround()
	w.start = w.mark()
	if (w.length.Warmup == 0 && w.hooks.Around == nil) || w.over() {
		// There was no warm-up, or all was done in it: then all of it counts.
		w.start = w.began
		for _, part := range w.parts {
			*part.marks[0] = mark{at: w.began, cpu: w.cpu}
		}
	}
	// Only then is there time for other things: until it has an end, the run goes on.
	w.endBy(w.start + w.planned())
	w.stopping = steady.NewStopping(w.length.Within, len(w.parts))
	for index, part := range w.parts {
		first := part.marks[0]
		part.start = w.start
		part.series = steady.NewSeries(w.start, first.sum.Operations, slot.Nanoseconds())
		part.now = first.sum
		w.tell(index, part, w.start)
	}
}

// planned is how long to measure, in nanoseconds. What is counted around the threads has to be read
// while they work, so that the run then ends by that.
func (w *watch) planned() int64 {
	if w.hooks.Around != nil {
		return math.MaxInt64 - w.start
	}
	return w.length.Most.Nanoseconds()
}

// countAround lets somebody read what else is counted, at both ends of what is measured.
func (w *watch) countAround() {
	if w.hooks.Around == nil || w.over() {
		return
	}
	if err := w.hooks.Around(); err != nil {
		w.fail(err)
	}
}

// measure looks once a slot until the run is over.
func (w *watch) measure() {
	if w.hooks.Around != nil {
		w.napUntil(w.start + w.length.Most.Nanoseconds())
		w.countAround()
		w.endNow()
		return
	}
	// MSER-5 looks at five slots together.
	const perMark, perSample = steady.SlotsPerBatch, int64(Interval / slot)
	marked, sampled, step := int64(0), int64(0), int64(perMark)
	for slots := int64(0); w.napUntil(w.start + (slots+1)*slot.Nanoseconds()); {
		// Where this thread comes late, what lies between is not looked at slot by slot.
		slots = (w.timer.now() - w.start) / slot.Nanoseconds()
		w.look()
		if w.length.Within > 0 && slots-marked >= step {
			marked = slots - slots%step
			w.mark()
			if w.thin() {
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

// together returns the moment that belongs to what take has read, at the latest the end. On a host so
// busy that this thread had to wait in between they would not belong together: it tries again.
func (w *watch) together(take func()) int64 {
	const tries = 3
	const soon = 1_000_000
	var moment int64
	for range tries {
		begin := w.timer.now()
		take()
		took := w.timer.now() - begin
		moment = begin + took/2
		if took < soon {
			break
		}
	}
	return min(moment, w.until.Load())
}

// look adds what was counted until now to all parts' series.
func (w *watch) look() {
	for _, part := range w.parts {
		var total uint64
		at := w.together(func() { total = latency.Total(part.all) })
		part.series.Add(at, total)
	}
}

// mark remembers this moment in all parts as a possible end of the warm-up, and returns it.
func (w *watch) mark() int64 {
	made := make([]*mark, 0, 3)
	for _, part := range w.parts {
		made = append(made, part.newMark())
	}
	at := w.together(func() {
		for index, part := range w.parts {
			made[index].take(part)
		}
	})
	cpu := cpuNow()
	for _, mark := range made {
		mark.at, mark.cpu = at, cpu
	}
	return at
}

// thin is true when marks became too many, so that every other one was given up.
func (w *watch) thin() bool {
	thinned := false
	for _, part := range w.parts {
		thinned = part.thin() || thinned
	}
	return thinned
}

// decide ends the run once all parts are sure enough.
func (w *watch) decide() {
	if w.timer.now()-w.start < w.length.Least.Nanoseconds() {
		return
	}
	for index, part := range w.parts {
		w.stopping.Look(index, part.series, part.Memory)
	}
	if w.stopping.Enough() {
		w.sure = w.endNow()
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
		w.endNow()
	}
}

func (w *watch) over() bool { return w.timer.now() >= w.until.Load() }

// napUntil sleeps until moment, and returns false as soon as the run is over.
func (w *watch) napUntil(moment int64) bool {
	for {
		end, now := w.until.Load(), w.timer.now()
		if now >= end {
			return false
		}
		if now >= moment {
			return true
		}
		w.timer.nap(min(moment, end, now+slot.Nanoseconds()))
	}
}

// sample reports what every part has counted since its last sample.
func (w *watch) sample() {
	at := w.together(func() {
		for _, part := range w.parts {
			part.now.Take(part.all)
		}
	})
	for index, part := range w.parts {
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
