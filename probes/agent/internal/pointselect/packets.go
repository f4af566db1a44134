package pointselect

import (
	"io"

	"leadline/agent/internal/faults"
)

// packetReader reads one whole packet at a time; for the few before the loop.
type packetReader struct{ wire io.Reader }

// next returns a packet's content; an error packet becomes an error.
func (r packetReader) next() ([]byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(r.wire, header[:]); err != nil {
		return nil, lost(err)
	}
	payload := make([]byte, int(header[0])|int(header[1])<<8|int(header[2])<<16)
	if _, err := io.ReadFull(r.wire, payload); err != nil {
		return nil, lost(err)
	}
	if len(payload) > 0 && payload[0] == packetError {
		return nil, explainError(serverError(payload))
	}
	return payload, nil
}

// skipDescriptions reads over what follows a prepared SELECT: descriptions of its parameters and
// of its columns, one of each at least, each group with an EOF packet behind it in the older protocol.
// What follows the parameters shows which protocol is spoken.
func (r packetReader) skipDescriptions(parameters, columns int) (oldEOFs bool, err error) {
	if err := r.skip(parameters); err != nil {
		return false, err
	}
	packet, err := r.next()
	if err != nil {
		return false, err
	}
	if isOldEOF(packet) {
		return true, r.skip(columns + 1)
	}
	return false, r.skip(columns - 1)
}

func (r packetReader) skip(packets int) error {
	for range packets {
		if _, err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

func strangelyPrepared(wanted, parameters, columns int) error {
	return faults.New(faults.MySQLQuery, "a statement with %d parameters was prepared as one with %d, and %d columns",
		wanted, parameters, columns)
}

func isOldEOF(packet []byte) bool {
	return len(packet) == oldEOFBytes && packet[0] == packetEOF
}

// passing are errors that end one query and nothing else: it was killed or took too long, or another
// one had its row (1020 is MariaDB's, with innodb_snapshot_isolation).
var passing = map[int]bool{1020: true, 1205: true, 1213: true, 1317: true, 1969: true, 3024: true}

// going are errors by which a server says goodbye: it shuts down, or somebody ended the connection.
var going = map[int]bool{1053: true, 1077: true, 1927: true, 4031: true}

func explainError(number int, message string) error {
	switch {
	case going[number]:
		return faults.New(faults.MySQLLost, "the server ended the connection: %s (error %d)", message, number)
	case number == erDBAccessDenied || number == 1142 || number == 1143:
		return faults.New(faults.MySQLDenied, "%s (error %d)", message, number)
	default:
		return faults.New(faults.MySQLQuery, "%s (error %d)", message, number)
	}
}

func lost(err error) error {
	return faults.New(faults.MySQLLost, "the connection to the MySQL server was lost: %v", err)
}
