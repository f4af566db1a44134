package tpcc

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"reflect"

	"github.com/go-sql-driver/mysql"
	"github.com/pingcap/go-tpc/pkg/workload"
	library "github.com/pingcap/go-tpc/tpcc"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/pointselect"
)

// errRehearsal ends a transaction before it begins.
var errRehearsal = errors.New("only prepared for")

// Passing tells whether the next transaction may do, on the same session: the one that failed was rolled back.
func Passing(err error) bool { return pointselect.Passing(err) }

// Session is one connection. One goroutine at a time uses it.
type Session struct {
	pool    *sql.DB
	library workload.Workloader
	context context.Context
	index   int
	record  *record
}

// Session connects, and prepares all statements: a transaction sends no others. The server keeps 63 for
// each session, and its max_prepared_stmt_count must allow for that.
func (w *Workload) Session(ctx context.Context, index int) (*Session, error) {
	if index < 0 || index >= w.config.Connections {
		return nil, faults.New(faults.BadPlan, "there is no session %d of %d", index, w.config.Connections)
	}
	seen := &record{kind: unknown, rehearsing: true}
	login := w.into()
	login.DialFunc = seen.dial
	made, err := mysql.NewConnector(login)
	if err != nil {
		return nil, pointselect.ExplainLogin(err)
	}
	s := &Session{index: index, record: seen, pool: sql.OpenDB(&connector{
		Connector: made,
		watch:     func(c connection) driver.Conn { return &watched{connection: c, record: seen} },
		failed:    func(err error) { seen.fail(pointselect.ExplainLogin(err)) },
	})}
	if err := s.rehearse(ctx, w); err != nil {
		s.Close()
		return nil, explained(err)
	}
	return s, nil
}

// rehearse lets go-tpc connect and prepare its statements, and seeds its numbers.
func (s *Session) rehearse(ctx context.Context, w *Workload) error {
	through := &shown{Context: ctx}
	err := silently(func() error {
		return recovered(func() (err error) {
			if s.library, err = library.NewWorkloader(s.pool, w.options(1)); err != nil {
				return err
			}
			// No statement of a context that never ends has to be watched, which costs the client dearly.
			through.Context = s.library.InitThread(ctx, s.index)
			s.context = context.WithoutCancel(through.Context)
			return s.library.Run(through, s.index)
		})
	})
	all := uint(1)<<len(kinds) - 1
	switch {
	case s.record.failure != nil:
		return s.record.failure
	case !errors.Is(err, errRehearsal):
		return faults.New(faults.MySQLQuery, "go-tpc prepares no transaction: %v", err)
	case s.record.known != all || through.state == nil:
		return faults.New(faults.MySQLQuery, "go-tpc does other things than those that are known")
	}
	through.state.R.Seed(w.config.Seed + int64(s.index))
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
// A new_order that TPC-C wants rolled back is done. After an error that is not Passing the session is of no
// use, as after ctx ended meanwhile. The kind of what failed before its first statement is -1.
func (s *Session) Do(ctx context.Context) (kind int, err error) {
	if ctx.Err() != nil {
		return unknown, context.Cause(ctx)
	}
	s.record.begin()
	ended := context.AfterFunc(ctx, s.record.hangUp)
	err = s.library.Run(s.context, s.index)
	kind = s.record.kind
	switch {
	case !ended():
		return kind, context.Cause(ctx)
	case s.record.failure != nil:
		return kind, explained(s.record.failure)
	case err != nil:
		return kind, faults.New(faults.MySQLQuery, "TPC-C can't go on: %v", err)
	case kind == unknown:
		return kind, faults.New(faults.MySQLQuery, "go-tpc has done nothing that is known")
	}
	return kind, nil
}

// Close says goodbye.
func (s *Session) Close() {
	if s.context != nil {
		s.library.CleanupThread(s.context, s.index)
	}
	_ = s.pool.Close()
}

// explained turns what the driver says into a fault, unless it passes or is one already.
func explained(err error) error {
	var fault *faults.Fault
	if Passing(err) || errors.As(err, &fault) {
		return err
	}
	return pointselect.ExplainQuery(err)
}
