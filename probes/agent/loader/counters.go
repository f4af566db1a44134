package main

import (
	"slices"
	"strconv"
	"strings"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
	"leadline/agent/internal/watch"
)

// What the server itself counts: statements, and ends of transactions.
const (
	questions = "Questions"
	commits   = "Com_commit"
	rollbacks = "Com_rollback"
)

// counters are read by a connection of their own, and from the kernel.
type counters struct {
	session *pointselect.Session
	ask     string
	meter   *watch.Meter
}

// reading is what was counted until a moment.
type reading struct {
	// status is by the names in lower case; servers do not all write them alike.
	status  map[string]float64
	metered watch.Metered
}

func openCounters(wanted *wanted) (*counters, error) {
	// The database may not be there yet.
	login := *wanted.MySQL
	login.Database = ""
	session, err := pointselect.Connect(&login)
	if err != nil {
		return nil, err
	}
	names := []string{"'" + questions + "'", "'" + commits + "'", "'" + rollbacks + "'"}
	for _, name := range slices.Concat(wanted.Status, wanted.Gauges) {
		names = append(names, "'"+name+"'")
	}
	return &counters{
		session: session,
		ask:     "SHOW GLOBAL STATUS WHERE Variable_name IN (" + strings.Join(names, ",") + ")",
		meter:   watch.OpenMeter("/", wanted.Server.PID),
	}, nil
}

func (c *counters) read() (reading, error) {
	rows, err := c.session.Query(c.ask)
	if err != nil {
		return reading{}, err
	}
	read := reading{status: map[string]float64{}, metered: c.meter.Read()}
	for _, row := range rows {
		if value, err := strconv.ParseFloat(row[1], 64); err == nil {
			read.status[strings.ToLower(row[0])] = value
		}
	}
	return read, nil
}

// since is how much a counter grew; false where the server has none of that name.
func (r reading) since(earlier reading, name string) (float64, bool) {
	name = strings.ToLower(name)
	now, known := r.status[name]
	then, wasKnown := earlier.status[name]
	return now - then, known && wasKnown
}

// wantRows tells a table that is not filled as the plan says from one that is.
func (c *counters) wantRows(database string, table plan.Table) error {
	quoted := func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
	for _, key := range []int64{table.Min, table.Max} {
		found, err := c.session.Query("SELECT 1 FROM " + quoted(database) + "." + quoted(table.Name) +
			" WHERE " + quoted(table.Key) + "=" + strconv.FormatInt(key, 10))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return faults.New(faults.MySQLQuery, "the table %s has no row with the key %d", table.Name, key)
		}
	}
	return nil
}

func (c *counters) close() {
	c.session.Close()
	c.meter.Close()
}
