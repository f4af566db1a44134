package pointselect

import "leadline/agent/internal/plan"

const (
	// valueBytes is the length of every new value: that of the column in the tables that Leadline makes.
	valueBytes = 120
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
	_, oldEOFs, err := c.prepare(said.prefix+"?", 1)
	if err != nil {
		return err
	}
	if protocol == plan.SQL {
		c.request = textUpdate(table)
		return c.tryOnce()
	}
	statement, err := c.prepareChange(updateOf(table), 2, oldEOFs)
	if err != nil {
		return err
	}
	c.request = executeUpdate(statement)
	return c.tryOnce()
}

// updateOf is the statement that gives a row by its key a new value.
func updateOf(table plan.Table) string {
	return "UPDATE " + quoted(table.Name) + " SET " + quoted(table.Column) + "=? WHERE " + quoted(table.Key) + "=?"
}

// executeUpdate asks for a prepared statement with a string and a BIGINT.
func executeUpdate(statement uint32) *request {
	asked := executionOf(statement, valueBytes, aNumber)
	return &request{packet: asked.packet, value: asked.text(0, valueBytes), at: asked.at[1], binary: true}
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
