package pointselect

import (
	"encoding/binary"
	"io"
	"math/bits"
	"syscall"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/futex"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// receiveBytes holds any usual answer; a longer one gets more memory.
const receiveBytes = 8 << 10

// client is one connection with its prebuilt question. It is a load.Worker.
type client struct {
	login   *login
	wire    io.ReadWriter
	request *request
	buffer  []byte
	random  uint64
	keys    keys
	// thinkNS is how long to wait between two questions, on average.
	thinkNS uint64
	// worker is who asks: the client itself, or one who asks for more than one row through it.
	worker load.Worker
}

// newClient logs in and says what has to be said before the loop.
func newClient(asked *plan.MySQL, work Work, drawn keys, seed uint64) (*client, error) {
	table := asked.Tables[work.Table]
	opened, err := open(asked)
	if err != nil {
		return nil, err
	}
	made := &client{
		login:   opened,
		wire:    opened.line,
		buffer:  make([]byte, receiveBytes),
		random:  seed,
		keys:    drawn,
		thinkNS: uint64(work.Think.Nanoseconds()),
	}
	made.worker = made
	if opened.encrypted != nil {
		made.wire = opened.encrypted
	}
	switch work.Kind {
	case plan.PKUpdate:
		err = made.beginUpdates(table, work.Protocol)
	case ReadWrite:
		err = made.beginTransactions(table, oltpReadWrite)
	case Mixed:
		err = made.beginTransactions(table, work.Mix)
	default:
		err = made.begin(table, work.Protocol)
	}
	if err != nil {
		opened.close()
		return nil, err
	}
	return made, nil
}

func (c *client) begin(table plan.Table, protocol string) error {
	said := statementsFor(protocol, table)
	for _, statement := range said.before {
		if err := c.ask(framed(commandQuery, []byte(statement)), &answer{}); err != nil {
			return err
		}
	}
	if protocol != plan.Prepared {
		c.request = textRequest(said.prefix, said.suffix)
		return c.tryOnce()
	}
	statement, _, err := c.prepare(said.prefix+"?", 1)
	if err != nil {
		return err
	}
	c.request = executeRequest(statement)
	return c.tryOnce()
}

// tryOnce finds out before the clock runs whether the question is understood.
func (c *client) tryOnce() error {
	return c.ask(c.question(), &answer{})
}

// question is what is asked next; it is valid until the next call.
//
//go:nosplit
func (c *client) question() []byte {
	if c.request.value != nil {
		c.freshen(c.request.value)
	}
	return c.request.forKey(c.nextKey())
}

// nextKey draws a key.
//
//go:nosplit
func (c *client) nextKey() int64 { return c.keys.at(c.draw()) }

// longestNap is how late somebody who waits may see the end of the run.
const longestNap = 10_000_000

// pause waits before the next question, anything from no time to twice what is usual, so that clients
// do not march in step. It returns the time when it is over, and whether there is a next question.
//
//go:nosplit
func (c *client) pause(lane *load.Lane, now int64) (begin int64, more bool) {
	if c.thinkNS == 0 {
		return now, true
	}
	pause, _ := bits.Mul64(c.draw(), 2*c.thinkNS)
	for end := now + int64(pause); now < end; now = clock.Now() {
		if lane.Over(now) {
			return now, false
		}
		futex.Sleep(min(end-now, longestNap))
	}
	return now, true
}

// draw is the generator splitmix64.
//
//go:nosplit
func (c *client) draw() uint64 {
	c.random += 0x9e3779b97f4a7c15
	z := c.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Run asks until time is up.
func (c *client) Run(lane *load.Lane) error {
	if c.login.encrypted != nil {
		return c.runEncrypted(lane)
	}
	begin, more := c.pause(lane, lane.Begin())
	for more {
		var got answer
		errno, left := c.exchange(c.question(), &got)
		if errno != 0 || left >= 0 || got.failed || got.strange {
			if err := c.settle(&got, errno, left); err != nil {
				return err
			}
		}
		now := clock.Now()
		if !lane.CountAs(got.outcome(), begin, now) {
			return nil
		}
		begin, more = c.pause(lane, now)
	}
	return nil
}

// exchange sends the question and reads once, which is enough for nearly every answer: left is
// then -1. Otherwise it is the number of bytes at the buffer's start that await more.
//
//go:nosplit
func (c *client) exchange(question []byte, got *answer) (errno syscall.Errno, left int) {
	line := c.login.line
	sent, errno := line.send(question)
	for errno == syscall.EINTR {
		sent, errno = line.send(question)
	}
	if errno != 0 {
		return errno, 0
	}
	if sent != len(question) {
		return syscall.EPIPE, 0
	}
	received, errno := line.receive(c.buffer)
	if errno != 0 {
		return errno, 0
	}
	if received == 0 {
		return syscall.ECONNRESET, 0
	}
	used := got.feed(c.buffer[:received])
	if got.done {
		return 0, -1
	}
	return 0, copy(c.buffer, c.buffer[used:received])
}

// settle deals with everything that seldom happens: an answer in pieces, an error, a lost server.
func (c *client) settle(got *answer, errno syscall.Errno, left int) error {
	if errno != 0 && errno != syscall.EINTR {
		return lost(errno)
	}
	if !got.done {
		if err := c.readRest(got, left); err != nil {
			return err
		}
	}
	return c.judge(got)
}

// judge lets a few errors pass, such as a query that somebody killed.
func (c *client) judge(got *answer) error {
	if got.strange {
		return faults.New(faults.MySQLQuery, "the server's answer could not be followed")
	}
	if !got.failed {
		return nil
	}
	number, message := serverError(c.buffer[got.failure:])
	if !passing[number] {
		return explainError(number, message)
	}
	return nil
}

func (c *client) runEncrypted(lane *load.Lane) error {
	begin, more := c.pause(lane, lane.Begin())
	for more {
		var got answer
		if _, err := c.wire.Write(c.question()); err != nil {
			return lost(err)
		}
		if err := c.readRest(&got, 0); err != nil {
			return err
		}
		if err := c.judge(&got); err != nil {
			return err
		}
		now := clock.Now()
		if !lane.CountAs(got.outcome(), begin, now) {
			return nil
		}
		begin, more = c.pause(lane, now)
	}
	return nil
}

// readRest reads until the answer's end; have bytes of it are at the buffer's start.
func (c *client) readRest(got *answer, have int) error {
	for !got.done {
		if have == len(c.buffer) {
			c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
		}
		n, err := c.wire.Read(c.buffer[have:])
		if err != nil {
			return lost(err)
		}
		have += n
		used := got.feed(c.buffer[:have])
		if !got.done {
			have = copy(c.buffer, c.buffer[used:have])
		}
	}
	return nil
}

// ask sends one packet and follows the answer; an error of the server's is returned.
func (c *client) ask(packet []byte, got *answer) error {
	if _, err := c.wire.Write(packet); err != nil {
		return lost(err)
	}
	if err := c.readRest(got, 0); err != nil {
		return err
	}
	if got.strange {
		return faults.New(faults.MySQLQuery, "the server's answer could not be followed")
	}
	if got.failed {
		return explainError(serverError(c.buffer[got.failure:]))
	}
	return nil
}

// prepare returns the number of a prepared SELECT with so many parameters, and whether the server speaks
// the older protocol with its EOF packets.
func (c *client) prepare(statement string, wanted int) (number uint32, oldEOFs bool, err error) {
	number, columns, parameters, err := c.prepareOnly(statement)
	if err != nil {
		return 0, false, err
	}
	if parameters != wanted || columns < 1 {
		return 0, false, strangelyPrepared(wanted, parameters, columns)
	}
	oldEOFs, err = packetReader{c.wire}.skipDescriptions(parameters, columns)
	return number, oldEOFs, err
}

// prepareChange returns the number of a prepared statement that returns no rows.
func (c *client) prepareChange(statement string, wanted int, oldEOFs bool) (uint32, error) {
	number, columns, parameters, err := c.prepareOnly(statement)
	if err != nil {
		return 0, err
	}
	if columns != 0 || parameters != wanted {
		return 0, strangelyPrepared(wanted, parameters, columns)
	}
	packets := parameters
	if oldEOFs {
		packets++
	}
	return number, packetReader{c.wire}.skip(packets)
}

// prepareOnly leaves the descriptions of parameters and columns to be read.
func (c *client) prepareOnly(statement string) (number uint32, columns, parameters int, err error) {
	if _, err := c.wire.Write(framed(commandPrepare, []byte(statement))); err != nil {
		return 0, 0, 0, lost(err)
	}
	head, err := packetReader{c.wire}.next()
	if err != nil {
		return 0, 0, 0, err
	}
	if len(head) < 9 {
		return 0, 0, 0, faults.New(faults.MySQLQuery, "the server's answer could not be followed")
	}
	columns = int(binary.LittleEndian.Uint16(head[5:]))
	parameters = int(binary.LittleEndian.Uint16(head[7:]))
	return binary.LittleEndian.Uint32(head[1:]), columns, parameters, nil
}
