package pointselect

import (
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

func TestASessionAsksNowAndThen(t *testing.T) {
	serving := startServer(t, false)
	serving.fill(t)
	for _, tls := range []string{plan.TLSOff, plan.TLSUnverified} {
		asked := serving.overTCP("root", "", tls)
		session, err := OpenSession(asked, asked.Tables["narrow"])
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []int64{1, 2, -5, 1 << 40} {
			if err := session.Lookup(key); err != nil {
				t.Errorf("%s: looking up %d: %v", tls, key, err)
			}
		}
		rows, err := session.Query("SELECT 7, 'x', NULL UNION SELECT 8, 'y', 2")
		if err != nil || len(rows) != 2 || rows[0][0] != "7" || rows[1][1] != "y" {
			t.Errorf("%s: the answer was %v, %v", tls, rows, err)
		}
		_, err = session.Query("SELECT nonsense")
		wantFault(t, err, faults.MySQLQuery)
		session.Close()
	}
	asked := serving.login("root", "")
	_, err := OpenSession(asked, asked.Tables["none"])
	wantFault(t, err, faults.MySQLQuery)
	patienceEnds(t, serving)
}

// patienceEnds stops the server's process, which then answers nothing.
func patienceEnds(t *testing.T, serving *server) {
	asked := serving.login("root", "")
	session, err := OpenSession(asked, asked.Tables["narrow"])
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if err := serving.process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// The signal takes its time: an answer may still come until all of its threads have stopped.
	var status syscall.WaitStatus
	for !status.Stopped() {
		if _, err := syscall.Wait4(serving.process.Pid, &status, syscall.WUNTRACED, nil); err != nil && err != syscall.EINTR {
			t.Fatal(err)
		}
	}
	// Nothing but the deadline may end the wait.
	forEver := unix.Timeval{}
	if err := unix.SetsockoptTimeval(session.login.line.fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &forEver); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	session.SetDeadline(clock.Now() + (100 * time.Millisecond).Nanoseconds())
	wantFault(t, session.Lookup(1), faults.MySQLLost)
	if took := time.Since(begin); took < 100*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}
