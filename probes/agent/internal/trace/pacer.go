package trace

import "time"

const (
	// affordable is how many events a second cost some 2 % of a core here and in the kernel together.
	affordable = 30_000
	// slice is how long events are recorded at a time where there are too many for all the time. What takes
	// a good part of it is seen too seldom.
	slice = 500 * time.Millisecond
	// longestPause keeps several slices within a watch.
	longestPause = 10 * time.Second
)

// pacer decides when to record: always where that is affordable, else in slices.
type pacer struct {
	on     bool
	since  time.Duration
	events uint64
	pause  time.Duration
	onFor  time.Duration
	offFor time.Duration
}

// decide is told the time since the start and how many events have come so far; it returns whether to
// record from now on.
func (p *pacer) decide(now time.Duration, events uint64) bool {
	passed := now - p.since
	switch {
	case p.on && passed >= slice:
		perS := float64(events-p.events) / passed.Seconds()
		p.onFor += passed
		p.since, p.events = now, events
		if perS > affordable {
			p.on = false
			p.pause = min(longestPause, time.Duration(float64(passed)*(perS/affordable-1)))
		}
	case !p.on && passed >= p.pause:
		p.offFor += passed
		p.on, p.since, p.events = true, now, events
	}
	return p.on
}

// sampled is the share of the time in which events were recorded, up to now.
func (p *pacer) sampled(now time.Duration) float64 {
	on, all := p.onFor, p.onFor+p.offFor+now-p.since
	if p.on {
		on += now - p.since
	}
	if all <= 0 {
		return 1
	}
	return on.Seconds() / all.Seconds()
}
