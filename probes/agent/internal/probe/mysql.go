package probe

import (
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

// prepareMySQL opens the connections of point_select and pk_update.
func prepareMySQL(r *runner, point plan.Point) (*measurement, error) {
	clients, err := pointselect.Open(r.plan.MySQL, point, point.Threads)
	if err != nil {
		return nil, err
	}
	return single(part{workers: clients.Each, rows: true}, clients.Close), nil
}
