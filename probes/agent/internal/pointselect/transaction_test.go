package pointselect

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

func testTransactions(t *testing.T, serving *server) {
	serving.say(t, "USE leadline", "CREATE TABLE leadline.mixed (id INT UNSIGNED NOT NULL PRIMARY KEY, k INT UNSIGNED NOT NULL, "+
		"c BINARY(120) NOT NULL, pad BINARY(60) NOT NULL) ENGINE=InnoDB",
		fmt.Sprintf("INSERT INTO leadline.mixed SELECT seq, seq, REPEAT('x', 120), '' FROM seq_1_to_%d", rows))
	asked := serving.login("root", "")
	work := Work{Kind: ReadWrite, Table: "mixed", Keys: ZipfKeys, Seed: 7}
	// Eight that seek the same rows in any order get into each other's way.
	result := transact(t, asked, work, 8)
	found, err := serving.tryToAsk(t, "SELECT CONCAT_WS(' ', COUNT(*), SUM(c LIKE 'xx%') < COUNT(*), SUM(id = k) < COUNT(*)) FROM leadline.mixed")
	if err != nil || !slices.Equal(found, []string{fmt.Sprintf("%d 1 1", rows)}) {
		t.Errorf("%v is in the table (%v)", found, err)
	}
	if result.MissingRows > 0 {
		t.Errorf("%d transactions found no row", result.MissingRows)
	}
	t.Run("fail", func(t *testing.T) { testFailingTransactions(t, serving, asked, work) })
	t.Run("mix", func(t *testing.T) { testMixes(t, serving, asked) })
	secure := serving.overTCP("root", "", plan.TLSUnverified)
	serving.say(t, "CREATE USER mixing@localhost IDENTIFIED BY 'pw' REQUIRE SSL", "GRANT ALL ON leadline.* TO mixing@localhost")
	secure.User, secure.Password = "mixing", "pw"
	transact(t, secure, work, 2)
	_, err = OpenFor(serving.login("root", ""), Work{Kind: ReadWrite, Table: "narrow"}, 1)
	wantFault(t, err, faults.BadPlan)
	_, err = OpenFor(serving.login("root", ""), Work{Kind: ReadWrite, Table: "own"}, 1)
	wantFault(t, err, faults.MySQLQuery)
	if left := sockets(t); left > 0 {
		t.Errorf("%d sockets are still open", left)
	}
}

// testMixes wants as many statements of each kind as were asked for.
func testMixes(t *testing.T, serving *server, asked *plan.MySQL) {
	counted := func(name string) int {
		t.Helper()
		found, err := serving.tryToAsk(t, "SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME='"+name+"'")
		if err != nil || len(found) != 1 {
			t.Fatalf("%v (%v)", found, err)
		}
		value, err := strconv.Atoi(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for _, mix := range []Mix{
		{Points: 2, Sorted: 0.5, IndexUpdates: 1.5, Replaced: 1, RangeRows: 10, Begin: true},
		{Points: 3, Updates: 1, RangeRows: 1},
	} {
		reads, changes, commits := counted("Com_select"), counted("Com_update"), counted("Com_commit")
		result := transact(t, asked, Work{Kind: Mixed, Table: "mixed", Keys: HotKeys, Hot: Hot{Share: 0.9, Keys: 0.1}, Mix: mix, Seed: 3}, 1)
		done := float64(result.Counts.Operations)
		reads, changes, commits = counted("Com_select")-reads, counted("Com_update")-changes, counted("Com_commit")-commits
		wanted := (mix.Points + mix.Sorted) / (mix.IndexUpdates + mix.Updates)
		// A thousand draws at least, of which each is right to some per cent.
		if got := float64(reads) / float64(changes); done < 200 || math.Abs(got/wanted-1) > 0.4 {
			t.Errorf("%+v: %d reads and %d changes in %g transactions", mix, reads, changes, done)
		}
		if (commits > 0) != mix.Begin {
			t.Errorf("%+v: %d commits", mix, commits)
		}
	}
	for _, wrong := range []Mix{{RangeRows: 1}, {Points: -1, RangeRows: 1}, {Points: math.NaN(), RangeRows: 1}, {Points: 1}, {Points: 1, RangeRows: 1 << 40}} {
		if wrong.Check() == nil {
			t.Errorf("%+v is a mix", wrong)
		}
	}
}

// transact lets connections carry out some transactions.
func transact(t *testing.T, asked *plan.MySQL, work Work, count int) *load.Result {
	t.Helper()
	clients, err := OpenFor(asked, work, count)
	if err != nil {
		t.Fatal(err)
	}
	defer clients.Close()
	result, err := loadtest.Run(load.Part{Workers: clients.Each, Rows: true, Transactions: true}, 0, 200)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// testFailingTransactions wants one whose row somebody else puts back first to be taken back, and no operation.
func testFailingTransactions(t *testing.T, serving *server, asked *plan.MySQL, work Work) {
	serving.say(t, "CREATE TRIGGER leadline.before_insert BEFORE INSERT ON leadline.mixed FOR EACH ROW "+
		"IF NEW.k % 2 THEN SIGNAL SQLSTATE '23000' SET MYSQL_ERRNO = 1062; END IF")
	defer serving.say(t, "DROP TRIGGER leadline.before_insert")
	result := transact(t, asked, work, 2)
	if result.Errors == 0 {
		t.Error("no transaction failed")
	}
	found, err := serving.tryToAsk(t, "SELECT COUNT(*) FROM leadline.mixed")
	if err != nil || !slices.Equal(found, []string{fmt.Sprint(rows)}) {
		t.Errorf("%v rows are left (%v)", found, err)
	}
	serving.say(t, "CREATE OR REPLACE TRIGGER leadline.before_insert BEFORE INSERT ON leadline.mixed FOR EACH ROW "+
		"SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 1644")
	_, err = OpenFor(asked, work, 1)
	wantFault(t, err, faults.MySQLQuery)
}

func TestThinkingIsNoPartOfAnAnswer(t *testing.T) {
	asking := &client{random: 3, thinkNS: uint64(time.Millisecond)}
	waits := &thinker{client: asking}
	result, err := loadtest.Run(load.Part{Workers: []load.Worker{waits}}, 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	if shortest := result.Counts.PercentileUS(1); shortest > 500 {
		t.Errorf("an operation that takes no time took %g us", shortest)
	}
	if each := result.Measured / time.Duration(result.Counts.Operations); each < time.Millisecond/2 {
		t.Errorf("an operation each %v, with a pause of a millisecond on average", each)
	}
}

// thinker does nothing but pause.
type thinker struct{ client *client }

func (w *thinker) Run(lane *load.Lane) error {
	begin, more := w.client.pause(lane, lane.Begin())
	for more && lane.Count(begin, begin) {
		begin, more = w.client.pause(lane, begin)
	}
	return nil
}
