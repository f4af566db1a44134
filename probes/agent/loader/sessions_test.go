package main

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/faults"
)

// theatre is a workload without a server.
type theatre struct {
	there bool
	// failure is what happens to every transaction of the second session from its third on.
	failure error
	open    atomic.Int64
	busy    atomic.Int64
	played  [3]atomic.Uint64
	failed  atomic.Uint64
}

var errRolledBack = errors.New("rolled back")

func (w *theatre) Prepare(_ context.Context, threads int, report func(done, total int)) error {
	for done := range threads {
		report(done+1, threads)
	}
	w.there = true
	return nil
}
func (w *theatre) Prepared(context.Context) (bool, error) { return w.there, nil }
func (w *theatre) Kinds() []string                        { return []string{"long", "short", "never"} }
func (w *theatre) Passing(err error) bool                 { return errors.Is(err, errRolledBack) }
func (w *theatre) Close()                                 {}
func (w *theatre) Session(_ context.Context, index int) (session, error) {
	w.open.Add(1)
	return &actor{theatre: w, index: index}, nil
}

type actor struct {
	theatre *theatre
	index   int
	played  int
}

func (a *actor) Do(context.Context) (int, error) {
	a.theatre.busy.Add(1)
	defer a.theatre.busy.Add(-1)
	time.Sleep(time.Millisecond)
	a.played++
	if a.index == 1 && a.played > 2 && a.theatre.failure != nil {
		a.theatre.failed.Add(1)
		return -1, a.theatre.failure
	}
	kind := a.played % 2
	a.theatre.played[kind].Add(1)
	return kind, nil
}
func (a *actor) Close() { a.theatre.open.Add(-1) }

// turnUntil lets a load work longer and longer until it has done enough.
func turnUntil(t *testing.T, opened working, enough func(*done) bool) *done {
	t.Helper()
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		readings := 0
		finished, err := opened.turn(pause, pause, func() error {
			readings++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if readings != 2 || finished.took < pause {
			t.Errorf("%d readings within %v", readings, finished.took)
		}
		if enough(finished) {
			return finished
		}
	}
}

func TestSessionsAreCountedByTheKindsOfTheirTransactions(t *testing.T) {
	playing := &theatre{there: true, failure: errRolledBack}
	opened, err := openSessions(playing, loadPlan{Connections: 3})
	if err != nil {
		t.Fatal(err)
	}
	finished := turnUntil(t, opened, func(finished *done) bool {
		return finished.kinds["long"] > 9 && finished.kinds["short"] > 9 && finished.errors > 9
	})
	if playing.busy.Load() != 0 {
		t.Error("transactions are under way after a turn")
	}
	if finished.transactions != finished.kinds["long"]+finished.kinds["short"] || finished.kinds["never"] != 0 {
		t.Errorf("%d transactions, %v", finished.transactions, finished.kinds)
	}
	for name, histogram := range finished.histograms {
		want, known := finished.kinds[name]
		if name == "all" {
			want, known = finished.transactions, true
		}
		if !known || histogram.Operations != want || (want > 0 && histogram.PercentileUS(50) < 1000) {
			t.Errorf("%s: %d of %d in the histogram, median %g us", name, histogram.Operations, want, histogram.PercentileUS(50))
		}
	}
	// A second turn begins at nothing, and holds no more than was played.
	played, failed := playing.played[0].Load()+playing.played[1].Load(), playing.failed.Load()
	again := turnUntil(t, opened, func(finished *done) bool { return finished.transactions > 0 })
	played, failed = playing.played[0].Load()+playing.played[1].Load()-played, playing.failed.Load()-failed
	if again.transactions > played || again.errors > failed {
		t.Errorf("%d transactions and %d errors of %d and %d", again.transactions, again.errors, played, failed)
	}
	opened.close()
	if left := playing.open.Load(); left != 0 {
		t.Errorf("%d sessions are open", left)
	}
}

func TestASessionThatFailsEndsTheTurn(t *testing.T) {
	for code, failure := range map[string]error{
		faults.MySQLLost:  io.ErrUnexpectedEOF,
		faults.MySQLQuery: &mysql.MySQLError{Number: 1146, Message: "no table"},
		faults.Limits:     faults.New(faults.Limits, "enough"),
	} {
		opened, err := openSessions(&theatre{there: true, failure: failure}, loadPlan{Connections: 2})
		if err != nil {
			t.Fatal(err)
		}
		_, err = opened.turn(time.Hour, time.Hour, func() error { return nil })
		if fault := (*faults.Fault)(nil); !errors.As(err, &fault) || fault.Code != code {
			t.Errorf("%v instead of %s", err, code)
		}
	}
}

func TestSessionsWaitBetweenTransactions(t *testing.T) {
	playing := &theatre{there: true}
	opened, err := openSessions(playing, loadPlan{Connections: 1, ThinkUS: time.Hour.Microseconds()})
	if err != nil {
		t.Fatal(err)
	}
	// A turn ends although the only session still thinks, for half an hour most likely.
	if _, err := opened.turn(0, time.Millisecond, func() error { return nil }); err != nil {
		t.Error(err)
	}
}
