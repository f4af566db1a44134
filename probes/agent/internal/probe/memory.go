package probe

import (
	"fmt"
	"strings"

	"leadline/agent/internal/plan"
	"leadline/agent/internal/steady"
)

// memory is what earlier points have shown of the same probe in the same place. A steady write
// remembers nothing: it is there to find a cliff, which is no swing.
func (r *runner) memory(point plan.Point, part string) *steady.Memory {
	if point.Probe == plan.SteadyWrite {
		return nil
	}
	leaf := point
	if part != "" {
		leaf = point.Parts[part]
	}
	set, _ := r.plan.FileSet(leaf.FileSet)
	key := strings.Join([]string{point.Probe, leaf.Probe, leaf.Directory, set.Directory, leaf.Table}, "\n")
	if r.memories[key] == nil {
		r.memories[key] = &steady.Memory{}
	}
	return r.memories[key]
}

// settingOf is the same text for points that differ in nothing but their time and seed.
func settingOf(point plan.Point) string {
	point.ID, point.Seed = "", 0
	point.Seconds, point.LeastSeconds, point.Within, point.WarmupSeconds = 0, 0, 0, 0
	return fmt.Sprintf("%+v", point)
}
