package pointselect

import (
	"bytes"
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// ask returns the first column of what the server's owner reads.
func (s *server) ask(t *testing.T, question string) []string {
	t.Helper()
	values, err := s.tryToAsk(t, question)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func (s *server) tryToAsk(t *testing.T, question string) ([]string, error) {
	t.Helper()
	config := mysql.NewConfig()
	config.Net, config.Addr, config.User, config.DBName = "unix", s.socket, "root", "leadline"
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	database := sql.OpenDB(connector)
	defer func() { _ = database.Close() }()
	found, err := database.QueryContext(context.Background(), question)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	var values []string
	for found.Next() {
		var value string
		if err := found.Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, found.Err()
}

func update(table, protocol string) plan.Point {
	asked := point(table, protocol)
	asked.Probe = plan.PKUpdate
	return asked
}

func testUpdates(t *testing.T, serving *server) {
	asked := serving.login("writer", "pw")
	for _, protocol := range []string{plan.Prepared, plan.SQL} {
		serving.say(t, "UPDATE leadline.narrow SET c = 'untouched'", "FLUSH STATUS")
		result, err := measure(t, asked, update("own", protocol), 3)
		if err != nil {
			t.Errorf("%s: %v", protocol, err)
			continue
		}
		if result.MissingRows+result.Errors > 0 {
			t.Errorf("%s: %d operations, %d rows missing, %d errors", protocol,
				result.Counts.Operations, result.MissingRows, result.Errors)
		}
		changed := serving.ask(t, "SELECT c FROM narrow WHERE c <> 'untouched'")
		seen := map[string]bool{}
		for _, value := range changed {
			seen[value] = true
			if len(value) != valueBytes || strings.Trim(value, letters) != "" {
				t.Fatalf("%s: a row became %q", protocol, value)
			}
		}
		if len(changed) == 0 || len(seen) != len(changed) {
			t.Errorf("%s: %d of %d values are unlike all others", protocol, len(seen), len(changed))
		}
		holes, err := measure(t, asked, update("holes", protocol), 1)
		if err != nil {
			t.Errorf("%s: %v", protocol, err)
		} else {
			wantHalf(t, protocol, holes)
		}
	}
	testUpdatesOverTLS(t, serving)
	testUpdateRefusals(t, serving)
	serving.say(t, "UPDATE leadline.narrow SET c = REPEAT('x', 119)")
}

func testUpdatesOverTLS(t *testing.T, serving *server) {
	result, err := measure(t, serving.overTCP("writer", "pw", plan.TLSUnverified), update("own", plan.Prepared), 2)
	if err != nil {
		t.Error(err)
	} else if result.MissingRows+result.Errors > 0 {
		t.Errorf("%+v", result)
	}
}

func testUpdateRefusals(t *testing.T, serving *server) {
	try := func(user, password string, what plan.Point) error {
		_, err := measure(t, serving.login(user, password), what, 1)
		return err
	}
	serving.say(t, "CREATE TABLE leadline.short (id INT PRIMARY KEY, c CHAR(20) NOT NULL) ENGINE=InnoDB",
		"INSERT INTO leadline.short VALUES (1, 'a')")
	for _, protocol := range []string{plan.Prepared, plan.SQL} {
		wantFault(t, try("writer", "pw", update("narrow", protocol)), faults.BadPlan)
		wantFault(t, try("native", "sécret", update("own", protocol)), faults.MySQLDenied)
		wantFault(t, try("writer", "pw", update("none", protocol)), faults.BadPlan)
		wantFault(t, try("writer", "pw", update("short", protocol)), faults.MySQLQuery)
	}
	if left := sockets(t); left > 0 {
		t.Errorf("%d sockets are still open", left)
	}
}

func TestAnUpdateThatHadToWaitTooLongIsCounted(t *testing.T) {
	serving := startServer(t, false)
	serving.fill(t)
	serving.say(t, "SET GLOBAL innodb_lock_wait_timeout = 1")
	config := mysql.NewConfig()
	config.Net, config.Addr, config.User, config.DBName = "unix", serving.socket, "root", "leadline"
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	database := sql.OpenDB(connector)
	defer func() { _ = database.Close() }()
	holder, err := database.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Close() }()
	clients, err := Open(serving.login("root", ""), update("own", plan.Prepared), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer clients.Close()
	for _, statement := range []string{"BEGIN", "UPDATE narrow SET c = 'held'"} {
		if _, err := holder.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	result, err := askUntil(t, clients, 2)
	if err != nil {
		t.Fatal(err)
	}
	if result.Errors == 0 || result.Errors != result.Counts.Operations || result.MissingRows > 0 {
		t.Errorf("%d errors and %d missing rows of %d operations", result.Errors, result.MissingRows, result.Counts.Operations)
	}
}

func TestAnUpdateIsWrittenWithItsValue(t *testing.T) {
	asking := client{random: 1, keys: newKeys(42, 42, "", Hot{}), request: textUpdate(plan.Table{Name: "t", Key: "id", Column: "c"})}
	first := bytes.Clone(asking.question())
	second := bytes.Clone(asking.question())
	for _, packet := range [][]byte{first, second} {
		said := string(packet[headerBytes+1:])
		before, after := "UPDATE `t` SET `c`='", "' WHERE `id`=42"
		if len(said) != len(before)+valueBytes+len(after) || !strings.HasPrefix(said, before) || !strings.HasSuffix(said, after) {
			t.Errorf("%q", said)
		}
	}
	if bytes.Equal(first, second) {
		t.Error("two values are the same")
	}
	executed := client{random: 1, keys: newKeys(42, 42, "", Hot{}), request: executeUpdate(7)}
	packet := executed.question()
	if length := int(packet[0]) | int(packet[1])<<8; length != len(packet)-headerBytes || packet[len(packet)-8] != 42 {
		t.Errorf("%q", packet)
	}
}

func TestWhatAnUpdateChangedIsCounted(t *testing.T) {
	for _, rows := range []byte{0, 1, 2} {
		var got answer
		got.feed(packets([]byte{0, rows, 0, 2, 0, 0, 0}))
		if !got.done || got.rows != uint32(rows) {
			t.Errorf("%d rows became %+v", rows, got)
		}
	}
}

// wire answers with what a server would.
type wire struct{ io.Reader }

func (wire) Write(data []byte) (int, error) { return len(data), nil }

func TestPreparingFollowsBothProtocols(t *testing.T) {
	prepared := func(columns, parameters byte) []byte {
		return []byte{packetOK, 7, 0, 0, 0, columns, 0, parameters, 0, 0, 0, 0}
	}
	selected, updated := prepared(1, 1), prepared(0, 2)
	for name, stream := range map[string][]byte{
		"old": packets(selected, description, oldEOF, description, oldEOF, updated, description, description, oldEOF),
		"new": packets(selected, description, description, updated, description, description),
	} {
		reader := bytes.NewReader(stream)
		asking := client{wire: wire{reader}}
		_, oldEOFs, err := asking.prepare("SELECT", 1)
		if err != nil || oldEOFs != (name == "old") {
			t.Fatalf("%s: old EOF packets %v, %v", name, oldEOFs, err)
		}
		number, err := asking.prepareChange("UPDATE", 2, oldEOFs)
		if err != nil || number != 7 || reader.Len() != 0 {
			t.Errorf("%s: number %d, %d bytes left, %v", name, number, reader.Len(), err)
		}
	}
	asking := client{wire: wire{bytes.NewReader(packets(prepared(1, 2)))}}
	_, err := asking.prepareChange("UPDATE", 2, false)
	wantFault(t, err, faults.MySQLQuery)
}
