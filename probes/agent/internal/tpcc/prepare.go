package tpcc

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-sql-driver/mysql"
	library "github.com/pingcap/go-tpc/tpcc"

	"leadline/agent/internal/pointselect"
)

// mark is the table that is written last: how many warehouses are filled to the end.
const mark = "leadline_tpcc"

// tables are go-tpc's.
var tables = []string{
	"item", "customer", "district", "history", "new_order", "order_line", "orders", "stock", "warehouse",
}

// How many statements fill the tables, of 1,024 rows each: what is there once, for each warehouse, and for
// each district, whose order lines are random and mostly need thirty.
const (
	districts    = 10
	perItems     = 98
	perWarehouse = 1 + 98 + 1
	perDistrict  = 3 + 3 + 3 + 1 + 30
)

// Numbers of errors.
const (
	noDatabase = 1049
	noTable    = 1146
)

// Prepared tells whether the database has exactly the workload's warehouses, filled to the end.
func (w *Workload) Prepared(ctx context.Context) (bool, error) {
	var filled int
	asked := "SELECT MAX(warehouses) FROM " + w.table(mark)
	err := w.control.QueryRowContext(ctx, asked).Scan(&filled)
	var said *mysql.MySQLError
	switch {
	case errors.As(err, &said) && (said.Number == noDatabase || said.Number == noTable):
		return false, nil
	case err != nil:
		return false, pointselect.ExplainQuery(err)
	}
	return filled == w.config.Warehouses, nil
}

// Prepare fills the warehouses unless they are there; others, and half filled ones, it drops. report hears
// after each statement how many of how many are done, from one goroutine at a time.
func (w *Workload) Prepare(ctx context.Context, threads int, report func(done, total int)) error {
	if ready, err := w.Prepared(ctx); ready || err != nil {
		return err
	}
	named := make([]string, len(tables))
	for at, table := range tables {
		named[at] = w.table(table)
	}
	all := strings.Join(named, ", ")
	err := w.say(ctx,
		"CREATE DATABASE IF NOT EXISTS "+quoted(w.config.Database),
		// No moment has the mark beside tables that are not whole.
		"DROP TABLE IF EXISTS "+w.table(mark),
		"DROP TABLE IF EXISTS "+all,
	)
	if err != nil {
		return err
	}
	if err := w.fill(ctx, max(1, min(threads, districts*w.config.Warehouses)), report); err != nil {
		return err
	}
	return w.say(ctx,
		// The optimizer's figures are those of whole tables, wherever copies of them are used.
		"ANALYZE TABLE "+all,
		"CREATE TABLE "+w.table(mark)+" (warehouses INT NOT NULL PRIMARY KEY)",
		fmt.Sprintf("INSERT INTO %s VALUES (%d)", w.table(mark), w.config.Warehouses),
	)
}

// fill makes go-tpc's tables and their rows with so many threads.
func (w *Workload) fill(ctx context.Context, threads int, report func(done, total int)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	made, err := mysql.NewConnector(w.into())
	if err != nil {
		return pointselect.ExplainLogin(err)
	}
	total := perItems + w.config.Warehouses*(perWarehouse+districts*perDistrict)
	progress := &progress{ctx: ctx, stop: stop, total: total, report: report, created: make(chan struct{})}
	pool := sql.OpenDB(&connector{
		Connector: made,
		watch:     func(c connection) driver.Conn { return &filling{connection: c, progress: progress} },
		failed: func(err error) {
			stop(pointselect.ExplainLogin(err))
			panic(stopped)
		},
	})
	defer func() { _ = pool.Close() }()
	// A thread of go-tpc has a connection of its own, and fills by another.
	pool.SetMaxIdleConns(2 * threads)
	return silently(func() error {
		loader, err := library.NewWorkloader(pool, w.options(threads))
		if err != nil {
			return err
		}
		// All connect before one begins, because each would wait for ever for one that can't.
		own := make([]context.Context, threads)
		for index := range own {
			err := recovered(func() error {
				// go-tpc goes on when its context ends, and when a statement fails: filling stops it.
				own[index] = loader.InitThread(context.WithoutCancel(ctx), index)
				return nil
			})
			if err != nil {
				stop(err)
				return context.Cause(ctx)
			}
			defer loader.CleanupThread(own[index], index)
		}
		var group sync.WaitGroup
		thread := func(index int) {
			if err := recovered(func() error { return loader.Prepare(own[index], index) }); err != nil {
				stop(err)
			}
		}
		gone := make(chan struct{})
		group.Go(func() {
			defer close(gone)
			thread(0)
		})
		// The first one makes the tables and waits for the others then, who would wait for ever where it can't.
		select {
		case <-progress.created:
			for index := 1; index < threads; index++ {
				group.Go(func() { thread(index) })
			}
		case <-gone:
		}
		group.Wait()
		if err := context.Cause(ctx); err != nil {
			return err
		}
		report(total, total)
		return nil
	})
}

// progress is what all threads have filled.
type progress struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	total  int
	report func(done, total int)

	lock            sync.Mutex
	tables, batches int
	// created is closed once all tables are there.
	created chan struct{}
}

// stopped ends what a goroutine of go-tpc does, which takes no notice of a statement that fails.
const stopped = "stopped"

// filling is a connection that fills.
type filling struct {
	connection
	progress *progress
}

// ExecContext runs a statement, and ends the goroutine's work where any has failed.
func (f *filling) ExecContext(_ context.Context, query string, values []driver.NamedValue) (driver.Result, error) {
	p := f.progress
	result, err := f.connection.ExecContext(p.ctx, query, values)
	if err != nil {
		p.stop(pointselect.ExplainQuery(err))
	}
	if p.ctx.Err() != nil {
		panic(stopped)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	if strings.HasPrefix(query, "INSERT") {
		p.batches++
		p.report(min(p.batches, p.total), p.total)
	} else if p.tables++; p.tables == len(tables) {
		close(p.created)
	}
	return result, nil
}

// say runs statements by the workload's own connection.
func (w *Workload) say(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := w.control.ExecContext(ctx, statement); err != nil {
			return pointselect.ExplainQuery(err)
		}
	}
	return nil
}

func (w *Workload) table(name string) string { return quoted(w.config.Database) + "." + quoted(name) }

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
