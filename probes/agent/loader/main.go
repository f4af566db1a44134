// Leadline-load is the small static program that loads a throwaway server of the lab in turns, and freezes
// it in between. PROTOCOL.md beside this file tells what it reads and writes.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/load"
)

// version is set by the linker (-X main.version=...).
var version = "0.0.0"

// protocol is the version of what is read and written.
const protocol = 1

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "version":
		os.Exit(events.TellVersion(os.Stdout, version, protocol))
	case len(os.Args) == 1:
		load.WithoutPreemption()
		os.Exit(run(os.Stdin, os.Stdout))
	default:
		fmt.Fprintln(os.Stderr, "usage: leadline-load [version]")
		os.Exit(2)
	}
}

// run reads a plan and commands from in and reports to out; it returns the exit status. It ends the
// process at once when in closes or a signal asks for it, and leaves no server frozen.
func run(in io.Reader, out io.Writer) int {
	freezer := &freezer{}
	leave := func() {
		freezer.letGo()
		events.Stop()
	}
	leaveOnSignals(leave)
	writer := events.NewWriter(out, leave)
	decoder := json.NewDecoder(in)
	wanted, err := readPlan(decoder)
	if err == io.EOF {
		return events.StoppedEarly
	}
	if err != nil {
		return failed(writer, freezer, err)
	}
	clock.UseCounter()
	writer.Write(hello{"hello", version, protocol})
	go stayAlive(writer)
	course := &course{wanted: wanted, writer: writer, freezer: freezer, commands: make(chan asked)}
	go listen(decoder, course.commands, leave)
	// After an error connections may still be at work on what would be closed.
	if err = course.run(); err != nil {
		return failed(writer, freezer, err)
	}
	freezer.letGo()
	course.close()
	writer.Write(events.Plain{Event: "done"})
	return 0
}

// leaveOnSignals catches SIGPIPE too: a reader that went away must not end this process before its time.
func leaveOnSignals(leave func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	go func() {
		for received := range signals {
			if received != syscall.SIGPIPE {
				leave()
			}
		}
	}()
}
