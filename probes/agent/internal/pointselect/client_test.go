package pointselect

import (
	"errors"
	"math"
	"testing"
	"time"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/loadtest"
	"leadline/agent/internal/plan"
)

// measure opens connections and lets them ask until they have had enough answers.
func measure(t *testing.T, asked *plan.MySQL, what plan.Point, count int) (*load.Result, error) {
	t.Helper()
	clients, err := Open(asked, what, count)
	if err != nil {
		return nil, err
	}
	defer clients.Close()
	return askUntil(t, clients, enough)
}

// enough operations are many for each of a few connections, and many to tell a half from a third.
const enough = 400

// askUntil lets clients ask until least operations have been counted, however slow the machine is.
func askUntil(t *testing.T, clients *Clients, least uint64) (*load.Result, error) {
	t.Helper()
	result, err := loadtest.Run(load.Part{Workers: clients.Each, Rows: true}, warmup, least)
	if err == nil && result.Counts.Operations < least {
		t.Errorf("only %d operations in %v", result.Counts.Operations, result.Measured)
	}
	return result, err
}

const warmup = 100 * time.Millisecond

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != code || fault.Fatal {
		t.Errorf("%v instead of the fault %s", err, code)
	}
}

func TestAgainstARealServer(t *testing.T) {
	serving := startServer(t, true)
	serving.fill(t)
	serving.say(t, "CREATE USER native@localhost IDENTIFIED BY 'sécret'",
		"GRANT SELECT ON leadline.* TO native@localhost",
		"CREATE USER edwards@localhost IDENTIFIED VIA ed25519 USING PASSWORD('pw')",
		"GRANT SELECT ON leadline.* TO edwards@localhost",
		"CREATE USER nobody@localhost IDENTIFIED BY 'pw'",
		"CREATE USER secure@localhost IDENTIFIED BY 'pw' REQUIRE SSL",
		"GRANT SELECT ON leadline.* TO secure@localhost",
		"CREATE USER writer@localhost IDENTIFIED BY 'pw'",
		"GRANT SELECT, UPDATE ON leadline.* TO writer@localhost")
	t.Run("protocols", func(t *testing.T) { testProtocols(t, serving) })
	t.Run("updates", func(t *testing.T) { testUpdates(t, serving) })
	t.Run("logins", func(t *testing.T) { testLogins(t, serving) })
	t.Run("refusals", func(t *testing.T) { testRefusals(t, serving) })
	t.Run("tls", func(t *testing.T) { testTLS(t, serving) })
	t.Run("transactions", func(t *testing.T) { testTransactions(t, serving) })
}

func testProtocols(t *testing.T, serving *server) {
	asked := serving.login("native", "sécret")
	for _, protocol := range []string{plan.Prepared, plan.SQL, plan.Handler} {
		for _, table := range []string{"narrow", "wide"} {
			result, err := measure(t, asked, point(table, protocol), 3)
			if err != nil {
				t.Errorf("%s, %s: %v", protocol, table, err)
				continue
			}
			if result.MissingRows+result.Errors > 0 {
				t.Errorf("%s, %s: %d operations, %d rows missing, %d errors", protocol, table,
					result.Counts.Operations, result.MissingRows, result.Errors)
			}
		}
		result, err := measure(t, asked, point("sparse", protocol), 1)
		if err != nil {
			t.Errorf("%s: %v", protocol, err)
		} else {
			wantHalf(t, protocol, result)
		}
	}
	if left := sockets(t); left > 0 {
		t.Errorf("%d sockets are still open", left)
	}
}

// wantHalf wants about half of the questions to be without a row: within six standard errors.
func wantHalf(t *testing.T, what string, result *load.Result) {
	t.Helper()
	asked, missing := float64(result.Counts.Operations), float64(result.MissingRows)
	if missing > asked || math.Abs(missing-asked/2) > 3*math.Sqrt(asked)+1 {
		t.Errorf("%s: %v of %v rows are missing where half should", what, missing, asked)
	}
}

func testLogins(t *testing.T, serving *server) {
	for name, asked := range map[string]*plan.MySQL{
		"as the user of the system": serving.login("root", ""),
		"ed25519":                   serving.overTCP("edwards", "pw", plan.TLSOff),
		"native over TCP":           serving.overTCP("native", "sécret", plan.TLSOff),
	} {
		if _, err := measure(t, asked, point("narrow", plan.Prepared), 2); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// As many logins as it takes to meet the driver's fault with ed25519, most likely.
	for number := range 400 {
		if number%10 == 0 {
			serving.alone(t)
		}
		opened, err := open(serving.overTCP("edwards", "pw", plan.TLSOff))
		if err != nil {
			t.Fatal(err)
		}
		opened.close()
	}
}

func testRefusals(t *testing.T, serving *server) {
	try := func(asked *plan.MySQL, table string, count int) error {
		_, err := measure(t, asked, point(table, plan.Prepared), count)
		return err
	}
	wantFault(t, try(serving.login("native", "wrong"), "narrow", 1), faults.MySQLDenied)
	wantFault(t, try(serving.login("nobody", "pw"), "narrow", 1), faults.MySQLDenied)
	wantFault(t, try(serving.login("native", "sécret"), "none", 1), faults.MySQLQuery)
	wantFault(t, try(serving.login("native", "sécret"), "narrow", mostConnections+20), faults.MySQLRefused)
	nowhere := serving.login("native", "sécret")
	nowhere.Address += "-none"
	wantFault(t, try(nowhere, "narrow", 1), faults.MySQLRefused)
	if left := sockets(t); left > 0 {
		t.Errorf("%d sockets are still open", left)
	}
	// Those who were let in before the limit have been sent home.
	serving.alone(t)
	if err := try(serving.login("native", "sécret"), "narrow", 10); err != nil {
		t.Error(err)
	}
}

func testTLS(t *testing.T, serving *server) {
	for _, mode := range []string{plan.TLSPrefer, plan.TLSUnverified, plan.TLSVerify} {
		asked := serving.overTCP("secure", "pw", mode)
		asked.CA, asked.ServerName = serving.ca, "db.example.org"
		asked.Private = mode == plan.TLSPrefer
		for _, table := range []string{"narrow", "wide"} {
			result, err := measure(t, asked, point(table, plan.Prepared), 2)
			if err != nil {
				t.Errorf("%s: %v", mode, err)
			} else if result.MissingRows+result.Errors > 0 {
				t.Errorf("%s: %+v", mode, result)
			}
		}
	}
	stranger := serving.overTCP("secure", "pw", plan.TLSVerify)
	stranger.CA, stranger.ServerName = serving.ca, "elsewhere.example.org"
	_, err := open(stranger)
	wantFault(t, err, faults.MySQLRefused)
	nameless := serving.overTCP("secure", "pw", plan.TLSVerify)
	nameless.CA = serving.ca
	if _, err := measure(t, nameless, point("narrow", plan.Prepared), 1); err != nil {
		t.Errorf("the authority alone: %v", err)
	}
	known := serving.overTCP("secure", "pw", plan.TLSPinned)
	known.Certificate = serving.fingerprint(t)
	if _, err := measure(t, known, point("narrow", plan.Prepared), 1); err != nil {
		t.Errorf("the certificate alone: %v", err)
	}
	changed := serving.overTCP("secure", "pw", plan.TLSPinned)
	changed.Certificate = "00" + known.Certificate[2:]
	_, err = open(changed)
	wantFault(t, err, faults.MySQLRefused)
	unsigned := serving.overTCP("secure", "pw", plan.TLSVerify)
	_, err = open(unsigned)
	wantFault(t, err, faults.MySQLRefused)
	_, err = open(serving.overTCP("secure", "pw", plan.TLSOff))
	wantFault(t, err, faults.MySQLDenied)
}

// TestTheDriverStillShowsItsConnection holds encryptedPart to the pinned version of the driver.
func TestTheDriverStillShowsItsConnection(t *testing.T) {
	serving := startServer(t, false)
	serving.say(t, "CREATE DATABASE leadline")
	for mode, want := range map[string]bool{plan.TLSOff: false, plan.TLSUnverified: true} {
		opened, err := open(serving.overTCP("root", "", mode))
		if err != nil {
			t.Fatal(err)
		}
		if got := opened.encrypted != nil; got != want {
			t.Errorf("%s: encrypted is %v", mode, got)
		}
		opened.close()
	}
}

func TestAServerThatDiesIsLost(t *testing.T) {
	for _, mode := range []string{plan.TLSOff, plan.TLSUnverified} {
		serving := startServer(t, false)
		serving.fill(t)
		clients, err := Open(serving.overTCP("root", "", mode), point("narrow", plan.Prepared), 2)
		if err != nil {
			t.Fatal(err)
		}
		_, err = loadtest.RunToTheEnd(clients.Each, func() { _ = serving.process.Kill() })
		wantFault(t, err, faults.MySQLLost)
		clients.Close()
	}
}
