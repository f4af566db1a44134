package pipe

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const soon = time.Minute

// serve accepts one connection on a unix socket and lets answer deal with it.
func serve(t *testing.T, answer func(*net.UnixConn)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a socket")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		connection, err := listener.AcceptUnix()
		if err == nil {
			answer(connection)
		}
	}()
	return path
}

// connect runs Main and returns its status, or -1 when it does not end.
func connect(t *testing.T, path string, in io.Reader, out io.WriteCloser) int {
	t.Helper()
	status := make(chan int, 1)
	go func() { status <- Main([]string{path}, in, out, io.Discard) }()
	select {
	case ended := <-status:
		return ended
	case <-time.After(soon):
		t.Error("the pipe does not end")
		return -1
	}
}

func TestAnAnswerComesAfterAllWasSaid(t *testing.T) {
	path := serve(t, func(connection *net.UnixConn) {
		// Only the end of input makes this return.
		said, _ := io.ReadAll(connection)
		_, _ = connection.Write(bytes.ToUpper(said))
		_ = connection.Close()
	})
	reader, out := io.Pipe()
	heard := make(chan []byte, 1)
	go func() {
		all, _ := io.ReadAll(reader)
		heard <- all
	}()
	said := strings.Repeat("lead line ", 20_000)
	if status := connect(t, path, strings.NewReader(said), out); status != 0 {
		t.Errorf("status %d", status)
	}
	if got := <-heard; string(got) != strings.ToUpper(said) {
		t.Errorf("%d bytes came back instead of %d", len(got), len(said))
	}
}

func TestThePipeEndsWithTheServer(t *testing.T) {
	path := serve(t, func(connection *net.UnixConn) {
		_, _ = connection.Write([]byte("bye"))
		_ = connection.Close()
	})
	silent, writer := io.Pipe()
	defer func() { _ = writer.Close() }()
	reader, out := io.Pipe()
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	if status := connect(t, path, silent, out); status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestAServerMayStopTalkingFirst(t *testing.T) {
	heard := make(chan string, 1)
	path := serve(t, func(connection *net.UnixConn) {
		_ = connection.CloseWrite()
		said, _ := io.ReadAll(connection)
		heard <- string(said)
		_ = connection.Close()
	})
	in, writer := io.Pipe()
	reader, out := io.Pipe()
	go func() {
		// The end of the server's words has come before ours are said.
		_, _ = io.Copy(io.Discard, reader)
		_, _ = writer.Write([]byte("still here"))
		_ = writer.Close()
	}()
	if status := connect(t, path, in, out); status != 0 {
		t.Errorf("status %d", status)
	}
	if got := <-heard; got != "still here" {
		t.Errorf("the server heard %q", got)
	}
}

func TestAMissingSocketIsTold(t *testing.T) {
	var failures bytes.Buffer
	_, out := io.Pipe()
	if status := Main([]string{t.TempDir() + "/none"}, strings.NewReader(""), out, &failures); status != 1 {
		t.Errorf("status %d", status)
	}
	var told map[string]any
	if err := json.Unmarshal(failures.Bytes(), &told); err != nil || told["code"] != "socket_missing" {
		t.Errorf("%q was told", failures.String())
	}
}

func TestAPortIsJoinedLikeASocket(t *testing.T) {
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = port.Close() }()
	go func() {
		if connection, err := port.Accept(); err == nil {
			_, _ = io.Copy(connection, connection)
			_ = connection.Close()
		}
	}()
	reader, out := io.Pipe()
	heard := make(chan string, 1)
	go func() {
		answer, _ := io.ReadAll(reader)
		heard <- string(answer)
	}()
	var failures bytes.Buffer
	if status := Main([]string{port.Addr().String()}, strings.NewReader("echo"), out, &failures); status != 0 {
		t.Errorf("status %d", status)
	}
	if got := <-heard; got != "echo" || !strings.Contains(failures.String(), `"connected"`) {
		t.Errorf("%q came back, and %q was told", got, failures.String())
	}
}
