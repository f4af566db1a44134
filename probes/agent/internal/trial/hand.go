package trial

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

const (
	// patience is how long the server may take over one statement that sets or reads values.
	patience = 10 * time.Second
	// longPatience is the same of a value that is set in steps: some servers resize before they answer.
	longPatience = 10 * time.Minute
	// persistence is for how long a server that does not answer is tried again on the way back: it may be
	// starting.
	persistence = 10 * time.Minute
	// idle is after how long the server ends a connection that says nothing: its lock goes with it.
	idle = 15
)

// Codes of what ends a trial, as PROTOCOL.md lists them.
const (
	codeRefused = "refused"
	codeChanged = "changed"
	codeLock    = "lock"
)

// hand sets values, over a connection of its own.
type hand struct {
	asked   *asked
	session *pointselect.Session
	// owned tells that a value which is neither old nor new is the server's own doing, not somebody else's.
	owned bool
	// sent tells that a new value was sent to the server.
	sent bool
}

func connect(asked *asked) (*hand, error) {
	made := &hand{asked: asked}
	return made, made.open()
}

func (h *hand) open() error {
	server := *h.asked.MySQL
	server.Tables = map[string]plan.Table{}
	session, err := pointselect.Connect(&server)
	h.session = session
	return err
}

func (h *hand) ask(statement string) ([][]string, error) {
	return h.askWithin(patience, statement)
}

// setting asks for a statement that sets a value.
func (h *hand) setting(statement string) ([][]string, error) {
	if h.asked.inSteps() {
		return h.askWithin(longPatience, statement)
	}
	return h.ask(statement)
}

func (h *hand) askWithin(limit time.Duration, statement string) ([][]string, error) {
	if h.session == nil {
		return nil, faults.New(faults.MySQLLost, "the connection is closed")
	}
	h.session.SetDeadline(clock.Now() + limit.Nanoseconds())
	return h.session.Query(statement)
}

func (h *hand) close() {
	if h.session != nil {
		h.session.Close()
		h.session = nil
	}
}

// hold takes the lock, and has the server end this connection when nothing is heard of it any more.
func (h *hand) hold() error {
	if _, err := h.ask(fmt.Sprintf("SET SESSION wait_timeout = %d", idle)); err != nil {
		return err
	}
	rows, err := h.ask("SELECT GET_LOCK('" + h.asked.Lock + "', 0)")
	if err != nil {
		return err
	}
	if len(rows) != 1 || len(rows[0]) != 1 || rows[0][0] != "1" {
		return faults.New(codeLock, "the server gave no lock")
	}
	return nil
}

// alive keeps the server from ending the connection.
func (h *hand) alive() error {
	_, err := h.askWithin(unanswered, "DO 0")
	return err
}

// values reads what the server has now, by name.
func (h *hand) values() (map[string]string, error) {
	names := make([]string, 0, len(h.asked.Settings))
	for _, each := range h.asked.Settings {
		names = append(names, "'"+each.Name+"'")
	}
	rows, err := h.ask("SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + strings.Join(names, ", ") + ")")
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, row := range rows {
		if len(row) == 2 {
			found[strings.ToLower(row[0])] = row[1]
		}
	}
	for _, each := range h.asked.Settings {
		if _, ok := found[each.Name]; !ok {
			return nil, faults.New(codeChanged, "the server no longer shows %s", each.Name)
		}
	}
	return found, nil
}

// set sets the values of a side, unless somebody else has set others since: these are not to be taken from them.
func (h *hand) set(to string) error {
	if to == "old" {
		return h.back()
	}
	found, err := h.values()
	if err != nil {
		return err
	}
	if others := h.foreign(found); len(others) > 0 {
		return others
	}
	return h.setNew()
}

// setNew sets the tried values, each looked at right after: a server that warns, rounds or cuts has refused.
func (h *hand) setNew() error {
	err := h.trySetNew()
	var fault *faults.Fault
	h.owned = errors.As(err, &fault) && fault.Code == codeChanged
	return err
}

func (h *hand) trySetNew() error {
	h.sent = true
	for _, each := range h.asked.Settings {
		if !each.tried() {
			continue
		}
		if err := h.setOne(&each, each.New); err != nil {
			return err
		}
	}
	return h.want(true)
}

func (h *hand) setOne(one *setting, value string) error {
	if _, err := h.setting(one.statement(value)); err != nil {
		var fault *faults.Fault
		if errors.As(err, &fault) && fault.Code == faults.MySQLQuery || isDenied(err) {
			return faults.New(codeRefused, "%s: %v", one.Name, err)
		}
		return err
	}
	warnings, err := h.ask("SHOW WARNINGS")
	if err != nil {
		return err
	}
	for _, row := range warnings {
		// MySQL's note that a name is out of date changes nothing.
		if len(row) == 3 && row[1] != "1287" {
			return faults.New(codeChanged, "%s = %s: the server says: %s (%s)", one.Name, value, row[2], row[1])
		}
	}
	return nil
}

func isDenied(err error) bool {
	var fault *faults.Fault
	return errors.As(err, &fault) && (fault.Code == faults.MySQLDenied || fault.Code == faults.MySQLRefused)
}

// want checks that the server has the new values, or the old ones.
func (h *hand) want(tried bool) error {
	found, err := h.values()
	if err != nil {
		return err
	}
	for _, each := range h.asked.Settings {
		wanted := each.Old
		if tried && each.tried() {
			wanted = each.New
		}
		if now := found[each.Name]; !same(now, wanted) && !each.underWay(now) {
			return faults.New(codeChanged, "%s is %s after it was set to %s", each.Name, now, wanted)
		}
	}
	return nil
}

// foreign are values by name that are neither the old nor the tried ones: somebody else has set them.
type foreign map[string]string

func (f foreign) Error() string {
	names := slices.Sorted(maps.Keys(f))
	return "somebody else has set " + strings.Join(names, ", ") + " meanwhile: that stays"
}

// foreign finds them; nil where there are none.
func (h *hand) foreign(found map[string]string) foreign {
	others := foreign{}
	if h.owned {
		return others
	}
	for _, each := range h.asked.Settings {
		if now := found[each.Name]; each.tried() && !each.own(now) {
			others[each.Name] = now
		}
	}
	return others
}

// back sets every old value that is not there any more, the last one first, and reads them back. What
// somebody else has set meanwhile stays, and is a fault.
func (h *hand) back() error {
	found, err := h.values()
	if err != nil {
		return err
	}
	others := h.foreign(found)
	for index := len(h.asked.Settings) - 1; index >= 0; index-- {
		each := &h.asked.Settings[index]
		if _, theirs := others[each.Name]; theirs || h.isBack(each, found[each.Name]) {
			continue
		}
		if _, err := h.setting(each.statement(each.Old)); err != nil {
			return err
		}
		// One may have moved another along with it.
		if found, err = h.values(); err != nil {
			return err
		}
	}
	if len(others) > 0 {
		return others
	}
	return h.want(false)
}

// isBack is whether a setting needs no more than it has. One that is set in steps may be on its way from the old
// value while it shows that: then the old one is set all the same.
func (h *hand) isBack(one *setting, now string) bool {
	return same(now, one.Old) && (len(one.Path) == 0 || !h.sent)
}

// backForSure goes back over as many connections as it takes.
func (h *hand) backForSure() error {
	begin := time.Now()
	pause := 50 * time.Millisecond
	for {
		err := h.back()
		var fault *faults.Fault
		var others foreign
		if err == nil || errors.As(err, &others) || (errors.As(err, &fault) && fault.Code == codeChanged) {
			return err
		}
		if time.Since(begin) > persistence {
			return err
		}
		h.close()
		time.Sleep(pause)
		pause = min(2*pause, 2*time.Second)
		// Where that fails, the next turn says so.
		_ = h.open()
	}
}
