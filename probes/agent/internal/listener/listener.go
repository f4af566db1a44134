// Package listener tells who listens on a unix socket, and whether that can be anybody but the
// server's own account: a password goes there as it is only where it can't.
package listener

import (
	"errors"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	return Listener{account(peer.Uid), trusted(peer.Uid) || closed(path, peer)}, nil
}

func account(number uint32) string {
	text := strconv.FormatUint(uint64(number), 10)
	if known, err := user.LookupId(text); err == nil {
		return known.Username
	}
	return text
}

// closed tells whether only root, the agent's own account and the peer's may say what lies at path.
// Each name on the way counts, those that links lead through, too.
func closed(path string, peer *unix.Ucred) bool {
	// That is a name that lies in no folder: whoever comes first may have it.
	if strings.HasPrefix(path, "@") {
		return false
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	at, left, links := "/", names(path), 0
	for len(left) > 0 {
		name := left[0]
		left = left[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		found := filepath.Join(at, name)
		var folder, entry unix.Stat_t
		if unix.Lstat(at, &folder) != nil || unix.Lstat(found, &entry) != nil {
			return false
		}
		if !held(&folder, &entry, peer, len(left) == 0) {
			return false
		}
		if entry.Mode&unix.S_IFMT != unix.S_IFLNK {
			at = found
			continue
		}
		to, err := os.Readlink(found)
		if links++; err != nil || links > mostLinks {
			return false
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		left = append(names(to), left...)
	}
	return true
}

// names are those on a path, without what says nothing.
func names(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "/"), func(name string) bool {
		return name == "" || name == "."
	})
}

// held tells whether nobody else may say what an entry of that folder is. Where others may make
// files of their own, the sticky bit keeps them from moving what lies there. But what another
// account owns there, the peer's own folder too, may be what they made: only root's and one's own is
// sure to stay.
func held(folder, entry *unix.Stat_t, peer *unix.Ucred, last bool) bool {
	if !trusted(folder.Uid) && folder.Uid != peer.Uid {
		return false
	}
	// Whoever listens may be any member of its group, unless the folder is its own.
	itsOwn := folder.Uid == peer.Uid && folder.Gid == peer.Gid
	byGroup := folder.Mode&groupWrites != 0 && folder.Gid != rootsAccount && !itsOwn
	if !byGroup && folder.Mode&othersWrite == 0 {
		return true
	}
	return folder.Mode&unix.S_ISVTX != 0 && trusted(entry.Uid) && !last
}

// trusted tells whether an account has everything here anyway.
func trusted(account uint32) bool {
	return account == rootsAccount || int(account) == os.Geteuid()
}
