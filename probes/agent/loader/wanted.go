package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

// Kinds of load beside those in workloads.
const (
	pointSelect = "point-select"
	update      = "update"
	readWrite   = "read-write"
	mix         = "mix"
	// These fill their own tables.
	tpccKind     = "tpcc"
	sysbenchKind = "sysbench"
	// noLoad is for who only has statements carried out.
	noLoad = "none"
)

const (
	mostConnections = 1024
	mostWarehouses  = 100_000
	longestThink    = 60 * time.Second
)

// wanted is the plan: which server to load, with what, and what to count.
type wanted struct {
	Protocol int         `json:"protocol"`
	MySQL    *plan.MySQL `json:"mysql"`
	Load     loadPlan    `json:"load"`
	Server   struct {
		PID int `json:"pid"`
	} `json:"server"`
	// Status are names of the server's counters, of which the growth counts.
	Status []string `json:"status"`
	// Gauges are those of which the value counts.
	Gauges []string `json:"gauges"`
}

// loadPlan is what the connections do.
type loadPlan struct {
	Kind        string `json:"kind"`
	Table       string `json:"table"`
	Connections int    `json:"connections"`
	Keys        string `json:"keys"`
	Seed        uint64 `json:"seed"`
	ThinkUS     int64  `json:"think_us"`
	Warehouses  int    `json:"warehouses"`
	// Hot is for keys of that kind, Mix for loads of that kind.
	Hot pointselect.Hot `json:"hot"`
	Mix pointselect.Mix `json:"mix"`
	// Script and Options are sysbench's.
	Script  string   `json:"script"`
	Options []string `json:"options"`
}

func (l loadPlan) think() time.Duration { return time.Duration(l.ThinkUS) * time.Microsecond }

// asked is a command.
type asked struct {
	Do      string  `json:"do"`
	SettleS float64 `json:"settle_s"`
	Seconds float64 `json:"seconds"`
	Freeze  bool    `json:"freeze"`
	// Statements are carried out by a "run", on so many Connections.
	Statements  []string `json:"statements"`
	Connections int      `json:"connections"`
	// unread tells why the line could not be read.
	unread error
}

// readPlan takes the plan and checks it whole. Without any the error is io.EOF.
func readPlan(decoder *json.Decoder) (*wanted, error) {
	decoder.DisallowUnknownFields()
	var read wanted
	if err := decoder.Decode(&read); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, faults.Fatal(faults.BadPlan, "no plan could be read: %v", err)
	}
	if read.Protocol != protocol {
		return nil, faults.Fatal(faults.BadPlan, "the plan speaks protocol %d, this program %d", read.Protocol, protocol)
	}
	if err := read.check(); err != nil {
		return nil, faults.Fatal(faults.BadPlan, "%v", err)
	}
	return &read, nil
}

var statusName = regexp.MustCompile(`^[A-Za-z0-9_]{1,128}$`)

func (w *wanted) check() error {
	if w.MySQL == nil {
		return errors.New("mysql is missing")
	}
	if err := w.MySQL.Check(); err != nil {
		return fmt.Errorf("mysql: %w", err)
	}
	if w.Server.PID < 0 || w.Server.PID == 1 {
		return fmt.Errorf("the server can't be process %d", w.Server.PID)
	}
	for _, name := range slices.Concat(w.Status, w.Gauges) {
		if !statusName.MatchString(name) {
			return fmt.Errorf("%q is no name of a counter", name)
		}
	}
	if err := w.checkLoad(); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	return nil
}

func (w *wanted) checkLoad() error {
	load := w.Load
	switch {
	case load.Kind == noLoad:
		return nil
	case load.Connections < 1 || load.Connections > mostConnections:
		return fmt.Errorf("connections must be 1 to %d", mostConnections)
	case load.ThinkUS < 0 || load.think() > longestThink:
		return fmt.Errorf("think_us must be 0 or more and at most %v", longestThink)
	}
	switch load.Kind {
	case sysbenchKind:
		return load.checkSysbench()
	case tpccKind:
		if load.Warehouses < 1 || load.Warehouses > mostWarehouses {
			return fmt.Errorf("warehouses must be 1 to %d", mostWarehouses)
		}
		return nil
	}
	if _, found := rowKinds[load.Kind]; !found {
		return fmt.Errorf("there is no load %q", load.Kind)
	}
	switch load.Keys {
	case pointselect.UniformKeys, pointselect.ZipfKeys, pointselect.ParetoKeys:
	case pointselect.HotKeys:
		if err := load.Hot.Check(); err != nil {
			return err
		}
	default:
		return fmt.Errorf("keys must be uniform, zipf, pareto or hot, not %q", load.Keys)
	}
	if load.Kind == mix {
		if err := load.Mix.Check(); err != nil {
			return fmt.Errorf("mix: %w", err)
		}
	}
	table, found := w.MySQL.Tables[load.Table]
	switch {
	case !found:
		return fmt.Errorf("there is no table %q", load.Table)
	case load.Kind != pointSelect && !table.Own:
		return fmt.Errorf("table %q is not ours to write to", load.Table)
	}
	return nil
}

// checkSysbench refuses what would be read as something else than a script and its options.
func (l *loadPlan) checkSysbench() error {
	if l.Script == "" || strings.HasPrefix(l.Script, "-") {
		return fmt.Errorf("%q is no script of sysbench", l.Script)
	}
	for _, option := range l.Options {
		if !strings.HasPrefix(option, "--") {
			return fmt.Errorf("%q is no option of sysbench", option)
		}
	}
	return nil
}

// check tells what is wrong with a command's times.
func (a asked) check() error {
	const longest = 3600
	switch {
	case !(a.Seconds > 0 && a.Seconds <= longest):
		return errors.New("seconds must be above 0 and at most an hour")
	case !(a.SettleS >= 0 && a.SettleS <= longest):
		return errors.New("settle_s must be 0 or more and at most an hour")
	}
	return nil
}

// listen passes commands on until the other side is gone, and leaves then: nobody is left to load for.
func listen(decoder *json.Decoder, commands chan<- asked, leave func()) {
	waiting := make(chan asked, 64)
	go func() {
		for command := range waiting {
			commands <- command
		}
	}()
	for {
		var read asked
		err := decoder.Decode(&read)
		if err == io.EOF {
			leave()
			return
		}
		if err != nil {
			waiting <- asked{unread: fmt.Errorf("a command could not be read: %w", err)}
			return
		}
		waiting <- read
	}
}
