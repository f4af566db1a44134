package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

const usualPlan = `{"protocol": 1,
 "mysql": {"network":"unix","address":"/tmp/s","user":"root","password":"","tls":"off","database":"leadline",
   "tables":{"rows":{"name":"lookups","key":"id","column":"c","min":1,"max":10,"own":true},
             "theirs":{"name":"t","key":"id","column":"c","min":1,"max":10}}},
 "load": {"kind":"update","table":"rows","connections":16,"keys":"zipf","seed":7,"think_us":10,"warehouses":0},
 "server": {"pid": 1234},
 "status": ["Innodb_data_reads"]}`

func TestAPlanIsRead(t *testing.T) {
	read, err := readPlan(json.NewDecoder(strings.NewReader(usualPlan)))
	if err != nil {
		t.Fatal(err)
	}
	if read.Load.think() != 10*time.Microsecond || read.Server.PID != 1234 || !read.MySQL.Tables["rows"].Own {
		t.Errorf("%+v", read)
	}
	if _, err := readPlan(json.NewDecoder(strings.NewReader(""))); err != io.EOF {
		t.Errorf("no plan is %v", err)
	}
}

func TestAPlanThatIsNoneIsRefused(t *testing.T) {
	for name, change := range map[string][2]string{
		"protocol":        {`"protocol": 1`, `"protocol": 2`},
		"unknown field":   {`"seed":7`, `"sead":7`},
		"no kind":         {`"update"`, `"delete"`},
		"no keys":         {`"zipf"`, `"gaussian"`},
		"connections":     {`"connections":16`, `"connections":0`},
		"think":           {`"think_us":10`, `"think_us":-1`},
		"no table":        {`"table":"rows"`, `"table":"columns"`},
		"another's table": {`"table":"rows"`, `"table":"theirs"`},
		"init":            {`"pid": 1234`, `"pid": 1`},
		"status":          {`Innodb_data_reads`, `x') OR ('`},
		"mysql":           {`"unix"`, `"pigeon"`},
		"no mysql":        {`"mysql"`, `"server": {}, "status": []} {"mysql"`},
		"no hot keys":     {`"zipf"`, `"hot","hot":{"share":2,"keys":0.1}`},
		"an empty mix":    {`"update"`, `"mix"`},
		"no script":       {`"update"`, `"sysbench","script":"--x"`},
		"no option":       {`"update"`, `"sysbench","script":"x","options":["run"]`},
		"no JSON":         {`{"protocol"`, `["protocol"`},
	} {
		_, err := readPlan(json.NewDecoder(strings.NewReader(strings.Replace(usualPlan, change[0], change[1], 1))))
		if fault := (*faults.Fault)(nil); !errors.As(err, &fault) || fault.Code != faults.BadPlan {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sleeping is a process that does nothing.
func sleeping(t *testing.T) *exec.Cmd {
	t.Helper()
	command := exec.Command("sleep", "600")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return command
}

// wantState waits until the process is frozen, or is not.
func wantState(t *testing.T, pid int, frozen bool) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(time.Millisecond) {
		if state, _, err := lookAt(pid); err == nil && (state == 'T') == frozen {
			return
		}
	}
	t.Errorf("frozen is not %v", frozen)
}

func TestAProcessIsFrozenUntilItIsLetGo(t *testing.T) {
	pid := sleeping(t).Process.Pid
	freezer := &freezer{}
	if err := freezer.take(pid); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := freezer.freeze(); err != nil {
			t.Fatal(err)
		}
		wantState(t, pid, true)
		if err := freezer.thaw(); err != nil {
			t.Fatal(err)
		}
		wantState(t, pid, false)
	}
	_ = freezer.freeze()
	freezer.letGo()
	wantState(t, pid, false)
	// Who comes later freezes it no more.
	if err := freezer.freeze(); err != nil {
		t.Fatal(err)
	}
	wantState(t, pid, false)
}

func TestNoOtherProcessIsFrozen(t *testing.T) {
	pid := sleeping(t).Process.Pid
	freezer := &freezer{}
	if err := freezer.take(pid); err != nil {
		t.Fatal(err)
	}
	// As if another one had got its number since.
	freezer.born--
	var fault *faults.Fault
	if err := freezer.freeze(); !errors.As(err, &fault) || fault.Code != faults.MySQLLost {
		t.Errorf("%v", err)
	}
	wantState(t, pid, false)
	if err := freezer.take(1 << 30); !errors.As(err, &fault) || fault.Code != faults.MySQLLost {
		t.Errorf("%v", err)
	}
}

func TestAnEndedProcessIsLost(t *testing.T) {
	command := sleeping(t)
	freezer := &freezer{}
	if err := freezer.take(command.Process.Pid); err != nil {
		t.Fatal(err)
	}
	_ = command.Process.Signal(syscall.SIGKILL)
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(time.Millisecond) {
		if _, _, err := lookAt(command.Process.Pid); err != nil {
			break
		}
	}
	// It is a zombie as long as nobody asks for its end.
	if err := freezer.thaw(); err == nil {
		t.Error("a zombie goes on")
	}
	freezer.letGo()
}

func TestWithoutAProcessNothingIsFrozen(t *testing.T) {
	freezer := &freezer{}
	if err := errors.Join(freezer.take(0), freezer.thaw(), freezer.freeze()); err != nil {
		t.Error(err)
	}
}

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

// hear returns the events that a course writes until it has carried out all commands.
func hear(t *testing.T, c *course, commands ...asked) (heard []map[string]any, err error) {
	t.Helper()
	var written bytes.Buffer
	c.writer = events.NewWriter(&written, func() { t.Error("nobody listens") })
	for _, command := range commands {
		if err = c.carryOut(command); err != nil {
			break
		}
	}
	for decoder := json.NewDecoder(&written); ; {
		var event map[string]any
		if decoder.Decode(&event) != nil {
			return heard, err
		}
		heard = append(heard, event)
	}
}

func TestALoadWithoutItsDataOnlyPrepares(t *testing.T) {
	playing := &theatre{}
	c := &course{wanted: &wanted{Load: loadPlan{Connections: 2}}, freezer: &freezer{}, filling: playing}
	if _, err := hear(t, c, asked{Do: "turn", Seconds: 1}); err == nil {
		t.Error("it works without data")
	}
	heard, err := hear(t, c, asked{Do: "prepare"}, asked{Do: "prepare"})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, event := range heard {
		kinds = append(kinds, event["event"].(string))
	}
	// The first report, and the last; the second time all is there.
	if got := strings.Join(kinds, " "); got != "preparing preparing prepared ready prepared" && !strings.HasPrefix(got, "preparing preparing preparing") {
		t.Errorf("%s is said", got)
	}
	if playing.open.Load() != 2 {
		t.Errorf("%d sessions are open", playing.open.Load())
	}
}

func TestWhatIsNoCommandIsRefused(t *testing.T) {
	for _, command := range []asked{
		{Do: "dance"}, {Do: "prepare"}, {Do: "turn"}, {Do: "turn", Seconds: -1}, {Do: "turn", Seconds: 1e9},
		{Do: "turn", Seconds: 1, SettleS: -1},
	} {
		_, err := hear(t, &course{wanted: &wanted{}, freezer: &freezer{}}, command)
		if fault := (*faults.Fault)(nil); !errors.As(err, &fault) || fault.Code != faults.BadPlan {
			t.Errorf("%+v: %v", command, err)
		}
	}
}

func TestThisProcessWasBornOnce(t *testing.T) {
	_, first, err := lookAt(os.Getpid())
	_, second, again := lookAt(os.Getpid())
	if err != nil || again != nil || first != second || first == 0 {
		t.Errorf("%d, %d (%v, %v)", first, second, err, again)
	}
}

func TestWhatTheServerHasCountedIsTold(t *testing.T) {
	begin := reading{status: map[string]float64{"questions": 10, "innodb_data_reads": 5, "gone": 1}}
	end := reading{status: map[string]float64{"questions": 31, "innodb_data_reads": 12}}
	event, err := turnEvent(&done{took: 2 * time.Second, transactions: 4}, begin, end,
		&wanted{Status: []string{"Innodb_data_reads", "Gone", "Never"}})
	if err != nil {
		t.Fatal(err)
	}
	// The last of 21 questions was the reading itself.
	if event.Statements != 20 || len(event.Status) != 1 || event.Status["Innodb_data_reads"] != 7 || event.Seconds != 2 {
		t.Errorf("%+v", event)
	}
	if event, _ = turnEvent(&done{statements: 4}, begin, end, &wanted{}); event.Statements != 4 {
		t.Errorf("%d statements", event.Statements)
	}
}

// playedSysbench puts a program of that text in sysbench's place.
func playedSysbench(t *testing.T, text string) *sysbench {
	t.Helper()
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "sysbench"), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", directory+":"+os.Getenv("PATH"))
	asked := &wanted{MySQL: &plan.MySQL{Network: "unix", Address: "/tmp/s", User: "root", Database: "lab"}}
	asked.Load = loadPlan{Kind: sysbenchKind, Script: "oltp_read_write", Options: []string{"--tables=1"}, Connections: 3}
	opened, err := openSysbench(context.Background(), asked)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	return opened.(*sysbench)
}

func TestSysbenchWorksForATurn(t *testing.T) {
	words := filepath.Join(t.TempDir(), "words")
	playing := playedSysbench(t, "echo $$ \"$@\" > "+words+"\necho\necho 'Threads started!'\nexec sleep 600")
	readings := 0
	finished, err := playing.turn(time.Millisecond, 20*time.Millisecond, func() error {
		readings++
		return nil
	})
	if err != nil || readings != 2 || !finished.byServer || finished.took < 20*time.Millisecond || len(finished.histograms) > 0 {
		t.Fatalf("%+v after %d readings (%v)", finished, readings, err)
	}
	said, _ := os.ReadFile(words)
	pid, rest, _ := strings.Cut(strings.TrimSpace(string(said)), " ")
	if rest != "oltp_read_write --db-driver=mysql --mysql-socket=/tmp/s --mysql-user=root --mysql-db=lab --threads=3 --tables=1 --time=0 --events=0 run" {
		t.Errorf("it was told %s", rest)
	}
	if number, err := strconv.Atoi(pid); err != nil || syscall.Kill(number, 0) == nil {
		t.Errorf("process %s is left (%v)", pid, err)
	}
}

func TestSysbenchThatEndsIsTold(t *testing.T) {
	playing := playedSysbench(t, "echo 'FATAL: no such script' >&2\nexit 1")
	_, err := playing.turn(0, time.Hour, func() error { return nil })
	if fault := (*faults.Fault)(nil); !errors.As(err, &fault) || !strings.Contains(fault.Message, "no such script") {
		t.Errorf("%v", err)
	}
	if err := playing.Prepare(context.Background(), 1, func(int, int) {}); err == nil {
		t.Error("it has prepared")
	}
}

func TestTheServerTellsTransactionsWhereNobodyElseDoes(t *testing.T) {
	begin := reading{status: map[string]float64{"questions": 10, "com_commit": 1, "com_rollback": 0}}
	end := reading{status: map[string]float64{"questions": 111, "com_commit": 5, "com_rollback": 1}}
	event, err := turnEvent(&done{took: time.Second, byServer: true}, begin, end, &wanted{})
	if err != nil || event.Transactions != 5 || event.Statements != 100 {
		t.Errorf("%+v (%v)", event, err)
	}
	// Each statement is one where none is committed by a statement of its own.
	end.status["com_commit"], end.status["com_rollback"] = 1, 0
	if event, _ = turnEvent(&done{took: time.Second, byServer: true}, begin, end, &wanted{}); event.Transactions != 100 {
		t.Errorf("%+v", event)
	}
}
