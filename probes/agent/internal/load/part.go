package load

import (
	"runtime"
	"sync/atomic"

	"leadline/agent/internal/events"
	"leadline/agent/internal/latency"
	"leadline/agent/internal/steady"
)

// Histograms are shared where there are many threads: at any moment no more of them count than
// there are processors, and a few histograms for each let them seldom meet.
const (
	histogramsPerProcessor = 4
	fewestHistograms       = 8
	mostHistograms         = 64
)

// mostMarks bounds the moments that are kept as possible ends of the warm-up.
const mostMarks = 128

// Part is a group of threads that count together.
type Part struct {
	Workers []Worker
	// Rows tells that the workers ask for rows: then outcomes other than Done may be counted.
	Rows bool
	// Transactions tells that operations are transactions, and that one which failed is none: it is told
	// by Errors alone, and its time by nothing.
	Transactions bool
	// Issued tells what the part has asked of the drive so far, the warm-up included; operations
	// is how many it has counted, and once the run is over those too that ended after it. nil where
	// there is no drive.
	Issued func(operations uint64) events.Issued
	// Memory is what earlier points have shown of this probe in this place; nil remembers nothing.
	// Setting is alike for points that repeat one another.
	Memory  *steady.Memory
	Setting string
}

// part is a running one.
type part struct {
	Part
	lanes []*Lane
	// counts are apart for each outcome; all are those of all outcomes that are operations.
	counts [outcomes][]*latency.Counts
	all    []*latency.Counts
	// start is the end of the planned warm-up; the series begins there.
	start  int64
	series *steady.Series
	// marks are moments at which the warm-up may be cut, in their order, the same ones for all parts;
	// the first is the end of the planned one.
	marks []*mark
	// unused are marks that were given up; no garbage is collected while threads measure.
	unused []*mark
	// sampled is what had been counted at the last sample; now and since are scratch.
	sampled, now, since latency.Sum
	sampledAt           int64
}

// mark is what had been counted and spent at a moment.
type mark struct {
	at int64
	tally
	cpu CPU
}

func newPart(asked Part, until *atomic.Int64, gate *gate) *part {
	made := &part{Part: asked}
	if made.Memory == nil {
		made.Memory = &steady.Memory{}
	}
	made.histograms()
	for index := range asked.Workers {
		lane := &Lane{until: until, gate: gate}
		for outcome, counts := range made.counts {
			if len(counts) > 0 {
				lane.counts[outcome] = counts[index%len(counts)]
			}
		}
		made.lanes = append(made.lanes, lane)
	}
	return made
}

// histograms makes those that the threads count in; the rarer outcomes have one each for all threads.
func (p *part) histograms() {
	many := min(mostHistograms, max(fewestHistograms, histogramsPerProcessor*runtime.NumCPU()))
	for range min(many, len(p.Workers)) {
		p.counts[Done] = append(p.counts[Done], &latency.Counts{})
	}
	for outcome := Done + 1; p.Rows && outcome < outcomes; outcome++ {
		p.counts[outcome] = []*latency.Counts{{}}
	}
	for outcome, counts := range p.counts {
		if p.isOperation(Outcome(outcome)) {
			p.all = append(p.all, counts...)
		}
	}
}

func (p *part) isOperation(outcome Outcome) bool { return outcome != Failed || !p.Transactions }

// newMark has room for one more moment.
func (p *part) newMark() *mark {
	var made *mark
	if last := len(p.unused) - 1; last >= 0 {
		made, p.unused = p.unused[last], p.unused[:last]
	} else {
		made = &mark{}
	}
	p.marks = append(p.marks, made)
	return made
}

// thin gives up every other mark where there are too many; true when it did.
func (p *part) thin() bool {
	if len(p.marks) < mostMarks {
		return false
	}
	kept := p.marks[:0]
	for index, mark := range p.marks {
		if index%2 == 0 {
			kept = append(kept, mark)
		} else {
			p.unused = append(p.unused, mark)
		}
	}
	p.marks = kept
	return true
}

// markAt returns the first mark that is not before moment, or nearly; the last one at the latest.
func (p *part) markAt(moment int64) *mark {
	for _, mark := range p.marks {
		if mark.at+p.series.Slot()/2 >= moment {
			return mark
		}
	}
	return p.marks[len(p.marks)-1]
}

// late is how many operations ended after the run.
func (p *part) late() uint64 {
	sum := uint64(0)
	for _, lane := range p.lanes {
		sum += lane.late
	}
	return sum
}

// issued is what the part asked of the drive until now.
func (p *part) issued(operations uint64) events.Issued {
	if p.Issued == nil {
		return events.Issued{}
	}
	return p.Issued(operations)
}
