// Package listener tells who listens on a unix socket, and whether that can be anybody but the
// server's own account: a password goes there as it is only where it can't.
package listener

import (
	"errors"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// mostLinks is how many symbolic links a socket's path may lead through.
const mostLinks = 8

// What others may do in a folder.
const (
	groupWrites  = 0o020
	othersWrite  = 0o002
	rootsAccount = 0
)

// Listener is who answers on a socket.
type Listener struct {
	// Account is its name, or its number where it has none.
	Account string
	// Private tells that no other account could have put that socket there.
	Private bool
}

// Of tells who listens at the other end of a connection to the socket at path. Private is an
// account that has everything here anyway (root, and the agent's own), or one whose socket lies in
// a folder where no other account may put one.
func Of(connection *net.UnixConn, path string) (Listener, error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return Listener{}, err
	}
	var peer *unix.Ucred
	var refused error
	err = raw.Control(func(number uintptr) {
		peer, refused = unix.GetsockoptUcred(int(number), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err := errors.Join(err, refused); err != nil {
		return Listener{}, err
	}
	trusted := peer.Uid == rootsAccount || int(peer.Uid) == os.Geteuid()
	return Listener{account(peer.Uid), trusted || closed(path, peer)}, nil
}

func account(number uint32) string {
	text := strconv.FormatUint(uint64(number), 10)
	if known, err := user.LookupId(text); err == nil {
		return known.Username
	}
	return text
}

// closed tells whether only root, the agent's own account and the peer's may say what lies at path.
func closed(path string, peer *unix.Ucred) bool {
	for range mostLinks {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil || !foldersClosed(folder, peer) {
			return false
		}
		found := filepath.Join(folder, filepath.Base(path))
		to, err := os.Readlink(found)
		if err != nil {
			return errors.Is(err, syscall.EINVAL)
		}
		if path = to; !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
	}
	return false
}

// foldersClosed looks at a folder and all above it. In those above, others may make files of their
// own where the sticky bit keeps them from moving what lies there.
func foldersClosed(folder string, peer *unix.Ucred) bool {
	for last := true; ; last = false {
		var status unix.Stat_t
		if err := unix.Lstat(folder, &status); err != nil || !mayOwn(status.Uid, peer) {
			return false
		}
		open := status.Mode&othersWrite != 0
		open = open || (status.Mode&groupWrites != 0 && status.Gid != rootsAccount && status.Gid != peer.Gid)
		if open && (last || status.Mode&unix.S_ISVTX == 0) {
			return false
		}
		above := filepath.Dir(folder)
		if above == folder {
			return true
		}
		folder = above
	}
}

func mayOwn(owner uint32, peer *unix.Ucred) bool {
	return owner == rootsAccount || owner == peer.Uid || int(owner) == os.Geteuid()
}
