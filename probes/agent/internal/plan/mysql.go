package plan

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// How a row is asked for.
const (
	Prepared = "prepared"
	SQL      = "sql"
	Handler  = "handler"
)

// How a connection is encrypted.
const (
	TLSOff     = "off"
	TLSPrefer  = "prefer"
	TLSRequire = "require"
	TLSVerify  = "verify"
)

// MySQL tells how to log in, and where the tables are.
type MySQL struct {
	Network    string           `json:"network"`
	Address    string           `json:"address"`
	User       string           `json:"user"`
	Password   string           `json:"password"`
	TLS        string           `json:"tls"`
	CA         string           `json:"ca"`
	ServerName string           `json:"server_name"`
	Database   string           `json:"database"`
	Tables     map[string]Table `json:"tables"`
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

func (m *MySQL) check() error {
	switch {
	case m.Network != "unix" && m.Network != "tcp":
		return fmt.Errorf("network must be unix or tcp, not %q", m.Network)
	case m.Address == "":
		return errors.New("the address is empty")
	case !slices.Contains([]string{TLSOff, TLSPrefer, TLSRequire, TLSVerify}, m.TLS):
		return fmt.Errorf("tls must be off, prefer, require or verify, not %q", m.TLS)
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
