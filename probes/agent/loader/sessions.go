package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
)

// filling is a load that makes its own data.
type filling interface {
	// Prepare makes the data, with that many connections.
	Prepare(ctx context.Context, threads int, report func(done, total int)) error
	// Prepared tells whether they are there.
	Prepared(ctx context.Context) (bool, error)
	Close()
}

// workload is a load whose transactions are so long that a goroutine for each connection does.
type workload interface {
	filling
	// Kinds are the names of its kinds of transactions.
	Kinds() []string
	// Session opens the connection of that number.
	Session(ctx context.Context, index int) (session, error)
	// Passing tells whether a transaction that failed was rolled back, so that the session may go on.
	Passing(err error) bool
}

// session is one connection of a workload.
type session interface {
	// Do carries out one transaction; kind is the place of its name in Kinds.
	Do(ctx context.Context) (kind int, err error)
	Close()
}

// workloads open those that there are, by the kind in the plan.
var workloads = map[string]func(ctx context.Context, wanted *wanted) (filling, error){
	tpccKind: openTPCC, sysbenchKind: openSysbench,
}

// sessions are the open connections of a workload.
type sessions struct {
	workload workload
	each     []session
	think    time.Duration
	// counts are what was counted of each kind, by all sessions since they were opened; so are errors.
	counts []*latency.Counts
	errors atomic.Uint64
}

// mostPatience is how long a transaction may take beyond the end of a turn.
const mostPatience = 30 * time.Second

func openSessions(workload workload, asked loadPlan) (working, error) {
	opened := &sessions{workload: workload, think: asked.think()}
	for range workload.Kinds() {
		opened.counts = append(opened.counts, &latency.Counts{})
	}
	for index := range asked.Connections {
		one, err := workload.Session(context.Background(), index)
		if err != nil {
			opened.close()
			return nil, explained(err)
		}
		opened.each = append(opened.each, one)
	}
	return opened, nil
}

// tallied is what had been counted until a moment.
type tallied struct {
	at     int64
	kinds  []*latency.Sum
	errors uint64
}

func (s *sessions) tally() tallied {
	now := tallied{at: clock.Now(), errors: s.errors.Load()}
	for _, counts := range s.counts {
		sum := &latency.Sum{}
		sum.Take([]*latency.Counts{counts})
		now.kinds = append(now.kinds, sum)
	}
	return now
}

func (s *sessions) turn(settle, counted time.Duration, around func() error) (*done, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := make(chan struct{})
	failures := make(chan error, len(s.each))
	var waiting sync.WaitGroup
	for _, one := range s.each {
		waiting.Go(func() {
			if err := s.work(ctx, one, stop); err != nil {
				failures <- err
			}
		})
	}
	begin, end, err := s.count(settle, counted, around, failures)
	close(stop)
	idle := make(chan struct{})
	go func() {
		waiting.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(mostPatience):
		return nil, faults.New(faults.MySQLLost, "a transaction did not end within %v", mostPatience)
	}
	if err == nil {
		// The last transactions may have failed.
		select {
		case err = <-failures:
		default:
		}
	}
	if err != nil {
		return nil, err
	}
	return s.between(begin, end), nil
}

// count waits, and tells what had been counted when counting began and when it ended.
func (s *sessions) count(settle, counted time.Duration, around func() error, failures <-chan error) (begin, end tallied, err error) {
	for index, pause := range []time.Duration{settle, counted} {
		select {
		case err := <-failures:
			return begin, end, err
		case <-time.After(pause):
		}
		if err := around(); err != nil {
			return begin, end, err
		}
		if index == 0 {
			begin = s.tally()
		} else {
			end = s.tally()
		}
	}
	return begin, end, nil
}

// work carries out transactions on one connection until stop.
func (s *sessions) work(ctx context.Context, one session, stop <-chan struct{}) error {
	for s.rest(stop) {
		begin := clock.Now()
		kind, err := one.Do(ctx)
		switch {
		case err == nil:
			s.counts[kind].Add(max(0, clock.Now()-begin))
		case s.workload.Passing(err):
			s.errors.Add(1)
		default:
			return explained(err)
		}
	}
	return nil
}

// rest waits between two transactions, anything from no time to twice what is usual; false when the turn
// is over.
func (s *sessions) rest(stop <-chan struct{}) bool {
	if s.think == 0 {
		select {
		case <-stop:
			return false
		default:
			return true
		}
	}
	timer := time.NewTimer(rand.N(2 * s.think))
	defer timer.Stop()
	select {
	case <-stop:
		return false
	case <-timer.C:
		return true
	}
}

func (s *sessions) between(begin, end tallied) *done {
	finished := &done{
		took:       time.Duration(end.at - begin.at),
		errors:     end.errors - begin.errors,
		kinds:      map[string]uint64{},
		histograms: map[string]*latency.Sum{},
	}
	all, before := &latency.Sum{}, &latency.Sum{}
	for index, name := range s.workload.Kinds() {
		of := &latency.Sum{}
		of.Subtract(end.kinds[index], begin.kinds[index])
		finished.kinds[name], finished.histograms[name] = of.Operations, of
		all.AddSum(end.kinds[index])
		before.AddSum(begin.kinds[index])
	}
	all.Subtract(all, before)
	finished.transactions, finished.histograms["all"] = all.Operations, all
	return finished
}

// explained makes a fault of a workload's error: what the server said, or that it says nothing any more.
func explained(err error) error {
	var fault *faults.Fault
	var said *mysql.MySQLError
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.As(err, &said):
		return faults.New(faults.MySQLQuery, "%v", err)
	default:
		return faults.New(faults.MySQLLost, "%v", err)
	}
}

func (s *sessions) close() {
	for _, one := range s.each {
		one.Close()
	}
}
