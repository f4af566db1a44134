package trace

import (
	"math"
	"math/bits"
	"time"

	"leadline/agent/internal/clock"
)

const (
	// finestStretch is how long a stretch is at first; a longer trace has longer ones.
	finestStretch = 500 * time.Millisecond
	mostStretches = 64
	// latencyClasses are two to a power of two, from 1 ns to more than the longest latency.
	latencyClasses = 76
)

// stretch is what one kind of request did within a part of the time.
type stretch struct {
	classes [latencyClasses]uint32
	bytes   uint64
	took    uint64
}

// course is what one kind of request did over time, stretch by stretch; later ones may be missing.
type course []stretch

// series cuts the time of a trace into stretches of one length, and keeps the courses in them.
type series struct {
	begun   int64
	stretch time.Duration
	courses []*course
	// recorded is for how long of each stretch events were recorded.
	recorded []time.Duration
	since    time.Duration
	on       bool
	// exact: events bear the time of the clock that begun is of.
	exact bool
}

func newSeries(begun int64) *series {
	return &series{begun: begun, stretch: finestStretch, exact: true}
}

// course is a new one.
func (s *series) course() *course {
	made := &course{}
	s.courses = append(s.courses, made)
	return made
}

// count adds a request that ended at a time of the trace's clock.
func (s *series) count(to *course, ended, took, bytes uint64) {
	at := s.now()
	if s.exact {
		at = time.Duration(int64(ended) - s.begun)
	}
	place := s.place(at)
	for len(*to) <= place {
		*to = append(*to, stretch{})
	}
	cell := &(*to)[place]
	cell.classes[classOfLatency(took)]++
	cell.bytes += bytes
	cell.took += took
}

func (s *series) now() time.Duration { return time.Duration(clock.Now() - s.begun) }

// place is the stretch that a time lies in, after there is room for it.
func (s *series) place(at time.Duration) int {
	for at >= mostStretches*s.stretch {
		s.widen()
	}
	return int(max(0, at) / s.stretch)
}

// widen makes one stretch of each two.
func (s *series) widen() {
	s.stretch *= 2
	for _, one := range s.courses {
		old := *one
		for at := range old {
			if at%2 == 0 {
				old[at/2] = old[at]
			} else {
				old[at/2].add(&old[at])
			}
		}
		*one = old[:(len(old)+1)/2]
	}
	for at, span := range s.recorded {
		if at%2 == 0 {
			s.recorded[at/2] = span
		} else {
			s.recorded[at/2] += span
		}
	}
	s.recorded = s.recorded[:(len(s.recorded)+1)/2]
}

func (c *stretch) add(other *stretch) {
	for class, count := range other.classes {
		c.classes[class] += count
	}
	c.bytes += other.bytes
	c.took += other.took
}

// record notes that events are recorded from now on, or no more.
func (s *series) record(on bool, now time.Duration) {
	if s.on {
		s.credit(s.since, now)
	}
	s.on, s.since = on, now
}

// credit divides a span in which events were recorded among its stretches.
func (s *series) credit(from, to time.Duration) {
	last := s.place(to)
	for len(s.recorded) <= last {
		s.recorded = append(s.recorded, 0)
	}
	for place := range s.recorded {
		begin, end := time.Duration(place)*s.stretch, time.Duration(place+1)*s.stretch
		if span := min(end, to) - max(begin, from); span > 0 {
			s.recorded[place] += span
		}
	}
}

// classOfLatency is twice the logarithm to the base of two, rounded down: class n begins at 2^(n/2) ns.
func classOfLatency(ns uint64) int {
	power := bits.Len64(max(1, ns)) - 1
	class := 2 * power
	if float64(ns) >= math.Sqrt2*float64(uint64(1)<<power) {
		class++
	}
	return min(class, latencyClasses-1)
}

// Series is what was seen over time, in stretches of one length.
type Series struct {
	Stretch  float64   `json:"stretch_s"`
	Recorded []float64 `json:"recorded_s"`
	Rows     []Row     `json:"rows"`
}

// Row is one operation of a device, or on the files of a role.
type Row struct {
	Device    string `json:"device,omitempty"`
	Role      Role   `json:"role,omitempty"`
	Operation string `json:"operation"`
	// Bytes and Took are of each stretch.
	Bytes []uint64  `json:"bytes"`
	Took  []float64 `json:"took_us"`
	// Cells are triples: a stretch, a class of latencies, and how many of it ended then.
	Cells [][3]uint64 `json:"cells"`
}

// row is what several courses did together.
func (s *series) row(courses []*course) Row {
	sum := make(course, len(s.recorded))
	for _, one := range courses {
		for at := range *one {
			// What ended while the last buffers were emptied counts as the end of the trace.
			sum[min(at, len(sum)-1)].add(&(*one)[at])
		}
	}
	made := Row{Bytes: make([]uint64, len(sum)), Took: make([]float64, len(sum)), Cells: [][3]uint64{}}
	for at := range sum {
		made.Bytes[at], made.Took[at] = sum[at].bytes, rounded(float64(sum[at].took)/1e3)
		for class, count := range sum[at].classes {
			if count > 0 {
				made.Cells = append(made.Cells, [3]uint64{uint64(at), uint64(class), uint64(count)})
			}
		}
	}
	return made
}
