package main

import (
	"math"
	"strings"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/watch"
)

type hello struct {
	Event    string `json:"event"`
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
}

type preparing struct {
	Event string `json:"event"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

type prepared struct {
	Event   string  `json:"event"`
	Seconds float64 `json:"seconds"`
}

// turned is what happened within the counted time of a turn.
type turned struct {
	Event        string             `json:"event"`
	Seconds      float64            `json:"seconds"`
	Transactions uint64             `json:"transactions"`
	Statements   uint64             `json:"statements"`
	Kinds        map[string]uint64  `json:"kinds"`
	Errors       uint64             `json:"errors"`
	Histograms   map[string]string  `json:"histograms"`
	Status       map[string]float64 `json:"status"`
	Gauges       map[string]float64 `json:"gauges,omitempty"`
	Server       any                `json:"server,omitempty"`
	Machine      any                `json:"machine,omitempty"`
	OwnCPUS      float64            `json:"own_cpu_s"`
}

func turnEvent(finished *done, begin, end reading, wanted *wanted) (*turned, error) {
	event := &turned{
		Event: "turn", Seconds: finished.took.Seconds(), Transactions: finished.transactions,
		Statements: finished.statements, Kinds: finished.kinds, Errors: finished.errors,
		Histograms: map[string]string{}, Status: map[string]float64{}, Gauges: map[string]float64{},
	}
	for name, sum := range finished.histograms {
		encoded, err := sum.Encode()
		if err != nil {
			return nil, err
		}
		event.Histograms[name] = encoded
	}
	for _, name := range wanted.Status {
		if grown, known := end.since(begin, name); known {
			event.Status[name] = grown
		}
	}
	for _, name := range wanted.Gauges {
		if value, known := end.status[strings.ToLower(name)]; known {
			event.Gauges[name] = value
		}
	}
	if asked, known := end.since(begin, questions); known && event.Statements == 0 {
		// The reading at the end has counted itself.
		event.Statements = uint64(max(0, asked-1))
	}
	if finished.byServer {
		event.Transactions = ended(begin, end, event.Statements)
	}
	event.metered(end.metered.Since(begin.metered))
	return event, nil
}

// ended are the transactions that the server has seen end; without any, each statement is one.
func ended(begin, end reading, statements uint64) uint64 {
	committed, known := end.since(begin, commits)
	rolledBack, _ := end.since(begin, rollbacks)
	if all := committed + rolledBack; known && all > 0 {
		return uint64(all)
	}
	return statements
}

func (t *turned) metered(between watch.Metered) {
	t.OwnCPUS = rounded(between.OwnCPU.Seconds())
	if between.Process != nil {
		t.Server = between.Process
	}
	if between.Machine != nil {
		t.Machine = between.Machine
	}
}

// heartbeat is how often a sign of life is given.
const heartbeat = time.Second

func stayAlive(writer *events.Writer) {
	for range time.Tick(heartbeat) {
		writer.Write(events.Plain{Event: "alive"})
	}
}

// failed reports err, which ends the program, and returns the exit status. No server stays frozen.
func failed(writer *events.Writer, freezer *freezer, err error) int {
	freezer.letGo()
	fault := faults.Of(err)
	writer.Write(events.Error{Event: "error", Code: fault.Code, Message: fault.Message, Fatal: true})
	return 1
}

func rounded(value float64) float64 { return math.Round(value*1e6) / 1e6 }
