// Leadline-agent is the small static program that Leadline runs on a target: it measures storage
// and MySQL, reads facts about the host, and leaves nothing behind. PROTOCOL.md beside this file
// tells what it reads and writes.
package main

import (
	"fmt"
	"os"

	"leadline/agent/internal/events"
	"leadline/agent/internal/guard"
	"leadline/agent/internal/inventory"
	"leadline/agent/internal/load"
	"leadline/agent/internal/pipe"
	"leadline/agent/internal/probe"
	"leadline/agent/internal/trial"
	"leadline/agent/internal/watch"
)

// version is set by the linker (-X main.version=...).
var version = "0.0.0"

const usage = `usage: leadline-agent COMMAND
  version                       tell the version
  probe                         read a plan from standard input, measure, report
  inventory [--path ROLE=DIR]   report raw facts about this host
  watch --seconds=N [--path ROLE=DIR] [--trace]
                                look at disks, host and server, add no load, report
  trial                         read a plan from standard input, set and hold the values that are tried
  connect SOCKET|HOST:PORT      pipe a server's socket to standard input and output
  guard [--chdir D] [--remove DIR]... [--remove-traces BASE]... -- [COMMAND ARG...]
                                run COMMAND until standard input closes, then remove every DIR and trace
`

func main() {
	if len(os.Args) < 2 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	arguments := os.Args[2:]
	switch os.Args[1] {
	case "version":
		os.Exit(events.TellVersion(os.Stdout, version, events.Protocol))
	case "probe":
		load.WithoutPreemption()
		os.Exit(probe.Main(version, os.Stdin, os.Stdout))
	case "inventory":
		os.Exit(inventory.Main(version, arguments, os.Stdout, os.Stderr))
	case "watch":
		os.Exit(watch.Main(version, arguments, os.Stdin, os.Stdout, os.Stderr))
	case "connect":
		os.Exit(pipe.Main(arguments, os.Stdin, os.Stdout, os.Stderr))
	case "trial":
		os.Exit(trial.Main(os.Stdin, os.Stdout))
	case "trial-keeper":
		os.Exit(trial.KeeperMain(os.Stdin, os.Stdout))
	case "guard":
		os.Exit(guard.Main(arguments, os.Stdin, os.Stdout, os.Stderr))
	default:
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
}
