package steady

// Before so much of a place has been seen, all points together, no point is sure: swings that take
// longer than a moment would not have shown.
const leastSeenSeconds = 3

// passesInARow is how often an interval has to be narrow enough, one look after the other: the
// first time is often chance, and looking often makes such chances many.
const passesInARow = 2

// Stopping decides when a point's parts are known well enough.
type Stopping struct {
	within float64
	passes []int
}

// NewStopping wants the 95 % intervals of so many parts to have at most this half width.
func NewStopping(within float64, parts int) *Stopping {
	return &Stopping{within: within, passes: make([]int, parts)}
}

// Look judges what a part has counted until now.
func (s *Stopping) Look(part int, series *Series, memory *Memory) {
	kept := series.Slots()[WarmUp(series.Slots()):]
	seen := memory.seconds + float64(len(kept))*seconds(series.Slot())
	if seen >= leastSeenSeconds && Interval(kept, series.Slot(), memory).HalfWidth <= s.within {
		s.passes[part]++
	} else {
		s.passes[part] = 0
	}
}

// Enough tells whether all parts are sure.
func (s *Stopping) Enough() bool {
	for _, passes := range s.passes {
		if passes < passesInARow {
			return false
		}
	}
	return true
}
