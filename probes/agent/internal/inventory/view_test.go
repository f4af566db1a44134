package inventory

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// contained starts a process that is called like a server, in name spaces of its own as a container has them:
// its directory is empty on the machine, and in there it holds a file of its number, a link, and a name.
func contained(t *testing.T) (pid int, inside string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root makes name spaces")
	}
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	outside := t.TempDir()
	inside = t.TempDir()
	content, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "mysqld"), content, 0o700); err != nil {
		t.Fatal(err)
	}
	// The shell becomes the server, so that this is number 1 in there.
	script := `mount --make-rprivate / && mount --bind "$1" "$2" && echo box > "$2/name" && mkdir "$2/data" &&
		mount --bind "$2/name" /etc/hostname && hostname box && ln -s "$2/data" "$2/link" &&
		echo $$ > "$2/pid" && echo ready && exec "$2/mysqld" 600`
	command := exec.Command("/bin/sh", "-c", script, "sh", outside, inside)
	command.SysProcAttr = &unix.SysProcAttr{Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWUTS}
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	if said, err := bufio.NewReader(out).ReadString('\n'); err != nil || said != "ready\n" {
		t.Skipf("no container can be made here: %q, %v", said, err)
	}
	// It is ready right before it becomes the server.
	for number := strconv.Itoa(command.Process.Pid); !isServer("/", number); time.Sleep(time.Millisecond) {
		if stat, _ := readText(filepath.Join("/proc", number, "stat")); strings.Contains(stat, ") Z") {
			t.Fatal("it has ended")
		}
	}
	return command.Process.Pid, inside
}

func TestAServerInAContainerIsFoundByItsOwnFileAndName(t *testing.T) {
	pid, inside := contained(t)
	other, _ := contained(t)
	if found, because := ServerProcess("/", Server{PIDFile: filepath.Join(inside, "pid")}); found != pid {
		t.Errorf("found %d instead of %d (beside %d): %s", found, pid, other, because)
	}
	if _, err := os.Stat(filepath.Join(inside, "pid")); err == nil {
		t.Error("its file is there on the machine, too")
	}
	if name := HostnameOf("/", strconv.Itoa(pid)); name != "box" {
		t.Errorf("it is called %q", name)
	}
	own, _ := os.Hostname()
	if name := HostnameOf("/", "self"); name != own {
		t.Errorf("this machine is called %q instead of %q", name, own)
	}
}

func TestDirectoriesOfAContainerAreSeenAsItsServerSeesThem(t *testing.T) {
	pid, inside := contained(t)
	seen, err := ViewOf("/", pid)
	if err != nil {
		t.Fatal(err)
	}
	if got := seen.Resolve(filepath.Join(inside, "link")); got != filepath.Join(inside, "data") {
		t.Errorf("its link leads to %s", got)
	}
	place := seen.look(filepath.Join(inside, "link"))
	if !place.Exists || !place.IsDirectory || place.MountPoint != inside {
		t.Errorf("its directory is %+v", place)
	}
	if told := lookFor(OwnView("/"), seen, filepath.Join(inside, "data")); !told.Contained || told.Exists {
		t.Errorf("to this machine its directory is told as %+v", told)
	}
	if told := lookFor(OwnView("/"), seen, os.TempDir()); told.Contained || !told.Exists {
		t.Errorf("what both see is told as %+v", told)
	}
	if there := OwnView("/").look(filepath.Join(inside, "data")); there.Exists {
		t.Error("it is there on the machine, too")
	}
	theirs, ours := seen.Disks("/", filepath.Join(inside, "data")), DisksBelow("/", inside)
	if len(theirs) != len(ours) || len(ours) > 0 && theirs[0] != ours[0] {
		t.Errorf("it lies on %v instead of %v", theirs, ours)
	}
}

func TestAServerBesideThisProcessSeesTheSameFiles(t *testing.T) {
	seen, err := ViewOf("/", os.Getppid())
	if err != nil || seen.At("/tmp") != "/tmp" {
		t.Errorf("it sees %+v: %v", seen, err)
	}
	if seen, err := ViewOf("/", 0); err != nil || seen.At("/tmp") != "/tmp" {
		t.Errorf("without a server: %+v: %v", seen, err)
	}
}

func TestAContainersFilesThatMayNotBeSeenAreNotThoseOfTheMachine(t *testing.T) {
	root := sysfs(t, map[string]string{"proc/41/status": "Name:\tmysqld\nNSpid:\t41\t1"})
	if _, err := ViewOf(root, 41); err == nil || !strings.Contains(err.Error(), "container") {
		t.Errorf("its files are taken for the machine's: %v", err)
	}
	root = sysfs(t, map[string]string{"proc/41/status": "Name:\tmysqld\nNSpid:\t41"})
	if _, err := ViewOf(root, 41); err != nil {
		t.Errorf("the machine's own server: %v", err)
	}
}

func TestOfSeveralServersTheOneOfThatNameIsMeant(t *testing.T) {
	root := sysfs(t, map[string]string{
		"proc/41/comm":              "mysqld",
		"proc/41/status":            "NSpid:\t41\t1",
		"proc/41/root/etc/hostname": "one",
		"proc/41/root/run/pid":      "1",
		"proc/42/comm":              "mysqld",
		"proc/42/status":            "NSpid:\t42\t1",
		"proc/42/root/etc/hostname": "two.example.com",
		"proc/42/root/run/pid":      "1",
		"proc/43/comm":              "mysqld",
	})
	for pid, space := range map[string]string{"self": "uts:[1]", "41": "uts:[2]", "42": "uts:[3]", "43": "uts:[1]"} {
		folder := filepath.Join(root, "proc", pid, "ns")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(space, filepath.Join(folder, "uts")); err != nil {
			t.Fatal(err)
		}
	}
	for name, pid := range map[string]int{"one": 41, "two": 42, "": 0, "three": 0} {
		found, because := ServerProcess(root, Server{PIDFile: "/run/pid", Hostname: name})
		if found != pid || (pid == 0) != (because != "") {
			t.Errorf("%q is %d: %s", name, found, because)
		}
	}
}

func TestBelowAnOverlayLiesTheDirectoryThatTakesWhatIsWritten(t *testing.T) {
	mounts := "1 0 0:30 / / rw - overlay overlay rw,lowerdir=/a:/b,upperdir=/var/lib/x/diff,workdir=/w\n" +
		"2 1 8:1 / /data rw - ext4 /dev/sda1 rw\n" +
		"3 1 0:31 / /late rw - overlay overlay rw,lowerdir=/a,upperdir=/u,workdir=/w\n" +
		"4 1 8:1 / /late rw - ext4 /dev/sda1 rw\n"
	for point, upper := range map[string]string{"/": "/var/lib/x/diff", "/data": "", "/late": "", "/none": ""} {
		if got := upperOf(point, mounts); got != upper {
			t.Errorf("below %s lies %q instead of %q", point, got, upper)
		}
	}
}
