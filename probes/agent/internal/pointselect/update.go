package pointselect

import (
	"encoding/binary"

	"leadline/agent/internal/plan"
)

const (
	// valueBytes is the length of every new value: that of the column in the tables that Leadline makes.
	valueBytes    = 120
	typeVarString = 0xfd
	// letters need no quoting in SQL and are the same in all character sets of MySQL.
	letters       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
	bitsPerLetter = 6
	lettersADraw  = 64 / bitsPerLetter
)

// beginUpdates says what has to be said before rows are updated, each in a transaction of its own.
func (c *client) beginUpdates(table plan.Table, protocol string) error {
	said := statementsFor(plan.Prepared, table)
	for _, statement := range said.before {
		if err := c.ask(framed(commandQuery, []byte(statement)), &answer{}); err != nil {
			return err
		}
	}
	// The SELECT shows which protocol the server speaks: an update's descriptions do not.
	_, oldEOFs, err := c.prepare(said.prefix + "?")
	if err != nil {
		return err
	}
	if protocol == plan.SQL {
		c.request = textUpdate(table)
		return c.tryOnce()
	}
	statement, err := c.prepareUpdate(table, oldEOFs)
	if err != nil {
		return err
	}
	c.request = executeUpdate(statement)
	return c.tryOnce()
}

func (c *client) prepareUpdate(table plan.Table, oldEOFs bool) (uint32, error) {
	number, columns, parameters, err := c.prepareOnly("UPDATE " + quoted(table.Name) +
		" SET " + quoted(table.Column) + "=? WHERE " + quoted(table.Key) + "=?")
	if err != nil {
		return 0, err
	}
	if columns != 0 || parameters != 2 {
		return 0, strangelyPrepared(2, parameters, columns)
	}
	packets := parameters
	if oldEOFs {
		packets++
	}
	return number, packetReader{c.wire}.skip(packets)
}

// executeUpdate asks for a prepared statement with a string and a BIGINT.
func executeUpdate(statement uint32) *request {
	body := binary.LittleEndian.AppendUint32(nil, statement)
	// See executeRequest; a string has its length before it.
	body = append(body, 0, 1, 0, 0, 0, 0, 1, typeVarString, 0, typeLongLong, 0, valueBytes)
	from := headerBytes + 1 + len(body)
	body = append(body, make([]byte, valueBytes+8)...)
	made := &request{packet: framed(commandExecute, body), at: from + valueBytes, binary: true}
	made.value = made.packet[from : from+valueBytes]
	return made
}

// textUpdate asks with value and key written out.
func textUpdate(table plan.Table) *request {
	before := "UPDATE " + quoted(table.Name) + " SET " + quoted(table.Column) + "='"
	made := textRequest(before+string(make([]byte, valueBytes))+"' WHERE "+quoted(table.Key)+"=", "")
	from := headerBytes + 1 + len(before)
	made.value = made.packet[from : from+valueBytes]
	return made
}

// freshen fills value with letters at random, so that no update is left out as changing nothing.
//
//go:nosplit
func (c *client) freshen(value []byte) {
	for from := 0; from < len(value); from += lettersADraw {
		drawn := c.draw()
		for index := from; index < min(from+lettersADraw, len(value)); index++ {
			value[index] = letters[drawn%(1<<bitsPerLetter)]
			drawn >>= bitsPerLetter
		}
	}
}
