package listener

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// nobody is an account that owns nothing.
const nobody = 65534

// folder makes a folder with those permission bits, below one that others may write to where sticky.
func folder(t *testing.T, mode os.FileMode) string {
	t.Helper()
	made := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(made, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(made, mode); err != nil {
		t.Fatal(err)
	}
	return made
}

// socket stands for one: what matters is where it lies.
func socket(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "s")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOnesOwnListenerIsPrivateWhereverItListens(t *testing.T) {
	path := filepath.Join(folder(t, 0o777|os.ModeSticky), "s")
	server, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	connection, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	found, err := Of(connection, path)
	if err != nil || !found.Private || found.Account == "" {
		t.Errorf("got %+v, %v", found, err)
	}
}

func TestAnotherAccountsListenerIsPrivateWhereNobodyElseMayPutASocket(t *testing.T) {
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	for mode, want := range map[os.FileMode]bool{
		0o700:                 true,
		0o755:                 true,
		0o777:                 false,
		0o777 | os.ModeSticky: false,
		0o757:                 false,
	} {
		made := folder(t, mode)
		if got := closed(socket(t, made), peer); got != want {
			t.Errorf("%v: closed is %v", mode, got)
		}
		inner := filepath.Join(made, "inner")
		if err := os.Mkdir(inner, 0o755); err != nil {
			t.Fatal(err)
		}
		want = want || mode&os.ModeSticky != 0
		if got := closed(socket(t, inner), peer); got != want {
			t.Errorf("a folder in %v: closed is %v", mode, got)
		}
	}
}

func TestALinkIsAsPrivateAsTheWorstFolderOnTheWay(t *testing.T) {
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	shut, open := folder(t, 0o755), folder(t, 0o777)
	for place, want := range map[[2]string]bool{
		{shut, filepath.Join(shut, "s")}: true,
		{shut, filepath.Join(open, "s")}: false,
		{open, filepath.Join(shut, "s")}: false,
	} {
		link := filepath.Join(place[0], "link")
		_ = os.Remove(link)
		if err := os.Symlink(socket(t, filepath.Dir(place[1])), link); err != nil {
			t.Fatal(err)
		}
		if got := closed(link, peer); got != want {
			t.Errorf("%v: closed is %v", place, got)
		}
	}
}
