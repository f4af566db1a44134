package pointselect

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// Session is one connection for occasional questions. One thread uses it, and waits for answers
// in the kernel: no other thread of this program has to run for it.
type Session struct {
	login    *login
	lookup   driver.Stmt
	argument [1]driver.NamedValue
}

// Connect logs in.
func Connect(asked *plan.MySQL) (*Session, error) {
	opened, err := open(asked)
	if err != nil {
		return nil, err
	}
	return &Session{login: opened}, nil
}

// OpenSession logs in and prepares the lookup of a row of table by its key.
func OpenSession(asked *plan.MySQL, table plan.Table) (*Session, error) {
	session, err := Connect(asked)
	if err != nil {
		return nil, err
	}
	said := statementsFor(plan.Prepared, table)
	for _, statement := range said.before {
		if _, err := session.Query(statement); err != nil {
			session.Close()
			return nil, err
		}
	}
	session.lookup, err = session.login.driver.Prepare(said.prefix + "?")
	if err != nil {
		session.Close()
		return nil, ExplainLogin(err)
	}
	return session, nil
}

// SetDeadline bounds how long the next answers may take; moment is one of package clock.
func (s *Session) SetDeadline(moment int64) { s.login.line.deadline = moment }

// Lookup reads the row with this key, whether there is one or not.
func (s *Session) Lookup(key int64) error {
	s.argument[0] = driver.NamedValue{Ordinal: 1, Value: key}
	asker, ok := s.lookup.(driver.StmtQueryContext)
	if !ok {
		return faults.New(faults.MySQLQuery, "the driver no longer asks prepared statements")
	}
	rows, err := asker.QueryContext(context.Background(), s.argument[:])
	if err != nil {
		return ExplainQuery(err)
	}
	_, err = allOf(rows)
	return err
}

// Query asks in text and returns the rows, each value as text.
func (s *Session) Query(statement string) ([][]string, error) {
	asker, ok := s.login.driver.(driver.QueryerContext)
	if !ok {
		return nil, faults.New(faults.MySQLQuery, "the driver no longer asks questions")
	}
	rows, err := asker.QueryContext(context.Background(), statement, nil)
	if err != nil {
		return nil, ExplainQuery(err)
	}
	return allOf(rows)
}

func allOf(rows driver.Rows) (found [][]string, err error) {
	defer func() { _ = rows.Close() }()
	values := make([]driver.Value, len(rows.Columns()))
	for {
		switch err := rows.Next(values); err {
		case nil:
			row := make([]string, len(values))
			for index, value := range values {
				row[index] = text(value)
			}
			found = append(found, row)
		case io.EOF:
			return found, nil
		default:
			return nil, ExplainQuery(err)
		}
	}
}

func text(value driver.Value) string {
	if bytes, ok := value.([]byte); ok {
		return string(bytes)
	}
	return fmt.Sprint(value)
}

// ExplainQuery turns what the driver says of a statement that failed into a fault.
func ExplainQuery(err error) error {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return explainError(int(answer.Number), answer.Message)
	}
	return lost(err)
}

// Passing tells whether what the driver says of a statement ends its transaction and nothing else.
func Passing(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && passing[int(answer.Number)]
}

// Close says goodbye.
func (s *Session) Close() { s.login.close() }
