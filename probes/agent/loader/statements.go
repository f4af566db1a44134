package main

import (
	"context"
	"sync"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

// mostStatements are more than a table of a tebibyte is filled with.
const mostStatements = 1 << 20

type ran struct {
	Event   string  `json:"event"`
	Seconds float64 `json:"seconds"`
}

// querying is a connection that statements are sent on.
type querying interface {
	Query(statement string) ([][]string, error)
	Close()
}

// carriedOut runs statements on several connections, each a run of consecutive ones in their order: ranges
// of keys that lie apart fill pages as full as one connection does. report is called after each statement,
// by one goroutine at a time. The first fault ends all of them, each after the statement that it is at.
func carriedOut(statements []string, connections int, connect func() (querying, error), report func(done int)) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var waiting sync.WaitGroup
	var reporting sync.Mutex
	done := 0
	for index := range connections {
		own := statements[index*len(statements)/connections : (index+1)*len(statements)/connections]
		waiting.Go(func() {
			session, err := connect()
			if err != nil {
				cancel(err)
				return
			}
			defer session.Close()
			for _, statement := range own {
				if ctx.Err() != nil {
					return
				}
				if _, err := session.Query(statement); err != nil {
					cancel(err)
					return
				}
				reporting.Lock()
				done++
				report(done)
				reporting.Unlock()
			}
		})
	}
	waiting.Wait()
	return context.Cause(ctx)
}

// runStatements carries out statements that yield no rows.
func (c *course) runStatements(command asked) error {
	switch {
	case len(command.Statements) < 1 || len(command.Statements) > mostStatements:
		return faults.New(faults.BadPlan, "a run: statements must be 1 to %d", mostStatements)
	case command.Connections < 1 || command.Connections > mostConnections:
		return faults.New(faults.BadPlan, "a run: connections must be 1 to %d", mostConnections)
	}
	if err := c.freezer.thaw(); err != nil {
		return err
	}
	begun := time.Now()
	told, total := begun, len(command.Statements)
	err := carriedOut(command.Statements, command.Connections, connecting(c.wanted.MySQL), func(done int) {
		if done == total || time.Since(told) >= heartbeat {
			told = time.Now()
			c.writer.Write(preparing{"preparing", done, total})
		}
	})
	if err != nil {
		return err
	}
	c.writer.Write(ran{"ran", rounded(time.Since(begun).Seconds())})
	return nil
}

func connecting(login *plan.MySQL) func() (querying, error) {
	return func() (querying, error) {
		opened, err := pointselect.Connect(login)
		if err != nil {
			return nil, err
		}
		return patient{opened}, nil
	}
}

// patient waits longer than a look-up is waited for: a statement may fill a good part of a table.
type patient struct{ *pointselect.Session }

func (p patient) Query(statement string) ([][]string, error) {
	p.SetDeadline(clock.Now() + int64(time.Hour))
	return p.Session.Query(statement)
}
