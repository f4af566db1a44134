package pointselect

import (
	"sync"

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

// Open logs in count times, to read rows or to update them. Either all connections are there or none.
func Open(asked *plan.MySQL, point plan.Point, count int) (*Clients, error) {
	if point.Probe == plan.PKUpdate && !asked.Tables[point.Table].Own {
		return nil, faults.New(faults.BadPlan, "table %q is not ours to write to", point.Table)
	}
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
			made, err := newClient(asked, point, seedOf(point.Seed, index))
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
		opened.Each = append(opened.Each, client)
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
