// Package pipe joins a server's socket to standard input and output.
package pipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/listener"
)

// stream is a connection of which one direction can end before the other.
type stream interface {
	net.Conn
	CloseWrite() error
	File() (*os.File, error)
}

// Main pipes the socket that arguments name, a path or HOST:PORT, until its other end is gone, or both
// directions have ended. Who listens, or what goes wrong, is told on failures, because out belongs to the socket.
func Main(arguments []string, in io.Reader, out io.WriteCloser, failures io.Writer) int {
	if len(arguments) != 1 {
		fmt.Fprintln(failures, "usage: leadline-agent connect SOCKET|HOST:PORT")
		return 2
	}
	// A reader that went away shows as a failed write, which ends the pipe in good order.
	signal.Ignore(syscall.SIGPIPE)
	socket, err := dial(arguments[0])
	if err != nil {
		_ = json.NewEncoder(failures).Encode(map[string]any{
			"event": "error", "code": code(err), "message": err.Error(), "fatal": true,
		})
		return 1
	}
	_ = json.NewEncoder(failures).Encode(about(socket, arguments[0]))
	join(socket, in, out)
	return 0
}

func dial(place string) (stream, error) {
	if strings.Contains(place, "/") {
		return net.DialUnix("unix", nil, &net.UnixAddr{Name: place, Net: "unix"})
	}
	address, err := net.ResolveTCPAddr("tcp", place)
	if err != nil {
		return nil, err
	}
	return net.DialTCP("tcp", nil, address)
}

// about is what is told of a connection: who listens on a unix socket; over TCP nobody can tell.
func about(socket stream, place string) map[string]any {
	local, ok := socket.(*net.UnixConn)
	if !ok {
		return map[string]any{"event": "connected"}
	}
	// An account that can't be decided is trusted with nothing.
	found, _ := listener.Of(local, place)
	return map[string]any{"event": "listener", "account": found.Account, "private": found.Private}
}

func code(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "socket_missing"
	case errors.Is(err, fs.ErrPermission):
		return "socket_denied"
	default:
		return "socket_refused"
	}
}

// join copies both ways. Each end of input is passed on as such, so that one side may go on
// answering after the other has said all.
func join(socket stream, in io.Reader, out io.WriteCloser) {
	said := make(chan struct{})
	go func() {
		_, _ = io.Copy(socket, in)
		_ = socket.CloseWrite()
		close(said)
	}()
	_, _ = io.Copy(out, socket)
	_ = out.Close()
	select {
	case <-said:
	case <-hangup(socket):
	}
	_ = socket.Close()
}

// hangup closes its channel when the other end has closed both directions: nothing that may still
// be said would be heard.
func hangup(socket stream) <-chan struct{} {
	gone := make(chan struct{})
	file, err := socket.File()
	if err != nil {
		close(gone)
		return gone
	}
	go func() {
		defer func() { _ = file.Close() }()
		// No events are asked for: a hang-up is always told.
		ask := []unix.PollFd{{Fd: int32(file.Fd())}}
		for {
			if _, err := unix.Poll(ask, -1); err != unix.EINTR {
				close(gone)
				return
			}
		}
	}()
	return gone
}
