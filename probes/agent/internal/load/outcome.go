package load

import "leadline/agent/internal/latency"

// Outcome is what became of an operation. Each is counted in one place alone, that of its outcome:
// whatever is told of a stretch of time, all operations and those of one outcome are the same ones.
type Outcome uint8

// All but Done are only for parts that ask for rows.
const (
	// Done is an operation that did what it should.
	Done Outcome = iota
	// Missing is a question that was answered without a row.
	Missing
	// Failed is one that was ended by somebody, without harm to the connection.
	Failed
	outcomes
)

// tally is what had been counted until a moment, of all operations and of each outcome.
type tally struct {
	sum latency.Sum
	of  [outcomes]uint64
}

// take replaces t by what the part has counted until now.
func (t *tally) take(p *part) {
	t.sum = latency.Sum{}
	for outcome, each := range p.counts {
		if p.isOperation(Outcome(outcome)) {
			t.of[outcome] = t.sum.Add(each)
		} else {
			t.of[outcome] = latency.Total(each)
		}
	}
}
