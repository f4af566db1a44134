package trace

import (
	"cmp"
	"slices"
	"time"

	"leadline/agent/internal/latency"
	"leadline/agent/internal/reuse"
)

// Report is what a trace saw.
type Report struct {
	Seconds float64 `json:"seconds"`
	Events  uint64  `json:"events"`
	Lost    uint64  `json:"lost"`
	// Sampled is the share of the time in which events were recorded.
	Sampled float64 `json:"sampled"`
	OwnCPU  float64 `json:"own_cpu_s"`
	Blocks  []Block `json:"blocks,omitempty"`
	Calls   []Call  `json:"calls,omitempty"`
	Series  *Series `json:"series,omitempty"`
	// Pages are nil without calls.
	Pages *reuse.Report `json:"pages,omitempty"`
}

// Block is what requests of one kind and size took, from issue to completion.
type Block struct {
	Device    string `json:"device"`
	Operation string `json:"operation"`
	Bytes     uint64 `json:"bytes"`
	Count     uint64 `json:"count"`
	Histogram string `json:"histogram"`
}

// Call is what system calls of one kind took on files of one role.
type Call struct {
	Role      Role   `json:"role"`
	Call      string `json:"call"`
	Operation string `json:"operation"`
	Count     uint64 `json:"count"`
	Bytes     uint64 `json:"bytes"`
	Errors    uint64 `json:"errors,omitempty"`
	// Requests are those of asynchronous I/O that were submitted, or waited for.
	Requests  uint64 `json:"requests,omitempty"`
	Histogram string `json:"histogram"`
}

func (t *Trace) report(ended time.Duration) *Report {
	made := &Report{
		Seconds: rounded(ended.Seconds()), Events: t.events() + t.pageEvents(), Lost: t.lost,
		Sampled: rounded(t.pacer.sampled(ended)), OwnCPU: rounded((ownTime() - t.cpu).Seconds()),
	}
	if t.blocks != nil {
		made.Blocks = t.blockReports()
	}
	if t.calls != nil {
		made.Calls = t.callReports()
	}
	made.Series = t.seriesReport()
	if t.pages != nil {
		made.Pages = t.pages.distances.Report(t.calls.pageBytes)
	}
	return made
}

func (t *Trace) pageEvents() uint64 {
	if t.pages == nil {
		return 0
	}
	return t.pages.seen
}

func (t *Trace) blockReports() []Block {
	names := map[uint64]string{}
	for name, number := range t.request.Devices {
		names[number] = name
	}
	var all []Block
	for key, counts := range t.blocks.took {
		one := Block{Device: names[key.device], Operation: operations[key.op], Bytes: key.bytes}
		if one.Count, one.Histogram = encoded(counts); one.Count > 0 {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b Block) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Bytes, b.Bytes))
	})
	return all
}

func (t *Trace) callReports() []Call {
	var all []Call
	for key, totals := range t.calls.totals {
		watched := watchedCalls[key.call]
		one := Call{
			Role: key.role, Call: watched.name, Operation: watched.operation,
			Count: totals.count, Bytes: totals.result, Errors: totals.errors,
		}
		switch watched.operation {
		case opSync:
			one.Bytes = 0
		case opSubmit, opWait:
			one.Bytes, one.Requests = 0, totals.result
		}
		_, one.Histogram = encoded(&totals.took)
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Call) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Call, b.Call))
	})
	return all
}

func (t *Trace) seriesReport() *Series {
	made := &Series{Stretch: t.series.stretch.Seconds(), Rows: []Row{}}
	for _, span := range t.series.recorded {
		made.Recorded = append(made.Recorded, rounded(span.Seconds()))
	}
	if len(made.Recorded) == 0 {
		return nil
	}
	if t.blocks != nil {
		for name, number := range t.request.Devices {
			for op, operation := range operations {
				if followed := t.blocks.courses[courseKey{number, op}]; followed != nil {
					row := t.series.row([]*course{followed})
					row.Device, row.Operation = name, operation
					made.Rows = append(made.Rows, row)
				}
			}
		}
	}
	if t.calls != nil {
		made.Rows = append(made.Rows, t.calls.rows()...)
	}
	slices.SortFunc(made.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.Role, b.Role), cmp.Compare(a.Operation, b.Operation))
	})
	return made
}

// rows are what was done with the files of each role over time; what is submitted to be done later is
// left out.
func (c *calls) rows() []Row {
	type key struct {
		role      Role
		operation string
	}
	courses := map[key][]*course{}
	for each, totals := range c.totals {
		if isDirect(each.call) {
			// Their ends are not seen.
			continue
		}
		switch operation := watchedCalls[each.call].operation; operation {
		case opRead, opWrite, opSync:
			of := key{each.role, operation}
			courses[of] = append(courses[of], totals.course)
		}
	}
	var all []Row
	for of, its := range courses {
		row := c.series.row(its)
		row.Role, row.Operation = of.role, of.operation
		all = append(all, row)
	}
	return all
}

func encoded(counts *latency.Counts) (count uint64, histogram string) {
	var sum latency.Sum
	sum.Take([]*latency.Counts{counts})
	histogram, err := sum.Encode()
	if err != nil {
		return 0, ""
	}
	return sum.Operations, histogram
}
