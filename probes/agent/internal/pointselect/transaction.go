package pointselect

import (
	"syscall"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// What a transaction consists of is what sysbench's oltp_read_write does.
const (
	pointReads = 10
	rangeRows  = 100
	padBytes   = 60
	// TransactionStatements are those of one transaction, its beginning and its end included.
	TransactionStatements = 1 + pointReads + 4 + 4 + 1
)

// transactionBytes hold the hundred rows of a range with their packets' headers.
const transactionBytes = 64 << 10

// duplicateKey is the server's error for a row that somebody else has put back first.
const duplicateKey = 1062

// transaction reads and changes rows through a client. It is a load.Worker.
type transaction struct {
	*client
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
func (c *client) beginTransactions(table plan.Table) error {
	made := &transaction{client: c,
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
	if !t.say(t.start) {
		return false
	}
	for range pointReads {
		t.row.number(0, t.nextKey())
		if !t.say(t.row.packet) {
			return false
		}
	}
	for _, one := range t.ranges {
		first := t.nextKey()
		one.number(0, first)
		one.number(1, first+rangeRows-1)
		if !t.say(one.packet) {
			return false
		}
	}
	return t.changeRows() && t.say(t.commit)
}

//go:nosplit
func (t *transaction) changeRows() bool {
	for _, value := range t.values {
		t.freshen(value)
	}
	t.addOne.number(0, t.nextKey())
	t.change.number(1, t.nextKey())
	key := t.nextKey()
	t.remove.number(0, key)
	t.insert.number(0, key)
	t.insert.number(1, t.nextKey())
	return t.say(t.addOne.packet) && t.say(t.change.packet) && t.say(t.remove.packet) && t.say(t.insert.packet)
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
