package probe

import (
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
)

// surroundings sees what the device and the host do while a point runs.
type surroundings interface {
	// Sample tells what happened since the last call, or since the start; nil is unknown.
	Sample(took time.Duration) *events.Host
	// Details are added to those of the point, once its threads have ended.
	Details() map[string]any
}

// hooks are what else goes on while a plan is carried out; each may be nil.
type hooks struct {
	// prioritise lets the kernel serve others first, as the plan wishes.
	prioritise func(r *runner)
	// calibrate runs before the first point.
	calibrate func(r *runner)
	// guard begins to watch the server; it ends the plan by way of runner.abort.
	guard func(r *runner) error
	// watch begins to look just before a point's threads start.
	watch func(point plan.Point) surroundings
}
