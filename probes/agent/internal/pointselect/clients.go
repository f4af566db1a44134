package pointselect

import (
	"sync"
	"time"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// loginsAtOnce is gentle to a server which starts a thread for each.
const loginsAtOnce = 16

// Clients are the connections of one point.
type Clients struct {
	Each    []load.Worker
	clients []*client
}

// Kinds of work beside the probes that ask a server: transactions that read and change rows, as sysbench's
// oltp_read_write does and as a Mix says.
const (
	ReadWrite = "read_write"
	Mixed     = "mix"
)

// Work is what connections do: one of plan's two probes that ask a server, or one of the kinds above.
type Work struct {
	Kind string
	// Table is that of the plan's tables; Protocol is how it is asked, always prepared for transactions.
	Table, Protocol string
	// Keys is how they are drawn, "" for all alike; see UniformKeys.
	Keys string
	// Hot is for HotKeys, Mix for Mixed.
	Hot  Hot
	Mix  Mix
	Seed uint64
	// Think is how long each connection waits between two questions, on average.
	Think time.Duration
}

func (w *Work) writes() bool {
	return w.Kind == plan.PKUpdate || w.Kind == ReadWrite || (w.Kind == Mixed && w.Mix.Writes())
}

// Open logs in count times, to read rows or to update them. Either all connections are there or none.
func Open(asked *plan.MySQL, point plan.Point, count int) (*Clients, error) {
	return OpenFor(asked, Work{Kind: point.Probe, Table: point.Table, Protocol: point.Protocol, Seed: point.Seed}, count)
}

// OpenFor is Open for any work.
func OpenFor(asked *plan.MySQL, work Work, count int) (*Clients, error) {
	table := asked.Tables[work.Table]
	if work.writes() && !table.Own {
		return nil, faults.New(faults.BadPlan, "table %q is not ours to write to", work.Table)
	}
	drawn := newKeys(table.Min, table.Max, work.Keys, work.Hot)
	opened := &Clients{clients: make([]*client, count)}
	var first error
	var lock sync.Mutex
	var waiting sync.WaitGroup
	slots := make(chan struct{}, loginsAtOnce)
	failed := func() bool {
		lock.Lock()
		defer lock.Unlock()
		return first != nil
	}
	for index := range count {
		slots <- struct{}{}
		waiting.Go(func() {
			defer func() { <-slots }()
			if failed() {
				return
			}
			made, err := newClient(asked, work, drawn, seedOf(work.Seed, index))
			lock.Lock()
			defer lock.Unlock()
			opened.clients[index] = made
			if err != nil && first == nil {
				first = err
			}
		})
	}
	waiting.Wait()
	if first != nil {
		opened.Close()
		return nil, first
	}
	for _, client := range opened.clients {
		opened.Each = append(opened.Each, client.worker)
	}
	return opened, nil
}

// seedOf keeps the threads' sequences apart.
func seedOf(seed uint64, index int) uint64 {
	return (seed+1)*0xd1342543de82ef95 + uint64(index)*0xda942042e4dd58b5
}

// Close says goodbye on all connections.
func (c *Clients) Close() {
	for _, client := range c.clients {
		if client != nil {
			client.login.close()
		}
	}
}
