package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"leadline/agent/internal/faults"
)

const (
	// keeperSilence is for how long the first process may say nothing, were it frozen.
	keeperSilence = 15 * time.Second
	// keeperReady is how long the second one may take to log in.
	keeperReady = 30 * time.Second
	// keeperAnswers is how long it may take to answer.
	keeperAnswers = 2 * time.Second
)

// Words between both processes.
const (
	wordReady    = "ready\n"
	wordArm      = "arm\n"
	wordArmed    = "armed\n"
	wordBeat     = "beat\n"
	wordReleased = "released\n"
)

// KeeperMain is the second process: when the first one ends without a word, or is silent, it goes back.
func KeeperMain(in io.Reader, out io.Writer) int {
	// It outlives what ends the first one.
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	reader := bufio.NewReaderSize(in, longestLine)
	asked, err := readPlan(reader)
	if err != nil {
		return 2
	}
	held, err := connect(asked)
	if err != nil {
		fmt.Fprintf(out, "%v\n", err)
		return 1
	}
	defer held.close()
	if _, err := io.WriteString(out, wordReady); err != nil {
		return 1
	}
	armed := false
	lines := linesOf(reader)
	for {
		select {
		case line, more := <-lines:
			switch {
			case !more && armed:
				return statusOf(held.backForSure())
			case !more || line == wordReleased:
				return 0
			case line == wordArm:
				armed, held.sent = true, true
				if _, err := io.WriteString(out, wordArmed); err != nil {
					return statusOf(held.backForSure())
				}
			case line == wordBeat:
				// Where the connection is gone, the way back opens another.
				_ = held.alive()
			}
		case <-time.After(keeperSilence):
			if armed {
				return statusOf(held.backForSure())
			}
			return 0
		}
	}
}

func statusOf(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// linesOf reads lines until the input ends.
func linesOf(reader *bufio.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	return lines
}

// keeper is the second process as the first one sees it.
type keeper struct {
	input io.WriteCloser
	// gone is closed when it has ended.
	gone    chan struct{}
	answers chan string
}

// startKeeper starts it in a session of its own, so that what ends the first process' group leaves it alive.
func startKeeper(asked *asked) (*keeper, error) {
	command := exec.Command("/proc/self/exe", "trial-keeper")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.Dir = "/"
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	made := &keeper{
		input:   input,
		gone:    make(chan struct{}),
		answers: make(chan string, 16),
	}
	go func() {
		for line := range linesOf(bufio.NewReader(output)) {
			made.answers <- line
		}
		_ = command.Wait()
		close(made.gone)
	}()
	if err := json.NewEncoder(input).Encode(asked); err != nil {
		_ = input.Close()
		return nil, err
	}
	if err := made.hear(wordReady, keeperReady); err != nil {
		_ = input.Close()
		return nil, err
	}
	return made, nil
}

func (k *keeper) hear(wanted string, patience time.Duration) error {
	select {
	case line := <-k.answers:
		if line == wanted {
			return nil
		}
		return faults.New(faults.Guard, "the second process says: %s", line)
	case <-k.gone:
		return errors.New("the second process has ended")
	case <-time.After(patience):
		return errors.New("the second process does not answer")
	}
}

// arm makes sure that it is there and will go back.
func (k *keeper) arm() error {
	if _, err := io.WriteString(k.input, wordArm); err != nil {
		return err
	}
	return k.hear(wordArmed, keeperAnswers)
}

func (k *keeper) beat() error {
	_, err := io.WriteString(k.input, wordBeat)
	return err
}

// release lets it end without doing anything.
func (k *keeper) release() {
	_, _ = io.WriteString(k.input, wordReleased)
	_ = k.input.Close()
	select {
	case <-k.gone:
	case <-time.After(keeperAnswers):
	}
}

// ignoreBrokenPipes lets a write to whoever has gone fail instead of ending the process.
func ignoreBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

// stopSignals are those that ask this process to end.
func stopSignals() <-chan os.Signal {
	heard := make(chan os.Signal, 8)
	signal.Notify(heard, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	return heard
}
