package main

import (
	"strconv"
	"strings"

	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
	"leadline/agent/internal/watch"
)

// questions is the server's own count of statements.
const questions = "Questions"

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
	session, err := pointselect.Connect(wanted.MySQL)
	if err != nil {
		return nil, err
	}
	names := []string{"'" + questions + "'"}
	for _, name := range wanted.Status {
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

// find is how many of these keys the table has.
func (c *counters) find(table plan.Table, keys ...int64) (int, error) {
	quoted := func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
	var listed []string
	for _, key := range keys {
		listed = append(listed, strconv.FormatInt(key, 10))
	}
	rows, err := c.session.Query("SELECT 1 FROM " + quoted(table.Name) + " WHERE " + quoted(table.Key) +
		" IN (" + strings.Join(listed, ",") + ")")
	return len(rows), err
}

func (c *counters) close() {
	c.session.Close()
	c.meter.Close()
}
