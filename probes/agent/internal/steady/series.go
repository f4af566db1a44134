// Package steady tells when a rate has settled, how well it is known, and when that is enough.
package steady

// mostSlots bounds a series: where more time passes, slots grow.
const mostSlots = 1280

// Series is how much was counted in slots of equal length, one after the other.
type Series struct {
	slot  int64
	slots []float64
	// at and total are the last reading, end the end of the slot under way, counted what it holds.
	at, end int64
	total   uint64
	counted float64
}

// NewSeries begins at a moment at which total had been counted, with slots of slotNS.
func NewSeries(at int64, total uint64, slotNS int64) *Series {
	return &Series{
		slot: slotNS, slots: make([]float64, 0, mostSlots), at: at, end: at + slotNS, total: total,
	}
}

// Add takes a later reading. What was counted between two readings is spread evenly over the time
// between them: readings need not fall on the ends of slots.
func (s *Series) Add(at int64, total uint64) {
	if at <= s.at || total < s.total {
		return
	}
	perNS := float64(total-s.total) / float64(at-s.at)
	for s.end <= at {
		s.counted += perNS * float64(s.end-s.at)
		s.at = s.end
		s.close()
	}
	s.counted += perNS * float64(at-s.at)
	s.at, s.total = at, total
}

// close ends the slot under way.
func (s *Series) close() {
	s.slots = append(s.slots, s.counted)
	s.counted = 0
	if len(s.slots) == mostSlots {
		for index := range mostSlots / 2 {
			s.slots[index] = s.slots[2*index] + s.slots[2*index+1]
		}
		s.slots = s.slots[:mostSlots/2]
		s.slot *= 2
	}
	s.end += s.slot
}

// Slot is the length of a slot in nanoseconds.
func (s *Series) Slot() int64 { return s.slot }

// Slots are the counts of all slots that are over. The next Add changes them.
func (s *Series) Slots() []float64 { return s.slots }
