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

// A folder in /tmp may be anybody's, under whatever name the server's own had: so may a link there.
func TestWhatAnotherAccountMadeInASharedFolderIsNotPrivate(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("gives files away")
	}
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	shared := folder(t, 0o777|os.ModeSticky)
	home := folder(t, 0o755)
	theirs := filepath.Join(shared, "server")
	if err := os.Mkdir(theirs, 0o755); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(theirs, "run")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	link, roots := filepath.Join(shared, "link"), filepath.Join(shared, "roots")
	for _, each := range []string{link, roots} {
		if err := os.Symlink(home, each); err != nil {
			t.Fatal(err)
		}
	}
	for _, each := range []string{theirs, below, home, link} {
		if err := os.Lchown(each, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	for place, want := range map[string]bool{theirs: false, below: false, link: false, roots: true, home: true} {
		socket(t, place)
		// However the path is written.
		for _, path := range []string{place + "/s", place + "/../" + filepath.Base(place) + "/./s", place + "//s"} {
			if got := closed(path, peer); got != want {
				t.Errorf("%s: closed is %v", path, got)
			}
		}
	}
}

func TestAnyMemberOfAGroupMayPutASocketWhereItMayWrite(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("gives files away")
	}
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	for owner, want := range map[[2]int]bool{
		{0, 0}: true, {0, nobody}: false, {0, 1234}: false,
		{nobody, nobody}: true, {nobody, 1234}: false, {1234, nobody}: false,
	} {
		made := folder(t, 0o775)
		if err := os.Chown(made, owner[0], owner[1]); err != nil {
			t.Fatal(err)
		}
		if got := closed(socket(t, made), peer); got != want {
			t.Errorf("%v: closed is %v", owner, got)
		}
	}
}

func TestAChainOfLinksHasAnEnd(t *testing.T) {
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	made := folder(t, 0o755)
	socket(t, made)
	last := "s"
	for at := range mostLinks + 1 {
		name := "link" + string(rune('a'+at))
		if err := os.Symlink(last, filepath.Join(made, name)); err != nil {
			t.Fatal(err)
		}
		last = name
	}
	loop := filepath.Join(made, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		filepath.Join(made, "link"+string(rune('a'+mostLinks-1))): true,
		filepath.Join(made, last):                                 false,
		loop:                                                      false,
		filepath.Join(made, "gone"):                               false,
		"@" + made:                                                false,
		"@":                                                       false,
	} {
		if got := closed(path, peer); got != want {
			t.Errorf("%s: closed is %v", path, got)
		}
	}
}

// A path that begins in the working directory is as open as all that lies above that.
func TestARelativePathIsJudgedToTheTop(t *testing.T) {
	peer := &unix.Ucred{Uid: nobody, Gid: nobody}
	open := folder(t, 0o777)
	inner := filepath.Join(open, "inner")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	socket(t, inner)
	t.Chdir(open)
	if closed("inner/s", peer) {
		t.Error("the working directory was not looked at")
	}
	// An abstract name is no file of that name.
	socket(t, inner)
	t.Chdir(folder(t, 0o755))
	if err := os.WriteFile("@name", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if closed("@name", peer) {
		t.Error("an abstract name is taken for the file of that name")
	}
}
