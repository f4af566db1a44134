package probe

import (
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

func preparePointSelect(r *runner, point plan.Point) (*measurement, error) {
	clients, err := pointselect.Open(r.plan.MySQL, point, point.Threads)
	if err != nil {
		return nil, err
	}
	return single(part{workers: clients.Each}, clients.Close), nil
}
