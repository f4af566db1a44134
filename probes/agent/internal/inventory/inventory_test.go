package inventory

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ask(t *testing.T, arguments ...string) *answer {
	t.Helper()
	var out, failures bytes.Buffer
	if status := Main("1.2.3", arguments, &out, &failures); status != 0 {
		t.Fatalf("status %d: %s", status, failures.String())
	}
	var found answer
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	return &found
}

func TestThisHostAnswers(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "däta directory=1")
	if err := os.Mkdir(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(directory, link); err != nil {
		t.Fatal(err)
	}
	found := ask(t, "--path", "data="+link, "--path=redo="+directory, "--path", "undo=/does/not/exist")
	for _, name := range []string{"/proc/meminfo", "/proc/self/mountinfo", "/proc/cpuinfo", "/proc/sys/vm/swappiness"} {
		if found.Files[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
	if strings.Count(found.Files["/proc/cpuinfo"], "processor\t") > 1 {
		t.Error("/proc/cpuinfo holds more than one processor")
	}
	data := found.Paths["data"]
	if data == nil || !data.Exists || !data.IsDirectory || !data.Writable || data.Resolved != directory || data.Path != link {
		t.Fatalf("the data directory is %+v", data)
	}
	if data.Blocks == 0 || data.BlockBytes == 0 || data.FSType == 0 || data.MountPoint == "" {
		t.Errorf("its file system is %+v", data)
	}
	if data.AllocationBytes != 0 {
		t.Errorf("an empty directory gives out pieces of %d bytes", data.AllocationBytes)
	}
	if redo := found.Paths["redo"]; redo.Device != data.Device || redo.Path != directory {
		t.Errorf("the same directory lies on %s and %s", redo.Device, data.Device)
	}
	if undo := found.Paths["undo"]; undo.Exists || undo.Resolved != "" || undo.Device != "" {
		t.Errorf("a missing directory is %+v", undo)
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	for _, arguments := range [][]string{{"--path"}, {"--path", "nothing"}, {"--path", "=/x"}, {"--path", "a="}, {"x"}} {
		var out, failures bytes.Buffer
		if status := Main("1", arguments, &out, &failures); status != 2 || out.Len() > 0 || failures.Len() == 0 {
			t.Errorf("%q ends with %d and says %q", arguments, status, failures.String())
		}
	}
}

// sysfs builds a tree below a new root: paths to contents; a content that begins with "->" is
// the target of a link.
func sysfs(t *testing.T, entries map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range entries {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		target, isLink := strings.CutPrefix(content, "->")
		if isLink {
			err = os.Symlink(filepath.Join(root, target), full)
		} else {
			err = os.WriteFile(full, []byte(content+"\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestAVolumeLeadsToItsDisks(t *testing.T) {
	const disk, partition = "sys/devices/pci0000:00/nvme/nvme0/nvme0n1", "sys/devices/pci0000:00/nvme/nvme0/nvme0n1/nvme0n1p2"
	const volume = "sys/devices/virtual/block/dm-0"
	root := sysfs(t, map[string]string{
		"sys/dev/block/253:0":            "->" + volume,
		"sys/dev/block/259:0":            "->" + disk,
		"sys/dev/block/259:2":            "->" + partition,
		volume + "/dev":                  "253:0",
		volume + "/dm/name":              "vg-data",
		volume + "/slaves/nvme0n1p2":     "->" + partition,
		partition + "/dev":               "259:2",
		partition + "/partition":         "2",
		disk + "/dev":                    "259:0",
		disk + "/size":                   "1000",
		disk + "/queue/rotational":       "0",
		disk + "/queue/scheduler":        "[none] mq-deadline",
		disk + "/device/model":           "Fast One   ",
		disk + "/device/serial":          "secret",
		disk + "/mq/0/nr_tags":           "1023",
		disk + "/mq/1/nr_tags":           "1023",
		disk + "/queue/iosched/whatever": "1",
	})
	reader := blockReader{root: root, found: map[string]*device{}}
	reader.add("253:0")
	if len(reader.found) != 3 {
		t.Fatalf("found %v", reader.found)
	}
	top, part, whole := reader.found["253:0"], reader.found["259:2"], reader.found["259:0"]
	if top.Files["dm/name"] != "vg-data" || len(top.Slaves) != 1 || top.Slaves[0] != "259:2" || top.Parent != "253:0" {
		t.Errorf("the volume is %+v", top)
	}
	if part.Parent != "259:0" || part.Name != "nvme0n1p2" {
		t.Errorf("the partition is %+v", part)
	}
	if whole.Files["device/model"] != "Fast One" || whole.Files["queue/rotational"] != "0" || whole.Queues != 2 {
		t.Errorf("the disk is %+v", whole)
	}
	if whole.Path != "/devices/pci0000:00/nvme/nvme0/nvme0n1" {
		t.Errorf("the disk's path is %s", whole.Path)
	}
	if _, ok := whole.Files["device/serial"]; ok {
		t.Error("a serial number was read")
	}
}

func TestADeviceWithoutSysfsIsLeftOut(t *testing.T) {
	reader := blockReader{root: t.TempDir(), found: map[string]*device{}}
	reader.add("0:45")
	reader.add("")
	if len(reader.found) != 0 {
		t.Errorf("found %v", reader.found)
	}
}

func TestTheDeepestMountCounts(t *testing.T) {
	mounts := strings.Join([]string{
		"22 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
		"30 22 0:40 / /data rw - btrfs /dev/vdb rw,subvol=/",
		`31 22 0:41 / /my\040data rw shared:1 - xfs /dev/vdc rw`,
		"32 30 0:42 / /data/deep rw - overlay overlay rw",
		"33 22 0:43 / /data rw - ext4 /dev/vdd rw",
	}, "\n")
	for path, want := range map[string][3]string{
		"/data/x":      {"/data", "ext4", "/dev/vdd"},
		"/database":    {"/", "ext4", "/dev/vda"},
		"/data/deep":   {"/data/deep", "overlay", "overlay"},
		"/my data/new": {"/my data", "xfs", "/dev/vdc"},
	} {
		point, fsType, source := mountOf(path, mounts)
		if got := [3]string{point, fsType, source}; got != want {
			t.Errorf("%s is on %v instead of %v", path, got, want)
		}
	}
}

func TestLimitsOfAllGroupsAreAskedFor(t *testing.T) {
	paths := strings.Join(limitFiles("0::/a.slice/b\n"), " ") + " "
	for _, want := range []string{"sys/fs/cgroup/a.slice/b/memory.max ", "sys/fs/cgroup/a.slice/cpu.max ", "sys/fs/cgroup/memory.max "} {
		if !strings.Contains(paths, want) {
			t.Errorf("%s is not asked for", want)
		}
	}
}
