package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/latency"
	"leadline/agent/internal/pointselect"
)

// sysbench is a script of sysbench's, which is started for each turn and killed after it: one that is frozen
// in the middle of a transaction would hold its rows. What it does is counted by the server.
type sysbench struct {
	wanted *wanted
	// starts are the processes to start, each by the one thread that lives as long as this program: a child
	// is killed when the thread ends that has started it.
	starts chan func()
}

func openSysbench(_ context.Context, wanted *wanted) (filling, error) {
	if wanted.MySQL.Network != "unix" || wanted.MySQL.Password != "" {
		return nil, faults.New(faults.BadPlan, "sysbench: the server is reached by its socket, without a password")
	}
	if _, err := exec.LookPath(sysbenchKind); err != nil {
		return nil, faults.New(faults.BadPlan, "sysbench is not installed: %v", err)
	}
	opened := &sysbench{wanted: wanted, starts: make(chan func())}
	go func() {
		runtime.LockOSThread()
		for start := range opened.starts {
			start()
		}
	}()
	return opened, nil
}

func (s *sysbench) command(threads int, do string) *exec.Cmd {
	login, load := s.wanted.MySQL, s.wanted.Load
	words := append([]string{
		load.Script, "--db-driver=mysql", "--mysql-socket=" + login.Address, "--mysql-user=" + login.User,
		"--mysql-db=" + login.Database, fmt.Sprintf("--threads=%d", threads),
	}, load.Options...)
	command := exec.Command(sysbenchKind, append(words, do)...)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return command
}

// start starts a process whose output is read.
func (s *sysbench) start(command *exec.Cmd) (io.Reader, error) {
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = command.Stdout
	started := make(chan error)
	s.starts <- func() { started <- command.Start() }
	return output, <-started
}

// Prepare lets the script make its tables.
func (s *sysbench) Prepare(_ context.Context, _ int, report func(done, total int)) error {
	report(0, 1)
	command := s.command(1, "prepare")
	output, err := s.start(command)
	if err != nil {
		return faults.New(faults.BadPlan, "sysbench could not be started: %v", err)
	}
	said := lastLines(output, nil)
	if err := command.Wait(); err != nil {
		return failedSysbench(err, said)
	}
	report(1, 1)
	return nil
}

// Prepared tells whether there are tables.
func (s *sysbench) Prepared(context.Context) (bool, error) {
	login := *s.wanted.MySQL
	login.Database = ""
	session, err := pointselect.Connect(&login)
	if err != nil {
		return false, err
	}
	defer session.Close()
	quoted := strings.ReplaceAll(s.wanted.MySQL.Database, "`", "``")
	found, err := session.Query("SHOW TABLES FROM `" + quoted + "`")
	return len(found) > 0, err
}

const (
	// startedLine says that all threads are connected and work.
	startedLine = "Threads started!"
	mostStart   = time.Minute
)

func (s *sysbench) turn(settle, counted time.Duration, around func() error) (*done, error) {
	command := s.command(s.wanted.Load.Connections, "run")
	command.Args = append(command.Args[:len(command.Args)-1], "--time=0", "--events=0", "run")
	output, err := s.start(command)
	if err != nil {
		return nil, faults.New(faults.BadPlan, "sysbench could not be started: %v", err)
	}
	working, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		said := lastLines(output, working)
		ended <- failedSysbench(command.Wait(), said)
	}()
	defer func() {
		// Whoever has ended already needs nothing.
		_ = command.Process.Kill()
	}()
	select {
	case <-working:
	case err := <-ended:
		return nil, err
	case <-time.After(mostStart):
		return nil, faults.New(faults.MySQLLost, "sysbench did not start to work within %v", mostStart)
	}
	var moments [2]int64
	for index, pause := range []time.Duration{settle, counted} {
		select {
		case err := <-ended:
			return nil, err
		case <-time.After(pause):
		}
		if err := around(); err != nil {
			return nil, err
		}
		moments[index] = clock.Now()
	}
	// Before the server is frozen, its clients are gone.
	_ = command.Process.Kill()
	<-ended
	return &done{
		took: time.Duration(moments[1] - moments[0]), byServer: true,
		kinds: map[string]uint64{}, histograms: map[string]*latency.Sum{},
	}, nil
}

// lastLines reads to the end and returns the last of what was said; working is closed at startedLine.
func lastLines(output io.Reader, working chan<- struct{}) []string {
	const most = 5
	var said []string
	for lines := bufio.NewScanner(output); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == startedLine && working != nil {
			close(working)
			working = nil
		}
		if line != "" {
			said = append(said, line)
		}
		said = said[max(0, len(said)-most):]
	}
	return said
}

func failedSysbench(err error, said []string) error {
	if err == nil {
		err = errors.New("it is done")
	}
	return faults.New(faults.MySQLQuery, "sysbench has ended (%v): %.300s", err, strings.Join(said, " / "))
}

// Close stops what starts processes. It is both a filling's and a working's: the one is the other.
func (s *sysbench) Close() { close(s.starts) }

func (s *sysbench) close() {}
