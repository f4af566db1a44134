package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// actAsAgent makes the test's own program the agent, so that the races of a whole run are seen.
const actAsAgent = "LEADLINE_TEST_ACT_AS_AGENT"

const soon = 2 * time.Minute

func TestMain(m *testing.M) {
	if os.Getenv(actAsAgent) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// agent is a running one.
type agent struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	crash   bytes.Buffer
}

func start(t *testing.T, arguments ...string) *agent {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startCommand(t, exec.Command(program, arguments...))
}

func startCommand(t *testing.T, command *exec.Cmd) *agent {
	t.Helper()
	started := &agent{t: t, command: command}
	command.Env = append(os.Environ(), actAsAgent+"=1")
	command.Stderr = &started.crash
	var err error
	if started.in, err = command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	started.lines = bufio.NewScanner(out)
	started.lines.Buffer(nil, 1<<20)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = started.in.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return started
}

// shipped builds the program as it ships: without the race detector, whose calls let Go's scheduler
// into the loops, so that it needs more threads and more memory.
func shipped(t *testing.T, directory string) string {
	t.Helper()
	program := filepath.Join(directory, "leadline-agent")
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, ".")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return program
}

func (a *agent) say(plan any) {
	a.t.Helper()
	line, err := json.Marshal(plan)
	if err != nil {
		a.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(a.in, "%s\n", line); err != nil {
		a.t.Fatal(err)
	}
}

type event map[string]any

// next returns the next event; nil at the end.
func (a *agent) next() event {
	a.t.Helper()
	if !a.lines.Scan() {
		return nil
	}
	var got event
	if err := json.Unmarshal(a.lines.Bytes(), &got); err != nil {
		a.t.Fatalf("%q: %v", a.lines.Text(), err)
	}
	return got
}

// until returns all events up to the first of this kind.
func (a *agent) until(kind string) []event {
	a.t.Helper()
	var all []event
	for {
		got := a.next()
		if got == nil {
			_ = a.command.Wait()
			a.t.Fatalf("no %s came after %v; %s", kind, all, a.crash.String())
		}
		all = append(all, got)
		if got["event"] == kind {
			return all
		}
	}
}

// status waits for the end.
func (a *agent) status() int {
	a.t.Helper()
	ended := make(chan struct{})
	go func() {
		for a.lines.Scan() {
			continue
		}
		_ = a.command.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(soon):
		a.t.Fatal("the agent does not end")
	}
	if a.crash.Len() > 0 {
		a.t.Errorf("standard error says %s", a.crash.String())
	}
	return a.command.ProcessState.ExitCode()
}

// longEnough carries out plans that measure for seconds, longer and longer until each point and part has
// held an operation: what fits into a moment depends on what else the machine does.
func longEnough(t *testing.T, plan func(seconds float64) any) []event {
	t.Helper()
	for seconds := 0.3; ; seconds *= 4 {
		measuring := start(t, "probe")
		measuring.say(plan(seconds))
		events := measuring.until("done")
		if status := measuring.status(); status != 0 {
			t.Errorf("status %d", status)
		}
		empty := func(point event) bool { return point["operations"] == 0.0 }
		if seconds > 300 || !slices.ContainsFunc(of("point", events), empty) {
			return events
		}
	}
}

func of(kind string, events []event) []event {
	var some []event
	for _, got := range events {
		if got["event"] == kind {
			some = append(some, got)
		}
	}
	return some
}

func wantEmpty(t *testing.T, directory string) {
	t.Helper()
	names, err := os.ReadDir(directory)
	if err != nil || len(names) > 0 {
		t.Errorf("%s holds %v (%v)", filepath.Base(directory), names, err)
	}
}
