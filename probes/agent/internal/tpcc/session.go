package tpcc

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/go-sql-driver/mysql"
	"github.com/pingcap/go-tpc/pkg/workload"
	library "github.com/pingcap/go-tpc/tpcc"
)

// errRehearsal ends a transaction before it begins.
var errRehearsal = errors.New("only prepared for")

// passing are the numbers of errors that end a transaction and not the load: a lock that was waited for
// too long, a deadlock, and MariaDB's row that has changed since the transaction's snapshot.
var passing = []uint16{1205, 1213, 1020}

// Passing tells whether the next transaction may do, on the same session: the one that failed was rolled back.
func Passing(err error) bool {
	var said *mysql.MySQLError
	return errors.As(err, &said) && slices.Contains(passing, said.Number)
}

// Session is one connection. One goroutine at a time uses it.
type Session struct {
	pool    *sql.DB
	library workload.Workloader
	context context.Context
	index   int
	record  *record
}

// Session connects, and prepares all statements: a transaction sends no others. Sixty or so are kept by
// the server for each session, whose max_prepared_stmt_count must allow for that.
func (w *Workload) Session(ctx context.Context, index int) (*Session, error) {
	if index < 0 || index >= w.config.Connections {
		return nil, fmt.Errorf("tpcc: there is no session %d of %d", index, w.config.Connections)
	}
	seen := &record{kind: unknown, rehearsing: true}
	login := w.into()
	login.DialFunc = seen.dial
	made, err := mysql.NewConnector(login)
	if err != nil {
		return nil, fmt.Errorf("tpcc: %w", err)
	}
	s := &Session{index: index, record: seen, pool: sql.OpenDB(&connector{
		Connector: made,
		watch:     func(c connection) driver.Conn { return &watched{connection: c, record: seen} },
		failed:    seen.fail,
	})}
	if err := s.rehearse(ctx, w); err != nil {
		s.Close()
		return nil, fmt.Errorf("tpcc: %w", err)
	}
	return s, nil
}

// rehearse lets go-tpc connect and prepare its statements, and seeds its numbers.
func (s *Session) rehearse(ctx context.Context, w *Workload) error {
	shown := &shown{Context: ctx}
	err := silently(func() error {
		return recovered(func() (err error) {
			if s.library, err = library.NewWorkloader(s.pool, w.options(1)); err != nil {
				return err
			}
			// No statement of a context that never ends has to be watched, which costs the client dearly.
			shown.Context = s.library.InitThread(ctx, s.index)
			s.context = context.WithoutCancel(shown.Context)
			return s.library.Run(shown, s.index)
		})
	})
	all := uint(1)<<len(kinds) - 1
	switch {
	case s.record.failure != nil:
		return s.record.failure
	case !errors.Is(err, errRehearsal):
		return fmt.Errorf("go-tpc prepares no transaction: %w", err)
	case s.record.known != all || shown.state == nil:
		return errors.New("go-tpc does other things than those that are known")
	}
	shown.state.R.Seed(w.config.Seed + int64(s.index))
	s.record.rehearsing = false
	return nil
}

// shown is a context that sees what go-tpc keeps in it: under a key of its own, a structure in which a
// workload.TpcState is embedded.
type shown struct {
	context.Context
	state *workload.TpcState
}

func (s *shown) Value(key any) any {
	kept := s.Context.Value(key)
	if pointer := reflect.ValueOf(kept); pointer.Kind() == reflect.Pointer && pointer.Elem().Kind() == reflect.Struct {
		if field := pointer.Elem().FieldByName("TpcState"); field.IsValid() && field.CanInterface() {
			if state, ok := field.Interface().(*workload.TpcState); ok {
				s.state = state
			}
		}
	}
	return kept
}

// Do plays one transaction, chosen at random by TPC-C's shares, and tells its kind as an index of Kinds.
// A new_order that TPC-C wants rolled back is done. An error is the server's own, within; after one that
// is not Passing the session is of no use, as after ctx ended meanwhile. The kind of one that failed before its
// first statement is -1.
func (s *Session) Do(ctx context.Context) (kind int, err error) {
	if ctx.Err() != nil {
		return unknown, fmt.Errorf("tpcc: %w", context.Cause(ctx))
	}
	s.record.begin()
	ended := context.AfterFunc(ctx, s.record.hangUp)
	err = s.library.Run(s.context, s.index)
	if !ended() {
		return s.record.kind, fmt.Errorf("tpcc: %w", context.Cause(ctx))
	}
	switch kind = s.record.kind; {
	case s.record.failure != nil:
		return kind, fmt.Errorf("tpcc: %s: %w", name(kind), s.record.failure)
	case err != nil:
		return kind, fmt.Errorf("tpcc: %s: %w", name(kind), err)
	case kind == unknown:
		return kind, errors.New("tpcc: go-tpc has done nothing that is known")
	}
	return kind, nil
}

// Statements counts those that the session has sent since it was made, with each BEGIN, COMMIT and ROLLBACK.
func (s *Session) Statements() uint64 { return s.record.statements }

// Close says goodbye.
func (s *Session) Close() {
	if s.context != nil {
		s.library.CleanupThread(s.context, s.index)
	}
	_ = s.pool.Close()
}

func name(kind int) string {
	if kind == unknown {
		return "a transaction"
	}
	return kinds[kind]
}
