// Package plan reads and checks what the agent is asked to measure.
package plan

import (
	"encoding/json"
	"fmt"
	"io"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
)

// Plan is everything to measure, in order, and what to mind meanwhile.
type Plan struct {
	Protocol  int        `json:"protocol"`
	FileSets  []FileSet  `json:"file_sets"`
	MySQL     *MySQL     `json:"mysql"`
	Calibrate *Calibrate `json:"calibrate"`
	Guard     *Guard     `json:"guard"`
	Budget    Budget     `json:"budget"`
	// IOPriority is one of the priorities, "" for the usual one.
	IOPriority string  `json:"io_priority"`
	Watch      Watch   `json:"watch"`
	Points     []Point `json:"points"`
	// More announces further points on later lines.
	More bool `json:"more"`
	// IgnoreFloor allows filling a file system further than is safe; for memory file systems.
	IgnoreFloor bool `json:"ignore_floor"`
}

// Read takes one plan from decoder and checks it whole, so that nothing fails half-way which
// could have been told before. Without any plan the error is io.EOF.
func Read(decoder *json.Decoder) (*Plan, error) {
	decoder.DisallowUnknownFields()
	var plan Plan
	if err := decoder.Decode(&plan); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, bad(fmt.Errorf("no plan could be read: %w", err))
	}
	if plan.Protocol != events.Protocol {
		return nil, bad(fmt.Errorf("the plan speaks protocol %d, this agent %d", plan.Protocol, events.Protocol))
	}
	if err := plan.check(); err != nil {
		return nil, bad(err)
	}
	return &plan, nil
}

// Addition is a later line of a plan that announced more.
type Addition struct {
	Points []Point `json:"points"`
	End    bool    `json:"end"`
}

// ReadAddition takes the next line; io.EOF when there is none any more.
func (p *Plan) ReadAddition(decoder *json.Decoder) (*Addition, error) {
	var addition Addition
	if err := decoder.Decode(&addition); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, bad(fmt.Errorf("further points could not be read: %w", err))
	}
	if err := p.checkPoints(addition.Points); err != nil {
		return nil, bad(err)
	}
	return &addition, nil
}

func bad(err error) error { return faults.Fatal(faults.BadPlan, "%v", err) }

func (p *Plan) check() error {
	known := map[string]bool{}
	for index := range p.FileSets {
		set := &p.FileSets[index]
		set.complete()
		if err := set.check(); err != nil {
			return fmt.Errorf("file set %q: %w", set.ID, err)
		}
		if known[set.ID] {
			return fmt.Errorf("file set %q is there twice", set.ID)
		}
		known[set.ID] = true
	}
	if p.MySQL != nil {
		if err := p.MySQL.Check(); err != nil {
			return fmt.Errorf("mysql: %w", err)
		}
	}
	if err := p.checkSurroundings(); err != nil {
		return err
	}
	return p.checkPoints(p.Points)
}

func (p *Plan) checkPoints(points []Point) error {
	for index := range points {
		points[index].complete()
		if err := points[index].check(p); err != nil {
			return fmt.Errorf("point %q: %w", points[index].ID, err)
		}
	}
	return nil
}

// FileSet returns the set of that id.
func (p *Plan) FileSet(id string) (FileSet, bool) {
	for _, set := range p.FileSets {
		if set.ID == id {
			return set, true
		}
	}
	return FileSet{}, false
}
