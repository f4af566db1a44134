package tpcc

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
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
