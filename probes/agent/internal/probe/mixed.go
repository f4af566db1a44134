package probe

import "leadline/agent/internal/plan"

// Mixed prepares other probes, so it can't be listed among them from the start.
func init() { preparers[plan.Mixed] = prepareMixed }

// prepareMixed makes all parts ready, each by its own probe; their threads then start together.
func prepareMixed(r *runner, point plan.Point) (*measurement, error) {
	all := &measurement{}
	var frees []func()
	all.free = func() {
		for _, free := range frees {
			free()
		}
	}
	for _, name := range plan.PartNames {
		asked, ok := point.Parts[name]
		if !ok {
			continue
		}
		asked.ID = point.ID
		ready, err := preparers[asked.Probe](r, asked)
		if err != nil {
			all.free()
			return nil, err
		}
		frees = append(frees, ready.free)
		for _, one := range ready.parts {
			one.name = name
			all.parts = append(all.parts, one)
		}
	}
	return all, nil
}
