package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

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
 "status": ["Innodb_data_reads"], "gauges": ["Threads_running"]}`

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
		"gauges":          {`Threads_running`, `x') OR ('`},
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
		{Do: "turn", Seconds: 1, SettleS: -1}, {Do: "run", Connections: 1}, {Do: "run", Statements: []string{"DO 1"}},
	} {
		_, err := hear(t, &course{wanted: &wanted{}, freezer: &freezer{}}, command)
		if fault := (*faults.Fault)(nil); !errors.As(err, &fault) || fault.Code != faults.BadPlan {
			t.Errorf("%+v: %v", command, err)
		}
	}
}

func TestWhatTheServerHasCountedIsTold(t *testing.T) {
	begin := reading{status: map[string]float64{"questions": 10, "innodb_data_reads": 5, "gone": 1}}
	end := reading{status: map[string]float64{"questions": 31, "innodb_data_reads": 12}}
	event, err := turnEvent(&done{took: 2 * time.Second, transactions: 4}, begin, end,
		&wanted{Status: []string{"Innodb_data_reads", "Gone", "Never"}, Gauges: []string{"Innodb_data_reads", "Never"}})
	if err != nil {
		t.Fatal(err)
	}
	// The last of 21 questions was the reading itself.
	if event.Statements != 20 || len(event.Status) != 1 || event.Status["Innodb_data_reads"] != 7 || event.Seconds != 2 ||
		len(event.Gauges) != 1 || event.Gauges["Innodb_data_reads"] != 12 {
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
