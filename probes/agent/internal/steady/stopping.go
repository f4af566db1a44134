package steady

// Stopping decides when enough has been measured.
type Stopping struct {
	within float64
	passes []int
}

// NewStopping wants the 95 % intervals of that many parts to have at most this half width.
func NewStopping(within float64, parts int) *Stopping {
	return &Stopping{within: within, passes: make([]int, parts)}
}

const needed = 2

// Look judges a part's slots.
func (s *Stopping) Look(part int, slots []float64) {
	estimate := Interval(slots[WarmUp(slots):])
	if estimate.HalfWidth <= s.within {
		s.passes[part]++
	} else {
		s.passes[part] = 0
	}
}

// Enough tells whether all parts are sure.
func (s *Stopping) Enough() bool {
	for _, passes := range s.passes {
		if passes < needed {
			return false
		}
	}
	return true
}
