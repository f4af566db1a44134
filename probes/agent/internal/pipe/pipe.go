// Package pipe joins a unix socket to standard input and output.
package pipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/listener"
)

// Main pipes the socket that arguments name until its other end is gone, or both directions have
// ended. Who listens, or what goes wrong, is told on failures, because out belongs to the socket.
func Main(arguments []string, in io.Reader, out io.WriteCloser, failures io.Writer) int {
	if len(arguments) != 1 {
		fmt.Fprintln(failures, "usage: leadline-agent connect SOCKET")
		return 2
	}
	// A reader that went away shows as a failed write, which ends the pipe in good order.
	signal.Ignore(syscall.SIGPIPE)
	address := &net.UnixAddr{Name: arguments[0], Net: "unix"}
	socket, err := net.DialUnix("unix", nil, address)
	if err != nil {
		_ = json.NewEncoder(failures).Encode(map[string]any{
			"event": "error", "code": code(err), "message": err.Error(), "fatal": true,
		})
		return 1
	}
	// An account that can't be decided is trusted with nothing.
	found, _ := listener.Of(socket, arguments[0])
	_ = json.NewEncoder(failures).Encode(map[string]any{
		"event": "listener", "account": found.Account, "private": found.Private,
	})
	join(socket, in, out)
	return 0
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
func join(socket *net.UnixConn, in io.Reader, out io.WriteCloser) {
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
func hangup(socket *net.UnixConn) <-chan struct{} {
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
