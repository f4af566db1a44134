package tpcc

import (
	"context"
	"database/sql/driver"
	"io"
	"net"
	"strings"
	"sync"

	"leadline/agent/internal/faults"
)

// What go-tpc does is seen where it speaks with the server: it takes any connections that database/sql
// can make, and these pass all on to MySQL's own and note which transaction it was and how it ended.

// connection is all that MySQL's connections can do for database/sql.
type connection interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.NamedValueChecker
}

// statement is all that MySQL's prepared statements can do for database/sql.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
}

// connector makes connections that are watched. failed hears why one can't be made.
type connector struct {
	driver.Connector
	watch  func(connection) driver.Conn
	failed func(error)
}

func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		c.failed(err)
		return nil, err
	}
	return c.watch(made.(connection)), nil
}

// record is what a session's connection has seen. One goroutine at a time uses it, but for hangUp.
type record struct {
	// rehearsing lets no transaction begin.
	rehearsing bool
	// known has the bit of each kind whose first statement has been prepared.
	known uint
	// kind is that of the transaction that is under way or was the last, unknown until it is seen.
	kind int
	// failure is the first error since the transaction began: go-tpc hands on its text alone, if that.
	failure error

	line sync.Mutex
	wire net.Conn
}

func (r *record) begin() { r.kind, r.failure = unknown, nil }

func (r *record) fail(err error) {
	if err != nil && r.failure == nil {
		r.failure = err
	}
}

// dial makes the network's connection, once, and keeps it for hangUp. go-tpc would connect anew when it is
// lost, within a transaction's time.
func (r *record) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if r.wire != nil {
		return nil, faults.New(faults.MySQLLost, "the connection to the MySQL server was lost")
	}
	var dialer net.Dialer
	made, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	r.line.Lock()
	defer r.line.Unlock()
	r.wire = made
	return made, nil
}

// hangUp ends a statement that is under way. The connection is of no use afterwards.
func (r *record) hangUp() {
	r.line.Lock()
	defer r.line.Unlock()
	if r.wire != nil {
		_ = r.wire.Close()
	}
}

// watched is a session's connection.
type watched struct {
	connection
	record *record
}

func (w *watched) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	made, err := w.connection.PrepareContext(ctx, query)
	w.record.fail(err)
	if err != nil {
		return nil, err
	}
	kind := kindOf(query)
	if kind != unknown {
		w.record.known |= 1 << kind
	}
	return &prepared{statement: made.(statement), record: w.record, kind: kind}, nil
}

// Ping asks nothing. go-tpc asks before each transaction whether the server is there; here the transaction tells.
func (w *watched) Ping(context.Context) error { return nil }

func (w *watched) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if w.record.rehearsing {
		return nil, errRehearsal
	}
	begun, err := w.connection.BeginTx(ctx, options)
	w.record.fail(err)
	if err != nil {
		return nil, err
	}
	return &transaction{Tx: begun, record: w.record}, nil
}

type transaction struct {
	driver.Tx
	record *record
}

func (t *transaction) Commit() error {
	err := t.Tx.Commit()
	t.record.fail(err)
	return err
}

func (t *transaction) Rollback() error {
	err := t.Tx.Rollback()
	t.record.fail(err)
	return err
}

// prepared is a statement of the transaction kind, or of one that can't be decided by it.
type prepared struct {
	statement
	record *record
	kind   int
}

func (p *prepared) ExecContext(ctx context.Context, values []driver.NamedValue) (driver.Result, error) {
	p.seen()
	result, err := p.statement.ExecContext(ctx, values)
	p.record.fail(err)
	return result, err
}

func (p *prepared) QueryContext(ctx context.Context, values []driver.NamedValue) (driver.Rows, error) {
	p.seen()
	found, err := p.statement.QueryContext(ctx, values)
	p.record.fail(err)
	if err != nil {
		return nil, err
	}
	return &rows{Rows: found, record: p.record}, nil
}

// seen takes the transaction's kind from the first statement that it is known by.
func (p *prepared) seen() {
	if p.record.kind == unknown {
		p.record.kind = p.kind
	}
}

// rows are those of a statement: a lock that can't be had may be told as late as here, and go-tpc does
// not ask for it.
type rows struct {
	driver.Rows
	record *record
}

func (r *rows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	if err != io.EOF {
		r.record.fail(err)
	}
	return err
}

// first is how the first statement of each kind begins; new_order and stock_level read the same column
// of a district, one alone and one with its tax.
var first = []struct {
	begins string
	kind   int
}{
	{"SELECT c_discount, c_last, c_credit, w_tax FROM", newOrder},
	{"UPDATE district SET d_ytd", payment},
	{"SELECT count(c_id) namecnt", orderStatus},
	{"SELECT c_balance, c_first, c_middle, c_last FROM", orderStatus},
	{"SELECT no_o_id FROM", delivery},
	{"SELECT d_next_o_id FROM", stockLevel},
}

// kindOf is the kind of transaction that begins with a statement, or unknown.
func kindOf(query string) int {
	for _, known := range first {
		if strings.HasPrefix(query, known.begins) {
			return known.kind
		}
	}
	return unknown
}
