package probe

import (
	"encoding/json"
	"errors"
	"io"
	"sync"

	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
)

// incoming are the points that are still to be measured: those of the plan, and what further lines
// on standard input add.
type incoming struct {
	mutex  sync.Mutex
	points []plan.Point
	ended  bool
	// arrived holds a token after something has changed.
	arrived chan struct{}
}

func newIncoming(wanted *plan.Plan) *incoming {
	return &incoming{points: wanted.Points, ended: !wanted.More, arrived: make(chan struct{}, 1)}
}

// listen reads further lines until the other side is gone, and ends the process then: nobody is
// left to measure for. A line that can't be read ends the plan.
func (i *incoming) listen(wanted *plan.Plan, decoder *json.Decoder, in io.Reader, writer *events.Writer) {
	for wanted.More {
		added, err := wanted.ReadAddition(decoder)
		if errors.Is(err, io.EOF) {
			events.Stop()
		}
		if err != nil {
			fail(writer, err)
		}
		i.add(added)
		if added.End {
			break
		}
	}
	_, _ = io.Copy(io.Discard, in)
	events.Stop()
}

func (i *incoming) add(added *plan.Addition) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	i.points = append(i.points, added.Points...)
	i.ended = i.ended || added.End
	select {
	case i.arrived <- struct{}{}:
	default:
	}
}

// next takes the next point. Without one, more tells whether any may follow.
func (i *incoming) next() (point plan.Point, found, more bool) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if len(i.points) == 0 {
		return point, false, !i.ended
	}
	point, i.points = i.points[0], i.points[1:]
	return point, true, true
}

// left are the points that are known to follow.
func (i *incoming) left() []plan.Point {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	return i.points
}
