package load

import (
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/latency"
)

// watcher turns counts that only grow into samples. It keeps its memory, because no garbage is
// collected while threads measure.
type watcher struct {
	counts             []*latency.Counts
	now, before, since latency.Sum
	at                 int64
	onSample           func(Sample)
}

// watch reports samples until the end or a failure, and returns the CPU that measuring took.
func (r *run) watch() CPU {
	step := Interval.Nanoseconds()
	begin := clock.Now()
	warm := r.watchers((*part).warmups, begin)
	// Boundaries lie on whole intervals around the end of the warm-up.
	first := r.start - (r.start-begin)/step*step
	for boundary := first; boundary <= r.start; boundary += step {
		if !r.sleepUntil(boundary) {
			return CPU{}
		}
		sampleAll(warm, r.start, r.start)
	}
	cpu := cpuNow()
	main := r.watchers((*part).counted, r.start)
	for boundary := r.start + step; boundary <= r.end; boundary += step {
		if !r.sleepUntil(boundary) {
			return CPU{}
		}
		sampleAll(main, r.start, r.end)
	}
	r.sleepUntil(r.end)
	spent := cpuNow().minus(cpu)
	if main[0].at < r.end {
		sampleAll(main, r.start, r.end)
	}
	return spent
}

func (r *run) watchers(counts func(*part) []*latency.Counts, at int64) []*watcher {
	var all []*watcher
	for index, part := range r.parts {
		all = append(all, &watcher{counts: counts(part), at: at, onSample: func(sample Sample) {
			if r.hooks.OnSample != nil {
				r.hooks.OnSample(index, sample)
			}
		}})
	}
	return all
}

func sampleAll(watchers []*watcher, start, phaseEnd int64) {
	for _, watcher := range watchers {
		watcher.sample(start, phaseEnd)
	}
}

// sleepUntil returns false when the run failed meanwhile.
func (r *run) sleepUntil(moment int64) bool {
	timer := time.NewTimer(time.Duration(moment - clock.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.failed:
		return false
	}
}

// sample reports what was counted since the last one. Nothing is counted after the phase's end.
func (w *watcher) sample(start, phaseEnd int64) {
	now := min(w.take(), phaseEnd)
	took := now - w.at
	if took < Interval.Nanoseconds()/4 {
		return
	}
	w.since.Subtract(&w.now, &w.before)
	w.onSample(Sample{
		At:         time.Duration(now - start),
		Took:       time.Duration(took),
		Operations: w.since.Operations,
		P95US:      w.since.PercentileUS(95),
		P99US:      w.since.PercentileUS(99),
	})
	w.now, w.before = w.before, w.now
	w.at = now
}

// take adds up what was counted until the moment that it returns. On a host so busy that this
// thread had to wait in between, counts and moment would not belong together: it tries again.
func (w *watcher) take() int64 {
	const tries = 3
	var moment int64
	for range tries {
		begin := clock.Now()
		w.now.Take(w.counts)
		took := clock.Now() - begin
		moment = begin + took/2
		if took < Interval.Nanoseconds()/20 {
			break
		}
	}
	return moment
}
