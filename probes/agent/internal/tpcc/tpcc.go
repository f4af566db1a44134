// Package tpcc plays TPC-C by the module go-tpc: its tables, its five transactions and their mix, with
// neither keying nor thinking time.
//
// The module is made for a program of its own: it prints, hands on errors as text, keeps its measurements
// to itself, and swallows what fails while it fills. Its connections are this package's, which see what it
// does; what it prints goes nowhere. The constants by which TPC-C's skewed numbers are shifted (its clause
// 2.1.6) are drawn anew by the module in each process, whatever the seed.
package tpcc

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"
	library "github.com/pingcap/go-tpc/tpcc"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/pointselect"
)

// The kinds of transactions, in the order of Kinds.
const (
	newOrder = iota
	payment
	orderStatus
	delivery
	stockLevel
	unknown = -1
)

var kinds = []string{"new_order", "payment", "order_status", "delivery", "stock_level"}

// longest is what go-tpc's own histogram holds at most; it is kept, and read by nobody.
const longest = 16 * time.Second

// Config tells how to log in, and how much there is. Network is unix or tcp, Address a socket's path or a
// host with its port.
type Config struct {
	Network, Address, User, Password, Database string
	Warehouses, Connections                    int
	// Seed decides each session's order of transactions and their rows.
	Seed int64
}

// Workload is TPC-C on one server.
type Workload struct {
	config  Config
	login   *mysql.Config
	control *sql.DB
}

// Open logs in once, without the database, which Prepare makes.
func Open(ctx context.Context, c Config) (*Workload, error) {
	if c.Warehouses < 1 || c.Connections < 1 || c.Database == "" {
		return nil, faults.New(faults.BadPlan, "TPC-C needs warehouses, connections and a database")
	}
	login := mysql.NewConfig()
	login.Net, login.Addr, login.User, login.Passwd = c.Network, c.Address, c.User, c.Password
	login.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(login)
	if err != nil {
		return nil, pointselect.ExplainLogin(err)
	}
	control := sql.OpenDB(connector)
	control.SetMaxOpenConns(1)
	if err := control.PingContext(ctx); err != nil {
		_ = control.Close()
		return nil, pointselect.ExplainLogin(err)
	}
	return &Workload{config: c, login: login, control: control}, nil
}

// Close ends the workload's own connection. Sessions are closed before.
func (w *Workload) Close() { _ = w.control.Close() }

// Kinds are the names of the transactions, as Do numbers them.
func (w *Workload) Kinds() []string { return slices.Clone(kinds) }

// options are those of go-tpc for so many threads.
func (w *Workload) options(threads int) *library.Config {
	return &library.Config{
		Driver: "mysql", DBName: w.config.Database, Warehouses: w.config.Warehouses, Threads: threads,
		Parts: 1, PartitionType: library.PartitionTypeHash, MaxMeasureLatency: longest,
	}
}

// into is the login with the workload's database.
func (w *Workload) into() *mysql.Config {
	login := w.login.Clone()
	login.DBName = w.config.Database
	return login
}

var printing sync.Mutex

// silently runs go-tpc where it prints: os.Stdout leads nowhere meanwhile. A program that speaks there
// keeps its own handle, taken before.
func silently(do func() error) error {
	printing.Lock()
	defer printing.Unlock()
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	kept := os.Stdout
	os.Stdout = nowhere
	defer func() {
		os.Stdout = kept
		_ = nowhere.Close()
	}()
	return do()
}

// recovered runs what panics where go-tpc can't connect, and where it is made to stop.
func recovered(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("go-tpc: %v", cause)
		}
	}()
	return do()
}
