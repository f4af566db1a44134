package guard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// politeness is how long a command has to end after SIGTERM.
const politeness = 3 * time.Second

type started struct {
	Event string `json:"event"`
	PID   int    `json:"pid"`
}

type ended struct {
	Event  string `json:"event"`
	Status int    `json:"status"`
}

type failed struct {
	Event   string `json:"event"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Fatal   bool   `json:"fatal"`
}

// Main runs the command in arguments, in a process group of its own, until it ends, in closes or
// a signal comes; then it ends the command and removes the directories and the traces. The command's own output
// goes to chatter, because out carries events.
func Main(arguments []string, in io.Reader, out, chatter io.Writer) int {
	// The kernel ends the command when the thread that started it ends: keep that thread.
	runtime.LockOSThread()
	asked, err := parse(arguments)
	if err != nil {
		fmt.Fprintln(chatter, err)
		return 2
	}
	stop := stopRequests(in)
	events := json.NewEncoder(out)
	status, err := asked.run(events, chatter, stop)
	if removeErr := asked.removeAll(); err == nil && removeErr != nil {
		err = removeErr
	}
	if err != nil {
		_ = events.Encode(failed{"error", "guard", err.Error(), true})
		return 1
	}
	_ = events.Encode(ended{"ended", status})
	return 0
}

// stopRequests closes its channel when in ends or a signal comes.
func stopRequests(in io.Reader) <-chan struct{} {
	// SIGPIPE is caught so that a reader which went away does not stop the tidying.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	closed := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in)
		close(closed)
	}()
	stop := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-closed:
		}
		close(stop)
	}()
	return stop
}

// run returns the command's exit status; a signal counts as 128 and its number, as in a shell.
func (t *task) run(events *json.Encoder, chatter io.Writer, stop <-chan struct{}) (int, error) {
	if len(t.command) == 0 {
		_ = events.Encode(started{"started", 0})
		<-stop
		return 0, nil
	}
	command := exec.Command(t.command[0], t.command[1:]...)
	command.Dir = t.directory
	command.Stdout, command.Stderr = chatter, chatter
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		return 0, err
	}
	_ = events.Encode(started{"started", command.Process.Pid})
	finished := make(chan error, 1)
	go func() { finished <- command.Wait() }()
	select {
	case err := <-finished:
		killGroup(command, syscall.SIGKILL)
		return status(err)
	case <-stop:
		return status(end(command, finished))
	}
}

// end asks the command's whole group to end, and after a while makes it.
func end(command *exec.Cmd, finished <-chan error) error {
	killGroup(command, syscall.SIGTERM)
	// One that was frozen hears of it only when it goes on.
	killGroup(command, syscall.SIGCONT)
	timer := time.NewTimer(politeness)
	defer timer.Stop()
	var err error
	select {
	case err = <-finished:
		killGroup(command, syscall.SIGKILL)
	case <-timer.C:
		killGroup(command, syscall.SIGKILL)
		err = <-finished
	}
	return err
}

// killGroup reaches what the command left behind too; nobody may be left to reach.
func killGroup(command *exec.Cmd, signal syscall.Signal) {
	_ = syscall.Kill(-command.Process.Pid, signal)
}

func status(err error) (int, error) {
	if err == nil {
		return 0, nil
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	if state, ok := exit.Sys().(syscall.WaitStatus); ok && state.Signaled() {
		return 128 + int(state.Signal()), nil
	}
	return exit.ExitCode(), nil
}

func (t *task) removeAll() error {
	var all error
	for _, directory := range t.remove {
		all = errors.Join(all, os.RemoveAll(directory))
	}
	for _, base := range t.traces {
		all = errors.Join(all, base.Remove())
	}
	return all
}
