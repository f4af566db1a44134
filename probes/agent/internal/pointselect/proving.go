package pointselect

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// challenges are the kinds of authentication that prove to know the password: it can't be read from
// the answer. Of caching_sha2_password that holds while the server remembers the account.
var challenges = []string{"mysql_native_password", "caching_sha2_password", "client_ed25519"}

// What a server's packets begin with while a client logs in.
const (
	greetingPacket = 0x0a
	okPacket       = 0x00
	morePacket     = 0x01
	errorPacket    = 0xff
	switchPacket   = 0xfe
)

// longestLoginPacket is far more than any server says while a client logs in.
const longestLoginPacket = 1 << 16

// proving is the line below a driver that logs in: it lets no question through whose answer would
// hold the password, readable or under a key of whoever asks, whatever was agreed on before.
type proving struct {
	*line
	// sha2 lets caching_sha2_password's full authentication through: nobody else listens there.
	sha2 bool
	// checked is what was looked at and not read yet.
	checked bytes.Buffer
	over    bool
	greeted bool
	// refused is why the login was ended here; nil where it was not.
	refused error
}

// Read gives the driver one packet at a time, after a look at it; from the end of the login on it
// stands aside.
func (p *proving) Read(data []byte) (int, error) {
	if p.checked.Len() == 0 {
		if p.over {
			return p.line.Read(data)
		}
		if err := p.next(); err != nil {
			return 0, err
		}
	}
	return p.checked.Read(data)
}

func (p *proving) next() error {
	header := make([]byte, 4)
	if _, err := io.ReadFull(p.line, header); err != nil {
		return err
	}
	size := int(header[0]) | int(header[1])<<8 | int(header[2])<<16
	if size == 0 || size > longestLoginPacket {
		return fmt.Errorf("a packet of %d bytes is no part of a login", size)
	}
	payload := make([]byte, size)
	if _, err := io.ReadFull(p.line, payload); err != nil {
		return err
	}
	if p.refused = p.check(payload); p.refused != nil {
		return p.refused
	}
	p.checked.Write(header)
	p.checked.Write(payload)
	return nil
}

func (p *proving) check(payload []byte) error {
	if !p.greeted {
		p.greeted = true
		if payload[0] != greetingPacket && payload[0] != errorPacket {
			return fmt.Errorf("a server does not greet with packet %d", payload[0])
		}
		return nil
	}
	switch payload[0] {
	case okPacket, errorPacket:
		p.over = true
	case switchPacket:
		name, _, _ := bytes.Cut(payload[1:], []byte{0})
		if !slices.Contains(challenges, string(name)) {
			return passwordWanted(shown(name))
		}
	case morePacket:
		// The server remembers the account, and is content with the proof that it has.
		remembered := bytes.Equal(payload, []byte{morePacket, 3})
		if !remembered && !(p.sha2 && bytes.Equal(payload, []byte{morePacket, 4})) {
			return passwordWanted("a full authentication")
		}
	}
	return nil
}

func passwordWanted(asked string) error {
	return fmt.Errorf("the server asks for the password itself (%s), which is not sent without verified TLS", asked)
}

// shown is a name from outside as a message may hold it.
func shown(name []byte) string {
	if len(name) == 0 {
		return "mysql_old_password"
	}
	return fmt.Sprintf("%.40q", name)
}
