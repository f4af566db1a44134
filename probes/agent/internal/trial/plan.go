// Package trial holds the way back of a trial on a live server: it alone sets the tried values there, watches
// the server meanwhile, and sets the old ones again when it is asked to, when a limit is passed, when its
// input closes, and when nothing is heard of whoever asked. A second process does so when this one is gone.
package trial

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// setting is one global variable: the value that is tried, and the one to go back to. Of what may only move
// along with another one, New is empty: it is never set but on the way back. Path are the values that a
// change in steps may take, the last one New: the server may need a while for each.
type setting struct {
	Name   string `json:"name"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Number bool   `json:"number"`
	// Path is empty of what is switched.
	Path []string `json:"path"`
}

// asked is the plan: one line.
type asked struct {
	Protocol int         `json:"protocol"`
	MySQL    *plan.MySQL `json:"mysql"`
	// Settings in the order in which the new values are set; the old ones are set in the opposite one.
	Settings []setting `json:"settings"`
	// Lock is held on the server for as long as this lives: whoever waits for it knows.
	Lock string `json:"lock"`
	// SilenceSeconds is for how long nothing may be heard of whoever asked.
	SilenceSeconds float64 `json:"silence_s"`
	// Statements asks for the count of statements and their seconds until now; empty where the server keeps
	// no such sums, and then threads at work are counted instead.
	Statements string `json:"statements"`
	// Standby is how many threads count as running on the server and do no work of it: its event scheduler's,
	// and those of connections that wait there for as long as this lives.
	Standby int `json:"standby"`
	// Directories are the server's own, on whose volumes room is to be left.
	Directories []string `json:"directories"`
}

const longestLine = 1 << 20

var (
	settingName = regexp.MustCompile(`^[a-z][a-z0-9_]{1,63}$`)
	lockName    = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	plainNumber = regexp.MustCompile(`^-?[0-9]{1,20}(\.[0-9]{1,9})?$`)
	plainWord   = regexp.MustCompile(`^[A-Za-z0-9_, -]{0,200}$`)
)

func readPlan(reader *bufio.Reader) (*asked, error) {
	line, err := reader.ReadSlice('\n')
	if err == io.EOF && len(line) == 0 {
		return nil, io.EOF
	}
	if err != nil {
		return nil, faults.Fatal(faults.BadPlan, "no plan could be read: %v", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	var read asked
	if err := decoder.Decode(&read); err != nil {
		return nil, faults.Fatal(faults.BadPlan, "the plan can't be read: %v", err)
	}
	if err := read.check(); err != nil {
		return nil, faults.Fatal(faults.BadPlan, "%v", err)
	}
	return &read, nil
}

func (a *asked) check() error {
	switch {
	case a.Protocol != events.Protocol:
		return fmt.Errorf("the plan speaks protocol %d, this program %d", a.Protocol, events.Protocol)
	case a.MySQL == nil:
		return errors.New("mysql is missing")
	case len(a.Settings) == 0 || len(a.Settings) > 16:
		return errors.New("a trial is of 1 to 16 settings")
	case !lockName.MatchString(a.Lock):
		return fmt.Errorf("%q is no name of a lock", a.Lock)
	case !(a.SilenceSeconds >= 1 && a.SilenceSeconds <= 60):
		return errors.New("silence_s goes from 1 to 60")
	}
	for _, each := range a.Settings {
		if err := each.check(); err != nil {
			return err
		}
	}
	if err := a.MySQL.Check(); err != nil {
		return fmt.Errorf("mysql: %w", err)
	}
	return nil
}

func (s *setting) check() error {
	if !settingName.MatchString(s.Name) {
		return fmt.Errorf("%q is no setting's name", s.Name)
	}
	good := plainWord
	if s.Number {
		good = plainNumber
	}
	if !good.MatchString(s.Old) || (s.New != "" && !good.MatchString(s.New)) {
		return fmt.Errorf("%s: a value is neither a number nor a word", s.Name)
	}
	for _, each := range s.Path {
		if !good.MatchString(each) {
			return fmt.Errorf("%s: a step is neither a number nor a word", s.Name)
		}
	}
	return nil
}

func (s *setting) tried() bool { return s.New != "" }

// own is whether a value is one that this trial may have set, or found.
func (s *setting) own(value string) bool {
	return same(value, s.Old) || same(value, s.New) || s.onPath(value)
}

func (s *setting) onPath(value string) bool {
	return slices.ContainsFunc(s.Path, func(each string) bool { return same(value, each) })
}

// underWay is whether the server may still be on its way to a value that was set: it shows an earlier one.
func (s *setting) underWay(value string) bool { return len(s.Path) > 0 && s.own(value) }

// inSteps is whether the server may take long over a value.
func (a *asked) inSteps() bool {
	return slices.ContainsFunc(a.Settings, func(each setting) bool { return len(each.Path) > 0 })
}

// step makes the values of a step those that are tried from now on.
func (a *asked) step(number int) error {
	for index := range a.Settings {
		each := &a.Settings[index]
		if len(each.Path) == 0 {
			continue
		}
		if number < 0 || number >= len(each.Path) {
			return fmt.Errorf("%s has no step %d", each.Name, number)
		}
		each.New = each.Path[number]
	}
	return nil
}

// statement sets the variable for the whole server.
func (s *setting) statement(value string) string {
	if !s.Number {
		value = "'" + value + "'"
	}
	return "SET GLOBAL " + s.Name + " = " + value
}

// same compares values as a server shows them: 90 and 90.000000 are one, so are ON and on.
func same(one, other string) bool {
	first, err := strconv.ParseFloat(one, 64)
	second, otherErr := strconv.ParseFloat(other, 64)
	if err == nil && otherErr == nil {
		return first == second && (len(one) < 16 || one == other)
	}
	return strings.EqualFold(one, other)
}

func (a *asked) silence() time.Duration {
	return time.Duration(a.SilenceSeconds * float64(time.Second))
}
