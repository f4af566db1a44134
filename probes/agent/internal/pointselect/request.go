package pointselect

import (
	"encoding/binary"
	"strings"

	"leadline/agent/internal/plan"
)

// Commands of the protocol.
const (
	commandQuery   = 0x03
	commandPrepare = 0x16
	commandExecute = 0x17
	typeLongLong   = 0x08
	typeVarString  = 0xfd
)

// longestKey is the most characters that a key takes in text.
const longestKey = 20

// request is a prebuilt packet in which only the key changes, and the value of an update.
type request struct {
	packet []byte
	// value is the part of packet that holds an update's value; nil otherwise.
	value []byte
	// at is where the key begins; suffix follows it in text, and is empty in binary.
	at     int
	suffix string
	binary bool
}

// execution is a prebuilt packet that asks for a prepared statement; only its arguments change.
type execution struct {
	packet []byte
	// at is where each argument begins.
	at []int
}

// aNumber in place of an argument's length makes it a BIGINT.
const aNumber = 0

// executionOf makes one with a string of that length, at most 250 bytes, for each of lengths.
func executionOf(statement uint32, lengths ...int) *execution {
	const numberBytes, bitsPerByte = 8, 8
	body := binary.LittleEndian.AppendUint32(nil, statement)
	// No cursor; one iteration; no NULLs; types are sent along, as some proxies want them.
	body = append(body, 0, 1, 0, 0, 0)
	body = append(body, make([]byte, (len(lengths)+bitsPerByte-1)/bitsPerByte)...)
	body = append(body, 1)
	for _, length := range lengths {
		if length == aNumber {
			body = append(body, typeLongLong, 0)
		} else {
			body = append(body, typeVarString, 0)
		}
	}
	made := &execution{}
	for _, length := range lengths {
		if length == aNumber {
			length = numberBytes
		} else {
			// A string has its length before it.
			body = append(body, byte(length))
		}
		made.at = append(made.at, headerBytes+1+len(body))
		body = append(body, make([]byte, length)...)
	}
	made.packet = framed(commandExecute, body)
	return made
}

// number replaces an argument.
//
//go:nosplit
func (e *execution) number(argument int, value int64) {
	binary.LittleEndian.PutUint64(e.packet[e.at[argument]:], uint64(value))
}

// text is where a string of that length lies.
func (e *execution) text(argument, length int) []byte {
	return e.packet[e.at[argument] : e.at[argument]+length]
}

// framed puts a packet's header before command and body.
func framed(command byte, body []byte) []byte {
	length := 1 + len(body)
	packet := append(make([]byte, 0, headerBytes+length+longestKey),
		byte(length), byte(length>>8), byte(length>>16), 0, command)
	return append(packet, body...)
}

// executeRequest asks for a prepared statement with one BIGINT.
func executeRequest(statement uint32) *request {
	asked := executionOf(statement, aNumber)
	return &request{packet: asked.packet, at: asked.at[0], binary: true}
}

// textRequest asks with a key written out between prefix and suffix.
func textRequest(prefix, suffix string) *request {
	packet := framed(commandQuery, []byte(prefix))
	at := len(packet)
	packet = append(packet, make([]byte, longestKey+len(suffix))...)
	return &request{packet: packet, at: at, suffix: suffix}
}

// forKey returns the packet that asks for key; it is valid until the next call.
//
//go:nosplit
func (r *request) forKey(key int64) []byte {
	if r.binary {
		binary.LittleEndian.PutUint64(r.packet[r.at:], uint64(key))
		return r.packet
	}
	end := putDecimal(r.packet, r.at, key)
	end += copy(r.packet[end:], r.suffix)
	length := end - headerBytes
	r.packet[0], r.packet[1], r.packet[2] = byte(length), byte(length>>8), byte(length>>16)
	return r.packet[:end]
}

// putDecimal writes value at position and returns where it ends.
//
//go:nosplit
func putDecimal(data []byte, position int, value int64) int {
	rest := uint64(value)
	if value < 0 {
		data[position] = '-'
		position++
		rest = -rest
	}
	digits := 1
	for power := rest / 10; power > 0; power /= 10 {
		digits++
	}
	for index := position + digits - 1; index >= position; index-- {
		data[index] = byte('0' + rest%10)
		rest /= 10
	}
	return position + digits
}

// statements are what a connection says before the loop, and the text of the loop's question.
type statements struct {
	before         []string
	prefix, suffix string
}

func statementsFor(protocol string, table plan.Table) statements {
	// A server may start sessions without autocommit; the first read would then pin a snapshot.
	before := []string{"SET autocommit=1"}
	switch protocol {
	case plan.Handler:
		return statements{
			before: append(before, "HANDLER "+quoted(table.Name)+" OPEN"),
			prefix: "HANDLER " + quoted(table.Name) + " READ `PRIMARY` = (",
			suffix: ")",
		}
	default:
		return statements{
			before: before,
			prefix: "SELECT " + quoted(table.Column) + " FROM " + quoted(table.Name) +
				" WHERE " + quoted(table.Key) + "=",
		}
	}
}

// quoted makes an identifier of name.
func quoted(name string) string {
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}
