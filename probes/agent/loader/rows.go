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
	// statements are those of a transaction, 0 where these differ.
	statements uint64
}

var rowKinds = map[string]string{
	pointSelect: plan.PointSelect,
	update:      plan.PKUpdate,
	readWrite:   pointselect.ReadWrite,
	mix:         pointselect.Mixed,
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
		Hot: asked.Hot, Mix: asked.Mix, Seed: asked.Seed, Think: asked.think(),
	}, asked.Connections)
	if err != nil {
		return nil, err
	}
	opened := &rows{clients: clients, statements: 1}
	switch asked.Kind {
	case readWrite:
		opened.statements = pointselect.TransactionStatements
	case mix:
		opened.statements = 0
	}
	if err := counters.wantRows(wanted.MySQL.Database, wanted.MySQL.Tables[asked.Table]); err != nil {
		opened.close()
		return nil, err
	}
	return opened, nil
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
