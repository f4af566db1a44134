package pointselect

import (
	"errors"
	"fmt"
	"math"
	"syscall"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// What sysbench's oltp_read_write puts into one transaction.
const (
	pointReads = 10
	rangeRows  = 100
	padBytes   = 60
	// TransactionStatements are those of one transaction, its beginning and its end included.
	TransactionStatements = 1 + pointReads + 4 + 4 + 1
)

// Mix is what a transaction consists of: how often it does each, on average. The whole part of a count is
// done every time, the rest by chance.
type Mix struct {
	// Points are rows by their keys; the next four read RangeRows rows side by side: plainly, as a sum, in
	// the order of the column, and each different value of it.
	Points   float64 `json:"points"`
	Ranges   float64 `json:"ranges"`
	Sums     float64 `json:"sums"`
	Sorted   float64 `json:"sorted"`
	Distinct float64 `json:"distinct"`
	// IndexUpdates change an indexed column, Updates another one; Replaced rows are deleted and put back.
	IndexUpdates float64 `json:"index_updates"`
	Updates      float64 `json:"updates"`
	Replaced     float64 `json:"replaced"`
	RangeRows    int64   `json:"range_rows"`
	// Begin makes all of it one transaction. Without it each is one of its own: one is drawn in proportion
	// to the counts.
	Begin bool `json:"begin"`
}

// oltpReadWrite is what ReadWrite consists of.
var oltpReadWrite = Mix{
	Points: pointReads, Ranges: 1, Sums: 1, Sorted: 1, Distinct: 1, RangeRows: rangeRows,
	IndexUpdates: 1, Updates: 1, Replaced: 1, Begin: true,
}

// Kinds of what a transaction does; see Mix.
const (
	pointRead = iota
	firstRange
	indexUpdate = firstRange + 4
	rowUpdate   = indexUpdate + 1
	replaced    = rowUpdate + 1
	doings      = replaced + 1
)

// counts are those of a mix, in the order of the kinds.
func (m *Mix) counts() [doings]float64 {
	return [doings]float64{m.Points, m.Ranges, m.Sums, m.Sorted, m.Distinct, m.IndexUpdates, m.Updates, m.Replaced}
}

const (
	mostOfAKind  = 10_000
	mostInARange = 100_000
)

// Check tells what is wrong with it.
func (m *Mix) Check() error {
	all := 0.0
	for _, count := range m.counts() {
		if !(count >= 0 && count <= mostOfAKind) {
			return fmt.Errorf("each count must be 0 to %d", mostOfAKind)
		}
		all += count
	}
	if all == 0 {
		return errors.New("it does nothing")
	}
	if m.RangeRows < 1 || m.RangeRows > mostInARange {
		return fmt.Errorf("range_rows must be 1 to %d", mostInARange)
	}
	return nil
}

// Writes tells whether it changes rows.
func (m *Mix) Writes() bool { return m.IndexUpdates+m.Updates+m.Replaced > 0 }

// chances are a mix as a client draws from it. Without transactions whole is not used, and part says below
// which draw each kind lies.
type chances struct {
	whole [doings]int
	part  [doings]uint64
}

func (m *Mix) chances() (made chances) {
	counts := m.counts()
	if m.Begin {
		for kind, count := range counts {
			whole, part := math.Modf(count)
			made.whole[kind], made.part[kind] = int(whole), uint64(part*(1<<63))<<1
		}
		return made
	}
	all, below := 0.0, 0.0
	for _, count := range counts {
		all += count
	}
	for kind, count := range counts {
		below += count / all
		if made.part[kind] = math.MaxUint64; below < 1-1e-12 {
			made.part[kind] = uint64(below*(1<<63)) << 1
		}
	}
	return made
}

// transactionBytes hold a hundred rows with their packets' headers: what is read at a time.
const transactionBytes = 64 << 10

// duplicateKey is the server's error for a row that somebody else has put back first.
const duplicateKey = 1062

// transaction reads and changes rows through a client. It is a load.Worker.
type transaction struct {
	*client
	mix                     Mix
	chances                 chances
	start, commit, rollback []byte
	row                     *execution
	ranges                  [4]*execution
	addOne, change          *execution
	remove, insert          *execution
	// values are what is sent along: of the change, and of the row that is put back.
	values [3][]byte
	// got is the latest answer, errno what kept it from coming.
	got   answer
	errno syscall.Errno
}

// beginTransactions says what has to be said before the loop, and carries out one transaction.
func (c *client) beginTransactions(table plan.Table, mix Mix) error {
	made := &transaction{client: c, mix: mix, chances: mix.chances(),
		start:    framed(commandQuery, []byte("BEGIN")),
		commit:   framed(commandQuery, []byte("COMMIT")),
		rollback: framed(commandQuery, []byte("ROLLBACK")),
	}
	c.worker, c.buffer = made, make([]byte, transactionBytes)
	for _, statement := range statementsFor(plan.Prepared, table).before {
		if err := c.ask(framed(commandQuery, []byte(statement)), &answer{}); err != nil {
			return err
		}
	}
	oldEOFs, err := made.prepareReads(table)
	if err != nil {
		return err
	}
	if err := made.prepareChanges(table, oldEOFs); err != nil {
		return err
	}
	if !made.once() {
		return made.takeBack()
	}
	return nil
}

func (t *transaction) prepareReads(table plan.Table) (oldEOFs bool, err error) {
	from := " FROM " + quoted(table.Name) + " WHERE " + quoted(table.Key)
	column := quoted(table.Column)
	number, oldEOFs, err := t.prepare("SELECT "+column+from+"=?", 1)
	if err != nil {
		return false, err
	}
	t.row = executionOf(number, aNumber)
	within := from + " BETWEEN ? AND ?"
	for index, statement := range []string{
		"SELECT " + column + within,
		"SELECT SUM(`k`)" + within,
		"SELECT " + column + within + " ORDER BY " + column,
		"SELECT DISTINCT " + column + within + " ORDER BY " + column,
	} {
		number, _, err := t.prepare(statement, 2)
		if err != nil {
			return false, err
		}
		t.ranges[index] = executionOf(number, aNumber, aNumber)
	}
	return oldEOFs, nil
}

func (t *transaction) prepareChanges(table plan.Table, oldEOFs bool) error {
	name, key := quoted(table.Name), quoted(table.Key)
	for _, one := range []struct {
		made      **execution
		statement string
		arguments []int
	}{
		{&t.addOne, "UPDATE " + name + " SET `k`=`k`+1 WHERE " + key + "=?", []int{aNumber}},
		{&t.change, updateOf(table), []int{valueBytes, aNumber}},
		{&t.remove, "DELETE FROM " + name + " WHERE " + key + "=?", []int{aNumber}},
		{&t.insert, "INSERT INTO " + name + " (" + key + ", `k`, " + quoted(table.Column) + ", `pad`) VALUES (?, ?, ?, ?)",
			[]int{aNumber, aNumber, valueBytes, padBytes}},
	} {
		number, err := t.prepareChange(one.statement, len(one.arguments), oldEOFs)
		if err != nil {
			return err
		}
		*one.made = executionOf(number, one.arguments...)
	}
	t.values = [3][]byte{t.change.text(0, valueBytes), t.insert.text(2, valueBytes), t.insert.text(3, padBytes)}
	return nil
}

// Run carries out transactions until time is up. One that failed was taken back.
func (t *transaction) Run(lane *load.Lane) error {
	begin, more := t.pause(lane, lane.Begin())
	for more {
		outcome := load.Done
		if !t.once() {
			if err := t.takeBack(); err != nil {
				return err
			}
			outcome = load.Failed
		}
		now := clock.Now()
		if !lane.CountAs(outcome, begin, now) {
			return nil
		}
		begin, more = t.pause(lane, now)
	}
	return nil
}

// once carries out one transaction; false when it failed, see takeBack.
//
//go:nosplit
func (t *transaction) once() bool {
	if !t.mix.Begin {
		drawn, kind := t.draw(), 0
		for kind < doings-1 && drawn >= t.chances.part[kind] {
			kind++
		}
		return t.do(kind)
	}
	if !t.say(t.start) {
		return false
	}
	for kind := range t.chances.whole {
		times := t.chances.whole[kind]
		if part := t.chances.part[kind]; part > 0 && t.draw() < part {
			times++
		}
		for ; times > 0; times-- {
			if !t.do(kind) {
				return false
			}
		}
	}
	return t.say(t.commit)
}

// do carries out one of a kind.
//
//go:nosplit
func (t *transaction) do(kind int) bool {
	switch kind {
	case pointRead:
		t.row.number(0, t.nextKey())
		return t.say(t.row.packet)
	case indexUpdate:
		t.addOne.number(0, t.nextKey())
		return t.say(t.addOne.packet)
	case rowUpdate:
		t.freshen(t.values[0])
		t.change.number(1, t.nextKey())
		return t.say(t.change.packet)
	case replaced:
		t.freshen(t.values[1])
		t.freshen(t.values[2])
		key := t.nextKey()
		t.remove.number(0, key)
		t.insert.number(0, key)
		t.insert.number(1, t.nextKey())
		return t.say(t.remove.packet) && t.say(t.insert.packet)
	default:
		one, first := t.ranges[kind-firstRange], t.nextKey()
		one.number(0, first)
		one.number(1, first+t.mix.RangeRows-1)
		return t.say(one.packet)
	}
}

// say sends a question and follows its answer to the end; false when either failed.
//
//go:nosplit
func (t *transaction) say(question []byte) bool {
	t.got, t.errno = answer{}, 0
	if t.login.encrypted != nil {
		return t.sayEncrypted(question)
	}
	line := t.login.line
	sent, errno := line.send(question)
	for errno == syscall.EINTR {
		sent, errno = line.send(question)
	}
	if errno == 0 && sent != len(question) {
		errno = syscall.EPIPE
	}
	for have := 0; errno == 0; {
		var received int
		received, errno = line.receive(t.buffer[have:])
		if errno == syscall.EINTR {
			errno = 0
			continue
		}
		if errno != 0 {
			break
		}
		if received == 0 {
			// The server has hung up, or says more in one packet than any row of the table holds.
			errno = syscall.ECONNRESET
			break
		}
		have += received
		used := t.got.feed(t.buffer[:have])
		if t.got.done {
			return !t.got.failed && !t.got.strange
		}
		have = copy(t.buffer, t.buffer[used:have])
	}
	t.errno = errno
	return false
}

func (t *transaction) sayEncrypted(question []byte) bool {
	_, err := t.wire.Write(question)
	if err == nil {
		err = t.readRest(&t.got, 0)
	}
	if err != nil {
		t.errno = syscall.ECONNRESET
		return false
	}
	return !t.got.failed && !t.got.strange
}

// takeBack ends a transaction that failed; an error where that was for more than a lock or a key.
func (t *transaction) takeBack() error {
	if t.errno != 0 {
		return lost(t.errno)
	}
	if t.got.strange {
		return faults.New(faults.MySQLQuery, "the server's answer could not be followed")
	}
	number, message := serverError(t.buffer[t.got.failure:])
	if !passing[number] && number != duplicateKey {
		return explainError(number, message)
	}
	return t.ask(t.rollback, &answer{})
}
