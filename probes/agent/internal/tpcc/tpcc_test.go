package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/faults"
)

// patience is for what a busy machine may take long to do; it only ends what would never end.
const patience = 10 * time.Minute

// find looks beside PATH too: Debian's servers live in /usr/sbin, which users' shells leave out.
func find(t *testing.T, name string) string {
	t.Helper()
	for _, candidate := range []string{name, "/usr/sbin/" + name, "/usr/local/sbin/" + name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// startServer starts a MariaDB on an empty data directory that lets everybody in, and returns its socket.
func startServer(t *testing.T, options ...string) string {
	t.Helper()
	program := find(t, "mariadbd")
	// Short enough for a socket's path.
	directory, err := os.MkdirTemp("", "leadline-tpcc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	data, temporary := filepath.Join(directory, "data"), filepath.Join(directory, "tmp")
	for _, made := range []string{data, temporary} {
		if err := os.Mkdir(made, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	socket, log := filepath.Join(directory, "s"), filepath.Join(directory, "log")
	arguments := []string{"--no-defaults", "--datadir=" + data, "--tmpdir=" + temporary, "--socket=" + socket,
		"--pid-file=" + directory + "/pid", "--log-error=" + log, "--skip-networking", "--skip-grant-tables",
		"--innodb-log-file-size=96M", "--innodb-buffer-pool-size=192M", "--innodb-flush-log-at-trx-commit=0",
		"--aria-log-file-size=8M", "--aria-log-dir-path=" + data}
	if os.Getuid() == 0 {
		arguments = append(arguments, "--user=root")
	}
	command := exec.Command(program, append(arguments, options...)...)
	// A test that is killed takes its server along. The signal comes when the thread that started the
	// server ends, so that one is kept.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	begun, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		err := command.Start()
		begun <- err
		if err == nil {
			_ = command.Wait()
			close(ended)
		}
	}()
	if err := <-begun; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-ended
	})
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(20 * time.Millisecond) {
		if workload, err := Open(t.Context(), at(socket)); err == nil {
			workload.Close()
			return socket
		}
		select {
		case <-ended:
			said, _ := os.ReadFile(log)
			t.Fatalf("the server does not start: %s", said)
		default:
		}
	}
	t.Fatal("the server does not answer")
	return ""
}

// at is one warehouse on the server of that socket.
func at(socket string) Config {
	return Config{
		Network: "unix", Address: socket, User: "root", Database: "lead`line",
		Warehouses: 1, Connections: 4, Seed: 7,
	}
}

func opened(t *testing.T, c Config) *Workload {
	t.Helper()
	workload, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(workload.Close)
	return workload
}

func (w *Workload) ask(t *testing.T, query string) int {
	t.Helper()
	var answer int
	if err := w.control.QueryRowContext(t.Context(), query).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return answer
}

// counter is one of the server's.
func (w *Workload) counter(t *testing.T, name string) int {
	t.Helper()
	return w.ask(t, "SELECT variable_value FROM information_schema.global_status WHERE variable_name = '"+name+"'")
}

func isPrepared(t *testing.T, w *Workload) bool {
	t.Helper()
	ready, err := w.Prepared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return ready
}

func TestARealServer(t *testing.T) {
	socket := startServer(t)
	t.Run("filling that is cut off is begun anew", func(t *testing.T) { testCutOff(t, socket) })
	t.Run("filling", func(t *testing.T) { testFilling(t, socket) })
	t.Run("every kind is done, and counted as the server counts", func(t *testing.T) { testKinds(t, socket) })
	t.Run("a seed decides what is done", func(t *testing.T) { testSeed(t, socket) })
	t.Run("a lock that is waited for too long passes", func(t *testing.T) { testPassing(t, socket) })
	t.Run("a transaction under way can be ended", func(t *testing.T) { testEnding(t, socket) })
	t.Run("a server that is lost", func(t *testing.T) { testLost(t, socket) })
	t.Run("statements that the server has no room for", func(t *testing.T) { testNoRoom(t, socket) })
}

func testCutOff(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	if isPrepared(t, workload) {
		t.Fatal("it is prepared before anything is there")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	err := workload.Prepare(ctx, 2, func(done, _ int) {
		if done == 20 {
			cancel(enough)
		}
	})
	if !errors.Is(err, enough) {
		t.Fatalf("cut off it says %v", err)
	}
	if isPrepared(t, workload) {
		t.Fatal("it is prepared though it was cut off")
	}
}

func testFilling(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	var last, all int
	err := workload.Prepare(t.Context(), 3, func(done, total int) {
		if done < last || total < done {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last, all = done, total
	})
	if err != nil {
		t.Fatal(err)
	}
	if last != all || all < 100 {
		t.Errorf("at the end %d of %d are done", last, all)
	}
	if !isPrepared(t, workload) {
		t.Error("it is not prepared after filling")
	}
	// TPC-C's clause 1.2.1 and 4.3.3.1: the rows of a database of one warehouse.
	for table, rows := range map[string]int{
		"item": 100_000, "warehouse": 1, "stock": 100_000, "district": 10, "customer": 30_000,
		"history": 30_000, "orders": 30_000, "new_order": 9_000,
	} {
		if found := workload.ask(t, "SELECT COUNT(*) FROM "+workload.table(table)); found != rows {
			t.Errorf("%s has %d rows", table, found)
		}
	}
	lines := workload.ask(t, "SELECT COUNT(*) FROM "+workload.table("order_line"))
	if told := workload.ask(t, "SELECT SUM(o_ol_cnt) FROM "+workload.table("orders")); lines != told {
		t.Errorf("%d order lines, and orders tell of %d", lines, told)
	}
	more := at(socket)
	more.Warehouses = 2
	if isPrepared(t, opened(t, more)) {
		t.Error("one warehouse does for two")
	}
	before := workload.counter(t, "Com_insert")
	if err := workload.Prepare(t.Context(), 3, func(int, int) { t.Error("it fills again") }); err != nil {
		t.Error(err)
	}
	if after := workload.counter(t, "Com_insert"); after != before {
		t.Errorf("%d inserts into what is prepared", after-before)
	}
}

func testKinds(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	const connections = 4
	sessions := make([]*Session, connections)
	for index := range sessions {
		sessions[index] = session(t, workload, index)
	}
	names := []string{"Com_begin", "Com_commit", "Com_rollback", "Com_admin_commands", "Com_stmt_prepare"}
	before := make(map[string]int, len(names))
	for _, name := range names {
		before[name] = workload.counter(t, name)
	}
	orders := workload.ask(t, "SELECT COUNT(*) FROM "+workload.table("orders"))
	var group sync.WaitGroup
	counted := make([][]int, connections)
	failures := make([]int, connections)
	for index, session := range sessions {
		counted[index] = make([]int, len(kinds))
		group.Go(func() {
			for range 400 {
				kind, err := session.Do(context.Background())
				switch {
				case Passing(err):
					failures[index]++
				case err != nil:
					t.Error(err)
					return
				default:
					counted[index][kind]++
				}
			}
		})
	}
	group.Wait()
	var total, failed int
	sums := make([]int, len(kinds))
	for index := range sessions {
		for kind, count := range counted[index] {
			sums[kind] += count
			total += count
		}
		failed += failures[index]
	}
	if total+failed != 400*connections {
		t.Errorf("%d done and %d failed of %d", total, failed, 400*connections)
	}
	for kind, share := range []float64{0.45, 0.43, 0.04, 0.04, 0.04} {
		// Five standard deviations of a binomial one, and what failed.
		expected := share * float64(total)
		if off := float64(sums[kind]) - expected; off*off > 25*expected*(1-share)+float64(failed*failed) {
			t.Errorf("%d of %d are %s", sums[kind], total, kinds[kind])
		}
	}
	grown := make(map[string]int, len(names))
	for _, name := range names {
		grown[name] = workload.counter(t, name) - before[name]
	}
	t.Logf("%v of %v, %d failed; the server: %v", sums, kinds, failed, grown)
	if all := total + failed; grown["Com_begin"] != all || grown["Com_commit"]+grown["Com_rollback"] != all {
		t.Errorf("%d were done and %d failed", total, failed)
	}
	wanted := grown["Com_rollback"] - failed
	// Five standard deviations of one of a hundred new orders.
	if share := 0.01 * float64(sums[newOrder]); wanted < 1 || float64(wanted) > share+5*math.Sqrt(share) {
		t.Errorf("%d new orders of %d were rolled back as TPC-C wants it", wanted, sums[newOrder])
	}
	if made := workload.ask(t, "SELECT COUNT(*) FROM "+workload.table("orders")) - orders; made != sums[newOrder]-wanted {
		t.Errorf("%d orders were made by %d new_order, of which %d were rolled back", made, sums[newOrder], wanted)
	}
	if grown["Com_admin_commands"]+grown["Com_stmt_prepare"] != 0 {
		t.Error("the server was asked more than the transactions ask")
	}
}

func wait(t *testing.T, failure string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > patience {
			t.Fatal(failure)
		}
	}
}

func session(t *testing.T, w *Workload, index int) *Session {
	t.Helper()
	made, err := w.Session(t.Context(), index)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(made.Close)
	return made
}

func testSeed(t *testing.T, socket string) {
	var orders [3][]int
	for run, seed := range []int64{7, 7, 8} {
		config := at(socket)
		config.Seed = seed
		alone := session(t, opened(t, config), 2)
		for range 30 {
			kind, err := alone.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			orders[run] = append(orders[run], kind)
		}
	}
	if !slices.Equal(orders[0], orders[1]) || slices.Equal(orders[0], orders[2]) {
		t.Errorf("by seeds 7, 7 and 8: %v", orders)
	}
}

// holding keeps all districts locked by a connection of its own, until it is rolled back.
func holding(t *testing.T, w *Workload) *sql.Tx {
	t.Helper()
	connector, err := mysql.NewConnector(w.into())
	if err != nil {
		t.Fatal(err)
	}
	pool := sql.OpenDB(connector)
	t.Cleanup(func() { _ = pool.Close() })
	held, err := pool.BeginTx(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec("UPDATE district SET d_name = 'held'"); err != nil {
		t.Fatal(err)
	}
	return held
}

func testPassing(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	limit := func(seconds int) {
		if err := workload.say(t.Context(), fmt.Sprintf("SET GLOBAL innodb_lock_wait_timeout = %d", seconds)); err != nil {
			t.Fatal(err)
		}
	}
	// A session takes the server's when it first waits.
	limit(1)
	defer limit(86_400)
	waiting := session(t, workload, 0)
	held := holding(t, workload)
	for {
		kind, err := waiting.Do(t.Context())
		if err == nil {
			continue
		}
		if !Passing(err) || (kind != newOrder && kind != payment) {
			t.Fatalf("kind %d: %v", kind, err)
		}
		break
	}
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := waiting.Do(t.Context()); err != nil {
			t.Fatalf("after a lock that was waited for too long: %v", err)
		}
	}
}

func testEnding(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	stuck := session(t, workload, 0)
	held := holding(t, workload)
	defer func() { _ = held.Rollback() }()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		for {
			if _, err := stuck.Do(ctx); err != nil {
				ended <- err
				return
			}
		}
	}()
	wait(t, "no transaction waits for a district", func() bool {
		return workload.counter(t, "Innodb_row_lock_current_waits") > 0
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || Passing(err) {
		t.Error(err)
	}
}

func testLost(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	lost := session(t, workload, 0)
	own := "SELECT MAX(id) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command <> 'Daemon'"
	id := workload.ask(t, own)
	if err := workload.say(t.Context(), fmt.Sprintf("KILL %d", id)); err != nil {
		t.Fatal(err)
	}
	there := fmt.Sprintf("SELECT COUNT(*) FROM information_schema.processlist WHERE id = %d", id)
	wait(t, "the connection stays", func() bool { return workload.ask(t, there) == 0 })
	for range 2 {
		if kind, err := lost.Do(t.Context()); code(err) != faults.MySQLLost || kind != unknown {
			t.Errorf("kind %d by a connection that is gone: %v", kind, err)
		}
	}
}

func testNoRoom(t *testing.T, socket string) {
	workload := opened(t, at(socket))
	if err := workload.say(t.Context(), "SET GLOBAL max_prepared_stmt_count = 10"); err != nil {
		t.Fatal(err)
	}
	if _, err := workload.Session(t.Context(), 0); code(err) != faults.MySQLQuery || !strings.Contains(err.Error(), "1461") {
		t.Errorf("without room for statements: %v", err)
	}
	if _, err := workload.Session(t.Context(), 4); code(err) != faults.BadPlan {
		t.Error("there is a fifth session of four")
	}
}

func TestFillingThatFails(t *testing.T) {
	for option, expected := range map[string][]string{
		// The server says so and hangs up, and who still writes may hear the latter alone.
		"--max-allowed-packet=64K": {faults.MySQLQuery, faults.MySQLLost},
		"--max-connections=10":     {faults.MySQLRefused},
	} {
		t.Run(option, func(t *testing.T) {
			workload := opened(t, at(startServer(t, option)))
			if err := workload.Prepare(t.Context(), 10, func(int, int) {}); !slices.Contains(expected, code(err)) {
				t.Errorf("it says %v", err)
			}
			if isPrepared(t, workload) {
				t.Error("it is prepared")
			}
		})
	}
}

// code is that of a fault.
func code(err error) string {
	var fault *faults.Fault
	if errors.As(err, &fault) {
		return fault.Code
	}
	return fmt.Sprintf("none: %v", err)
}

func TestOpening(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none")
	if _, err := Open(t.Context(), at(nowhere)); code(err) != faults.MySQLRefused {
		t.Errorf("without a server: %v", err)
	}
	for _, wrong := range []func(*Config){
		func(c *Config) { c.Warehouses = 0 },
		func(c *Config) { c.Connections = 0 },
		func(c *Config) { c.Database = "" },
	} {
		config := at(nowhere)
		wrong(&config)
		if _, err := Open(t.Context(), config); code(err) != faults.BadPlan {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

func TestPassing(t *testing.T) {
	for number, expected := range map[uint16]bool{1020: true, 1205: true, 1213: true, 1062: false, 1146: false} {
		err := fmt.Errorf("within: %w", &mysql.MySQLError{Number: number})
		if Passing(err) != expected {
			t.Errorf("error %d", number)
		}
	}
	if Passing(nil) || Passing(mysql.ErrInvalidConn) {
		t.Error("no error of the server passes")
	}
}

func TestGoTPCPrintsNothing(t *testing.T) {
	kept := os.Stdout
	failure := errors.New("as it is")
	err := silently(func() error {
		if os.Stdout == kept {
			t.Error("what is printed is seen")
		}
		return failure
	})
	if err != failure || os.Stdout != kept {
		t.Errorf("%v, and os.Stdout is another: %v", err, os.Stdout != kept)
	}
}
