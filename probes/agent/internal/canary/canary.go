// Package canary watches a live server while its drive is probed: one cheap read by primary key,
// over and over, and what the server tells of itself. It ends the plan when the server suffers.
package canary

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

const (
	// firstReads make the baseline.
	firstReads = 10
	// withoutLimit is how long an answer may take where the plan sets no limit to reads.
	withoutLimit = 30 * time.Second
	// beat is the time between two reports, and between two looks at the server's counters.
	beat = time.Second
	// ahead is how much nicer than the probing threads this one is treated.
	ahead = -20
)

const question = "SHOW GLOBAL STATUS WHERE Variable_name IN " +
	"('Threads_running', 'Innodb_row_lock_current_waits')"

// Canary is at work from Start until the process ends.
type Canary struct {
	session *pointselect.Session
	table   plan.Table
	every   time.Duration
	limits  limits
	allowed counters
	first   counters
	latest  counters
	// reports are written by another thread: whoever reads them must not hold up the watch.
	reports chan events.Canary
	stop    func(*faults.Fault)
}

// Start logs in, finds out how the server fares without a probe, and watches it from then on by a
// thread of its own. report is called once a second; stop once, when the server suffers or can no
// longer be watched.
func Start(asked *plan.MySQL, guard *plan.Guard, report func(events.Canary), stop func(*faults.Fault)) error {
	canary := &Canary{
		table:   asked.Tables[guard.Table],
		every:   time.Duration(guard.EverySeconds * float64(time.Second)),
		limits:  limits{added: time.Duration(guard.AddedUS * float64(time.Microsecond))},
		allowed: counters{guard.ThreadsRunning, guard.RowLockWaits},
		reports: make(chan events.Canary, 1),
		stop:    stop,
	}
	var err error
	if canary.session, err = pointselect.OpenSession(asked, canary.table); err != nil {
		return faults.Fatal(faults.Guard, "the server can't be watched, so nothing was measured: %v", err)
	}
	if err := canary.learn(); err != nil {
		canary.session.Close()
		return faults.Fatal(faults.Guard, "the server could not be watched, so nothing was measured: %v", err)
	}
	go canary.watch()
	go func() {
		for seen := range canary.reports {
			report(seen)
		}
	}()
	return nil
}

// learn finds out what is usual.
func (c *Canary) learn() error {
	var reads []time.Duration
	for range firstReads {
		took, err := c.read(withoutLimit)
		if err != nil {
			return err
		}
		reads = append(reads, took)
		sleep(c.every - took)
	}
	c.limits.learn(reads)
	var err error
	c.first, err = c.ask(withoutLimit)
	c.latest = c.first
	return err
}

// read looks up any row, and tells how long that took.
func (c *Canary) read(patience time.Duration) (time.Duration, error) {
	key := c.table.Min + rand.Int64N(c.table.Max-c.table.Min+1)
	begin := clock.Now()
	c.session.SetDeadline(begin + patience.Nanoseconds())
	err := c.session.Lookup(key)
	return time.Duration(clock.Now() - begin), err
}

// ask reads the server's counters; one that it does not have stays 0.
func (c *Canary) ask(patience time.Duration) (counters, error) {
	c.session.SetDeadline(clock.Now() + patience.Nanoseconds())
	rows, err := c.session.Query(question)
	if err != nil {
		return counters{}, err
	}
	var found counters
	for _, row := range rows {
		value, err := strconv.Atoi(row[1])
		if err != nil {
			continue
		}
		if row[0] == "Threads_running" {
			found.threadsRunning = value
		} else {
			found.rowLockWaits = value
		}
	}
	return found, nil
}

// watch runs on a thread that no other work shares, and that the kernel prefers where it is
// allowed: a thousand probing threads must not make a quick server look slow.
func (c *Canary) watch() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, ahead)
	slowest, lastBeat := time.Duration(0), clock.Now()
	for {
		patience := c.limits.patience()
		took, err := c.read(patience)
		if sentence := c.judge(took, patience, err); sentence != "" {
			c.end(sentence)
			return
		}
		slowest = max(slowest, took)
		if clock.Now()-lastBeat >= beat.Nanoseconds() {
			lastBeat = clock.Now()
			if sentence := c.beat(slowest); sentence != "" {
				c.end(sentence)
				return
			}
			slowest = 0
		}
		sleep(c.limits.pause(c.every, took))
	}
}

// judge is empty for as long as reads are answered quickly enough.
func (c *Canary) judge(took, patience time.Duration, err error) string {
	if err == nil {
		return c.limits.note(took)
	}
	if took >= patience {
		return c.limits.unanswered(took)
	}
	return "the connection that watches it failed: " + err.Error()
}

// beat looks at the counters and reports.
func (c *Canary) beat(slowest time.Duration) string {
	patience := c.limits.patience()
	begin := clock.Now()
	found, err := c.ask(patience)
	if took := time.Duration(clock.Now() - begin); err != nil && took >= patience {
		return "it did not report its status within " + shown(took)
	}
	if err != nil {
		return "the connection that watches it failed: " + err.Error()
	}
	c.latest = found
	select {
	case c.reports <- c.event(slowest):
	default:
	}
	return found.over(c.first, c.allowed)
}

func (c *Canary) event(slowest time.Duration) events.Canary {
	return events.Canary{
		Event:          "canary",
		LatencyUS:      microseconds(slowest),
		BaselineUS:     microseconds(c.limits.baseline),
		LimitUS:        microseconds(c.limits.limit()),
		ThreadsRunning: c.latest.threadsRunning,
		RowLockWaits:   c.latest.rowLockWaits,
	}
}

func (c *Canary) end(sentence string) {
	c.stop(faults.Fatal(faults.Guard, "the probe was stopped because the server suffered: %s", sentence))
}

func microseconds(took time.Duration) float64 { return float64(took.Nanoseconds()/100) / 10 }

// sleep waits in the kernel: Go's own timers need a thread that has no preference.
func sleep(length time.Duration) {
	if length <= 0 {
		return
	}
	rest := unix.NsecToTimespec(length.Nanoseconds())
	for unix.Nanosleep(&rest, &rest) == unix.EINTR {
		continue
	}
}
