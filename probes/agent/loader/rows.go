package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"time"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
	"leadline/agent/internal/limits"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

// spareProcessors serve everything but the loops.
const spareProcessors = 8

// rows are connections that read and change rows of one table, each by a thread of its own.
type rows struct {
	clients *pointselect.Clients
	// statements are those of a transaction.
	statements uint64
}

var rowKinds = map[string]string{
	pointSelect: plan.PointSelect,
	update:      plan.PKUpdate,
	readWrite:   pointselect.ReadWrite,
}

func openRows(wanted *wanted, counters *counters) (working, error) {
	asked := wanted.Load
	if allowed := limits.Threads(asked.Connections); allowed < asked.Connections {
		return nil, faults.New(faults.Limits, "a limit on this host allows %d threads instead of %d", allowed, asked.Connections)
	}
	// Garbage is collected between turns alone, whatever the environment says.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.GOMAXPROCS(spareProcessors)
	clients, err := pointselect.OpenFor(wanted.MySQL, pointselect.Work{
		Kind: rowKinds[asked.Kind], Table: asked.Table, Protocol: plan.Prepared, Keys: asked.Keys,
		Seed: asked.Seed, Think: asked.think(),
	}, asked.Connections)
	if err != nil {
		return nil, err
	}
	opened := &rows{clients: clients, statements: 1}
	if asked.Kind == readWrite {
		opened.statements = pointselect.TransactionStatements
	}
	table := wanted.MySQL.Tables[asked.Table]
	if err := counters.wantRows(table); err != nil {
		opened.close()
		return nil, err
	}
	return opened, nil
}

// wantRows tells a table that is not filled as the plan says from one that is.
func (c *counters) wantRows(table plan.Table) error {
	for _, key := range []int64{table.Min, table.Max} {
		if found, err := c.find(table, key); err != nil {
			return err
		} else if found == 0 {
			return faults.New(faults.MySQLQuery, "the table %s has no row with the key %d", table.Name, key)
		}
	}
	return nil
}

func (r *rows) turn(settle, counted time.Duration, around func() error) (*done, error) {
	// A loop's system calls keep their processor, so each thread needs one of its own.
	runtime.GOMAXPROCS(len(r.clients.Each) + spareProcessors)
	results, err := load.RunParts(
		[]load.Part{{Workers: r.clients.Each, Rows: true, Transactions: true}},
		load.Length{Warmup: settle, Most: counted}, load.Hooks{Around: around})
	if err != nil {
		return nil, err
	}
	// While no loop can see it: it would start a thread for every processor.
	runtime.GOMAXPROCS(spareProcessors)
	runtime.GC()
	result := results[0]
	return &done{
		took:         result.Measured,
		transactions: result.Counts.Operations,
		statements:   result.Counts.Operations * r.statements,
		errors:       result.Errors,
		kinds:        map[string]uint64{},
		histograms:   map[string]*latency.Sum{"all": result.Counts},
	}, nil
}

func (r *rows) close() { r.clients.Close() }
