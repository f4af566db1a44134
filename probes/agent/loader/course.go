package main

import (
	"context"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
)

// working is a load whose connections are open.
type working interface {
	// turn lets them work, for settle and then for counted; around is called at both ends of the latter,
	// while they work. No transaction is under way when it returns.
	turn(settle, counted time.Duration, around func() error) (*done, error)
	close()
}

// done is what a load did within the counted time.
type done struct {
	took         time.Duration
	transactions uint64
	// byServer tells that the server has to tell the transactions, too.
	byServer bool
	// statements are those of the transactions, 0 where the server has to tell.
	statements uint64
	// errors are transactions that were rolled back.
	errors uint64
	// kinds are how many there were of each kind of transaction, histograms their latencies and, as "all",
	// those of every transaction.
	kinds      map[string]uint64
	histograms map[string]*latency.Sum
}

// course is what happens from the plan to the end.
type course struct {
	wanted   *wanted
	writer   *events.Writer
	freezer  *freezer
	commands chan asked
	counters *counters
	filling  filling
	working  working
}

// run does what is asked until it is told to end.
func (c *course) run() (err error) {
	if err := c.freezer.take(c.wanted.Server.PID); err != nil {
		return err
	}
	// Somebody may have left it frozen.
	if err := c.freezer.thaw(); err != nil {
		return err
	}
	if c.counters, err = openCounters(c.wanted); err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	for command := range c.commands {
		if command.unread != nil {
			return faults.New(faults.BadPlan, "%v", command.unread)
		}
		if command.Do == "end" {
			break
		}
		if err := c.carryOut(command); err != nil {
			return err
		}
	}
	return nil
}

// begin opens the load's connections, or waits for its data.
func (c *course) begin() error {
	if c.wanted.Load.Kind == noLoad {
		c.writer.Write(events.Plain{Event: "ready"})
		return nil
	}
	open, found := workloads[c.wanted.Load.Kind]
	if !found {
		opened, err := openRows(c.wanted, c.counters)
		if err != nil {
			return err
		}
		return c.ready(opened)
	}
	var err error
	if c.filling, err = open(context.Background(), c.wanted); err != nil {
		return explained(err)
	}
	there, err := c.filling.Prepared(context.Background())
	if err != nil {
		return explained(err)
	}
	if !there {
		c.writer.Write(events.Plain{Event: "waiting"})
		return nil
	}
	return c.openSessions()
}

func (c *course) ready(opened working) error {
	c.working = opened
	c.writer.Write(events.Plain{Event: "ready"})
	return nil
}

func (c *course) openSessions() error {
	if playing, ok := c.filling.(workload); ok {
		opened, err := openSessions(playing, c.wanted.Load)
		if err != nil {
			return err
		}
		return c.ready(opened)
	}
	return c.ready(c.filling.(working))
}

func (c *course) carryOut(command asked) error {
	switch command.Do {
	case "prepare":
		return c.prepare()
	case "run":
		return c.runStatements(command)
	case "turn":
		if err := command.check(); err != nil {
			return faults.New(faults.BadPlan, "a turn: %v", err)
		}
		return c.turn(command)
	case "freeze":
		return c.answer("frozen", c.freezer.freeze())
	case "thaw":
		return c.answer("thawed", c.freezer.thaw())
	default:
		return faults.New(faults.BadPlan, "there is no command %q", command.Do)
	}
}

func (c *course) answer(event string, err error) error {
	if err == nil {
		c.writer.Write(events.Plain{Event: event})
	}
	return err
}

// fillingConnections are many enough for a server to be busy with filling.
const fillingConnections = 16

func (c *course) prepare() error {
	if c.filling == nil {
		return faults.New(faults.BadPlan, "there is nothing to prepare")
	}
	if c.working != nil {
		c.writer.Write(prepared{"prepared", 0})
		return nil
	}
	if err := c.freezer.thaw(); err != nil {
		return err
	}
	begun := time.Now()
	var told time.Time
	err := c.filling.Prepare(context.Background(), fillingConnections, func(done, total int) {
		if done == total || time.Since(told) >= heartbeat {
			told = time.Now()
			c.writer.Write(preparing{"preparing", done, total})
		}
	})
	if err != nil {
		return explained(err)
	}
	c.writer.Write(prepared{"prepared", rounded(time.Since(begun).Seconds())})
	return c.openSessions()
}

func (c *course) turn(command asked) error {
	if c.working == nil {
		return faults.New(faults.BadPlan, "a turn: the load has no data yet")
	}
	if err := c.freezer.thaw(); err != nil {
		return err
	}
	var readings []reading
	finished, err := c.working.turn(seconds(command.SettleS), seconds(command.Seconds), func() error {
		read, err := c.counters.read()
		readings = append(readings, read)
		return err
	})
	if err == nil && command.Freeze {
		err = c.freezer.freeze()
	}
	if err != nil {
		return err
	}
	event, err := turnEvent(finished, readings[0], readings[1], c.wanted)
	if err != nil {
		return err
	}
	c.writer.Write(event)
	return nil
}

// close says goodbye on all connections.
func (c *course) close() {
	if c.working != nil {
		c.working.close()
	}
	if c.filling != nil {
		c.filling.Close()
	}
	if c.counters != nil {
		c.counters.close()
	}
}

func seconds(value float64) time.Duration { return time.Duration(value * float64(time.Second)) }
