package pointselect

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"encoding/pem"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/plan"
)

// patience is for what a busy machine may take long to do; it only ends what would never end.
const patience = 5 * time.Minute

// mostConnections are many more than a test has at once: a busy server still counts those of the last ones.
const mostConnections = 80

const serverName = "leadline test server"

// server is a private MariaDB.
type server struct {
	process *os.Process
	socket  string
	tcp     string
	ca      string
	ended   chan struct{}
}

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

// folder is short enough for a socket's path.
func folder(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp("", "leadline-mariadb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	return directory
}

// startServer starts a server with TLS on an empty data directory; with accounts it is a real
// installation, without it lets everybody in.
func startServer(t *testing.T, accounts bool) *server {
	t.Helper()
	program := find(t, "mariadbd")
	directory := folder(t)
	data := filepath.Join(directory, "data")
	// A server that starts takes away all temporary tables in its tmpdir, those of others that run too.
	temporary := filepath.Join(directory, "tmp")
	for _, made := range []string{data, temporary} {
		if err := os.Mkdir(made, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	options := []string{"--no-defaults", "--datadir=" + data, "--tmpdir=" + temporary, "--innodb-log-file-size=5M",
		"--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0", "--aria-log-file-size=8M",
		"--aria-log-dir-path=" + data}
	if os.Getuid() == 0 {
		options = append(options, "--user=root")
	}
	if accounts {
		install := exec.Command(find(t, "mariadb-install-db"), append(options, "--skip-test-db",
			"--auth-root-authentication-method=socket", "--auth-root-socket-user=root")...)
		if said, err := install.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		options = append(options, "--plugin-load-add=auth_ed25519")
	} else {
		options = append(options, "--skip-grant-tables")
	}
	started := &server{socket: filepath.Join(directory, "s"), tcp: freeAddress(), ended: make(chan struct{})}
	_, port, _ := net.SplitHostPort(started.tcp)
	options = append(options, "--socket="+started.socket, "--pid-file="+directory+"/pid", "--port="+port,
		"--bind-address=127.0.0.1", fmt.Sprintf("--max-connections=%d", mostConnections), "--log-error="+directory+"/log")
	options = append(options, started.certificates(t, directory)...)
	if !started.run(t, exec.Command(program, options...)) {
		log, _ := os.ReadFile(filepath.Join(directory, "log"))
		t.Fatalf("the server does not start: %s", log)
	}
	return started
}

// run is false where the server can't be reached.
func (s *server) run(t *testing.T, command *exec.Cmd) bool {
	t.Helper()
	// A test that is killed takes its server along. The signal comes when the thread that started the
	// server ends, so this one may not be lent to a load's worker, whose thread ends with it.
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := command.Start()
		begun <- err
		if err == nil {
			_ = command.Wait()
			close(s.ended)
		}
	}()
	if err := <-begun; err != nil {
		t.Fatal(err)
	}
	s.process = command.Process
	t.Cleanup(func() {
		_ = s.process.Kill()
		<-s.ended
	})
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(20 * time.Millisecond) {
		if connection, err := net.Dial("unix", s.socket); err == nil {
			_ = connection.Close()
			return true
		}
		select {
		case <-s.ended:
			return false
		default:
		}
	}
	return false
}

// freeAddress chooses a port below those that the system hands out: what others listen on or connect
// from can't take it before the server does.
func freeAddress() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 15_000+mathrand.IntN(17_000))
		if listener, err := net.Listen("tcp", address); err == nil {
			_ = listener.Close()
			return address
		}
	}
}

// certificates makes one that signs itself, and returns the server's options for it.
func (s *server) certificates(t *testing.T, directory string) []string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: serverName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"db.example.org"}, IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s.ca = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
	secretText := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	for name, content := range map[string][]byte{"cert.pem": []byte(s.ca), "key.pem": secretText} {
		if err := os.WriteFile(filepath.Join(directory, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--ssl-cert=" + directory + "/cert.pem", "--ssl-key=" + directory + "/key.pem"}
}

// say runs statements as the server's owner.
func (s *server) say(t *testing.T, statements ...string) {
	t.Helper()
	config := mysql.NewConfig()
	config.Net, config.Addr, config.User = "unix", s.socket, "root"
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	database := sql.OpenDB(connector)
	defer func() { _ = database.Close() }()
	database.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := database.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// alone waits until the server has seen all others go.
func (s *server) alone(t *testing.T) {
	t.Helper()
	const others = "SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND command <> 'Daemon'"
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(10 * time.Millisecond) {
		if found, err := s.tryToAsk(t, others); err == nil && slices.Equal(found, []string{"0"}) {
			return
		}
	}
	t.Fatal("others are still connected")
}

const rows = 500

// fill makes a table of narrow rows and one of rows that no first read can hold.
func (s *server) fill(t *testing.T) {
	t.Helper()
	s.say(t, "CREATE DATABASE leadline", "USE leadline",
		"CREATE TABLE leadline.narrow (id INT PRIMARY KEY, c CHAR(120) NOT NULL) ENGINE=InnoDB",
		fmt.Sprintf("INSERT INTO leadline.narrow SELECT seq, REPEAT('x', 119) FROM seq_1_to_%d", rows),
		"CREATE TABLE leadline.wide (id BIGINT PRIMARY KEY, c MEDIUMTEXT NOT NULL) ENGINE=InnoDB",
		"INSERT INTO leadline.wide SELECT seq, REPEAT('y', 40000) FROM seq_1_to_20")
}

// login is the plan's part for this server, over its socket.
func (s *server) login(user, password string) *plan.MySQL {
	return &plan.MySQL{
		Network: "unix", Address: s.socket, User: user, Password: password, TLS: plan.TLSOff, Database: "leadline",
		Tables: map[string]plan.Table{
			"narrow": {Name: "narrow", Key: "id", Column: "c", Min: 1, Max: rows},
			"sparse": {Name: "narrow", Key: "id", Column: "c", Min: 1, Max: 2 * rows},
			"wide":   {Name: "wide", Key: "id", Column: "c", Min: 1, Max: 20},
			"own":    {Name: "narrow", Key: "id", Column: "c", Min: 1, Max: rows, Own: true},
			"holes":  {Name: "narrow", Key: "id", Column: "c", Min: 1, Max: 2 * rows, Own: true},
			"short":  {Name: "short", Key: "id", Column: "c", Min: 1, Max: 1, Own: true},
			"mixed":  {Name: "mixed", Key: "id", Column: "c", Min: 1, Max: rows, Own: true},
			"none":   {Name: "none", Key: "id", Column: "c", Min: 1, Max: 20},
		},
	}
}

func (s *server) overTCP(user, password, tls string) *plan.MySQL {
	asked := s.login(user, password)
	asked.Network, asked.Address, asked.TLS = "tcp", s.tcp, tls
	return asked
}

// fingerprint is the SHA-256 of the server's certificate, as a plan has it.
func (s *server) fingerprint(t *testing.T) string {
	t.Helper()
	block, _ := pem.Decode([]byte(s.ca))
	if block == nil {
		t.Fatal("the certificate is no PEM")
	}
	sum := sha256.Sum256(block.Bytes)
	pairs := make([]string, len(sum))
	for at, value := range sum {
		pairs[at] = fmt.Sprintf("%02X", value)
	}
	return strings.Join(pairs, ":")
}

// sockets counts this process's open sockets.
func sockets(t *testing.T) int {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, link := range links {
		target, err := os.Readlink(link)
		if err == nil && bytes.HasPrefix([]byte(target), []byte("socket:")) {
			count++
		}
	}
	return count
}

func point(table, protocol string) plan.Point {
	return plan.Point{Table: table, Protocol: protocol, Seed: uint64(len(table)) + uint64(len(strconv.Quote(protocol)))}
}
