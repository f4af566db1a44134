package plan

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// How a row is asked for.
const (
	Prepared = "prepared"
	SQL      = "sql"
	Handler  = "handler"
)

// How a connection is encrypted: not at all, where the server can, always but to whoever it is,
// to the one server with that certificate, or to one that an authority vouches for.
const (
	TLSOff        = "off"
	TLSPrefer     = "prefer"
	TLSUnverified = "unverified"
	TLSPinned     = "pinned"
	TLSVerify     = "verify"
)

// MySQL tells how to log in, and where the tables are.
type MySQL struct {
	Network    string `json:"network"`
	Address    string `json:"address"`
	User       string `json:"user"`
	Password   string `json:"password"`
	TLS        string `json:"tls"`
	CA         string `json:"ca"`
	ServerName string `json:"server_name"`
	// Certificate is the SHA-256 of the only one that will do, as pairs of hexadecimal digits with
	// colons between; for TLSPinned.
	Certificate string `json:"certificate"`
	// Private tells that nobody else can be on the way, so that the password may go over it.
	Private bool `json:"private"`
	// Found tells that nobody named the socket.
	Found    bool             `json:"found"`
	Database string           `json:"database"`
	Tables   map[string]Table `json:"tables"`
}

// Table has rows with every key from Min to Max, or nearly.
type Table struct {
	Name   string `json:"name"`
	Key    string `json:"key"`
	Column string `json:"column"`
	Min    int64  `json:"min"`
	Max    int64  `json:"max"`
	// Own tells that Leadline made the table, and so may change it.
	Own bool `json:"own"`
}

// Check tells what is wrong with it.
func (m *MySQL) Check() error {
	switch {
	case m.Network != "unix" && m.Network != "tcp":
		return fmt.Errorf("network must be unix or tcp, not %q", m.Network)
	case m.Address == "":
		return errors.New("the address is empty")
	case !slices.Contains([]string{TLSOff, TLSPrefer, TLSUnverified, TLSPinned, TLSVerify}, m.TLS):
		return fmt.Errorf("tls must be off, prefer, unverified, pinned or verify, not %q", m.TLS)
	case m.Private && m.Network == "tcp" && !isLoopback(m.Address):
		return fmt.Errorf("the way to %q is not private", m.Address)
	case m.TLS == TLSPrefer && !m.ReachedPrivately():
		return errors.New("tls prefer is for private ways alone")
	case (m.TLS == TLSPinned) != (m.Certificate != ""):
		return errors.New("a certificate and tls pinned go together")
	}
	for id, table := range m.Tables {
		if table.Name == "" || table.Key == "" || table.Column == "" {
			return fmt.Errorf("table %q: name, key and column are needed", id)
		}
		if table.Min > table.Max || table.Min < math.MinInt64/4 || table.Max > math.MaxInt64/4 {
			return fmt.Errorf("table %q: no keys from %d to %d", id, table.Min, table.Max)
		}
	}
	return nil
}

// ReachedPrivately tells whether the way leads nowhere but to this machine's own server.
func (m *MySQL) ReachedPrivately() bool { return m.Network == "unix" || m.Private }

// TrustsTLS tells whether all is said within TLS, to a server that the plan's author trusts.
func (m *MySQL) TrustsTLS() bool {
	return slices.Contains([]string{TLSUnverified, TLSPinned, TLSVerify}, m.TLS)
}

// isLoopback knows the machine itself by its name and its addresses, and asks nobody who could lie.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// table returns the table of that id, or what is missing.
func (m *MySQL) table(id string) (Table, error) {
	if m == nil {
		return Table{}, errors.New("it needs mysql")
	}
	table, ok := m.Tables[id]
	if !ok {
		return Table{}, fmt.Errorf("there is no table %q", id)
	}
	return table, nil
}
