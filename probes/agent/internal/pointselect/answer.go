package pointselect

import (
	"encoding/binary"

	"leadline/agent/internal/load"
)

// Bytes that begin packets, and how a packet is framed.
const (
	packetOK      = 0x00
	packetEOF     = 0xfe
	packetError   = 0xff
	mostColumns   = 0xfa
	headerBytes   = 4
	oldEOFBytes   = 5
	largestPacket = 0xffffff
)

// What the answer's next packet may be.
const (
	atBegin = iota
	atColumns
	atRows
)

// answer follows the packets of one answer to its end. It knows both protocols: the old one ends
// the columns and the rows with an EOF packet each, the newer one the rows alone with an OK packet.
type answer struct {
	state   uint8
	sawEOF  bool
	done    bool
	failed  bool
	strange bool
	columns uint8
	// rows are those that were read, or changed.
	rows uint32
	// failure is the position of a failed answer's error packet in what was fed last.
	failure int
}

// outcome is what became of the question, once it is done with.
//
//go:nosplit
func (a *answer) outcome() load.Outcome {
	switch {
	case a.failed:
		return load.Failed
	case a.rows == 0:
		return load.Missing
	default:
		return load.Done
	}
}

// feed follows all whole packets in data and returns how many bytes they took. It stops behind
// the answer's last packet.
//
//go:nosplit
func (a *answer) feed(data []byte) int {
	used := 0
	for !a.done && len(data)-used >= headerBytes {
		length := int(data[used]) | int(data[used+1])<<8 | int(data[used+2])<<16
		end := used + headerBytes + length
		if end > len(data) {
			break
		}
		a.packet(data[used+headerBytes : end])
		if a.failed {
			a.failure = used + headerBytes
		}
		used = end
	}
	return used
}

//go:nosplit
func (a *answer) packet(payload []byte) {
	if len(payload) == 0 || len(payload) == largestPacket {
		a.done, a.strange = true, true
		return
	}
	if payload[0] == packetError {
		a.done, a.failed = true, true
		return
	}
	switch a.state {
	case atBegin:
		a.begin(payload)
	case atColumns:
		a.columns--
		if a.columns == 0 {
			a.state = atRows
		}
	default:
		switch {
		case payload[0] != packetEOF:
			a.rows++
		case len(payload) == oldEOFBytes && !a.sawEOF:
			a.sawEOF = true
		default:
			a.done = true
		}
	}
}

// begin reads the number of columns. MariaDB adds whether their descriptions follow, where
// the driver agreed to remember them.
//
//go:nosplit
func (a *answer) begin(payload []byte) {
	switch {
	case payload[0] == packetOK:
		a.done = true
		a.rows = affected(payload)
	case payload[0] > mostColumns:
		a.done, a.strange = true, true
	case len(payload) == 2 && payload[1] == 0:
		a.state = atRows
	default:
		a.state, a.columns = atColumns, payload[0]
	}
}

// affected is how many rows a statement changed that returns none. One that changes more than 250
// is not asked here.
//
//go:nosplit
func affected(payload []byte) uint32 {
	if len(payload) < 2 {
		return 0
	}
	return uint32(payload[1])
}

// serverError reads an error packet.
func serverError(payload []byte) (number int, message string) {
	if len(payload) < 3 {
		return 0, "an error without a number"
	}
	number = int(binary.LittleEndian.Uint16(payload[1:]))
	message = string(payload[3:])
	// '#' and five characters of SQL state come before the text.
	if len(message) >= 6 && message[0] == '#' {
		message = message[6:]
	}
	return number, message
}
