package pointselect

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
)

// saidIn gives the bytes of a server that says these payloads one after the other.
func saidIn(payloads ...string) []byte {
	var said bytes.Buffer
	for at, payload := range payloads {
		size := len(payload)
		said.Write([]byte{byte(size), byte(size >> 8), byte(size >> 16), byte(at)})
		said.WriteString(payload)
	}
	return said.Bytes()
}

func TestOnlyProofsOfThePasswordAreGiven(t *testing.T) {
	const greeting = "\x0a11.4.2-MariaDB\x00"
	for name, trial := range map[string]struct {
		said    []byte
		refused string
	}{
		"at once":                {saidIn(greeting, "\x00\x00\x00"), ""},
		"after a switch":         {saidIn(greeting, "\xfemysql_native_password\x00salt", "\x00"), ""},
		"remembered":             {saidIn(greeting, "\x01\x03", "\x00"), ""},
		"refused by the server":  {saidIn(greeting, "\xff\x15\x04no"), ""},
		"not remembered":         {saidIn(greeting, "\x01\x04"), "full authentication"},
		"a key":                  {saidIn(greeting, "\x01-----BEGIN PUBLIC KEY-----"), "full authentication"},
		"readable":               {saidIn(greeting, "\xfemysql_clear_password\x00"), "mysql_clear_password"},
		"by a key":               {saidIn(greeting, "\xfesha256_password\x00salt"), "sha256_password"},
		"in a dialog":            {saidIn(greeting, "\xfedialog\x00\x04Password: "), "dialog"},
		"in the old way":         {saidIn(greeting, "\xfe"), "mysql_old_password"},
		"in a way with no end":   {saidIn(greeting, "\xfemysql_clear_password"), "mysql_clear_password"},
		"after a proof":          {saidIn(greeting, "\xfeclient_ed25519\x00salt", "\x01\x04"), "full authentication"},
		"no greeting":            {saidIn("\xfemysql_clear_password\x00"), "does not greet"},
		"a packet of no length":  {[]byte{0, 0, 0, 0}, "no part of a login"},
		"a packet of megabytes":  {[]byte{0, 0, 0x7f, 0}, "no part of a login"},
		"a name with a sequence": {saidIn(greeting, "\xfe\x1b[2J\x00"), `\x1b[2J`},
		"found, not remembered":  {saidIn(greeting, "\x01\x04", "\x00"), ""},
		"found, readable":        {saidIn(greeting, "\xfemysql_clear_password\x00"), "mysql_clear_password"},
		"found, a key":           {saidIn(greeting, "\x01-----BEGIN PUBLIC KEY-----"), "full authentication"},
		"found, by a key":        {saidIn(greeting, "\xfesha256_password\x00salt"), "sha256_password"},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs := net.Pipe()
			go func() {
				_, _ = theirs.Write(trial.said)
				_ = theirs.Close()
			}()
			defer ours.Close()
			heard, err := io.ReadAll(&proving{line: &line{Conn: ours}, sha2: strings.HasPrefix(name, "found, ")})
			if trial.refused == "" {
				if err != nil || !bytes.Equal(heard, trial.said) {
					t.Errorf("%q was heard as %q (%v)", trial.said, heard, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), trial.refused) {
				t.Errorf("the refusal is %v", err)
			}
		})
	}
}
