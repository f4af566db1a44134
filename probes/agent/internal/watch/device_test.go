package watch

import (
	"os"
	"path/filepath"
	"testing"

	"leadline/agent/internal/inventory"
)

// tree writes files below a new root; a content that begins with "->" is a link's target.
func tree(t *testing.T, entries map[string]string) string {
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
		if target, isLink := content[2:], content[:2] == "->"; isLink {
			err = os.Symlink(filepath.Join(root, target), full)
		} else {
			err = os.WriteFile(full, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const block = "sys/dev/block/"

func TestAPartitionIsWatchedAsItsDisk(t *testing.T) {
	const disk = "sys/devices/nvme0n1"
	root := tree(t, map[string]string{
		block + "259:0":                 "->" + disk,
		block + "259:2":                 "->" + disk + "/nvme0n1p2",
		disk + "/dev":                   "259:0\n",
		disk + "/stat":                  diskLine,
		disk + "/queue/iostats":         "1\n",
		disk + "/nvme0n1p2/dev":         "259:2\n",
		disk + "/nvme0n1p2/partition":   "2\n",
		disk + "/nvme0n1p2/stat":        "0 0 0 0 0 0 0 0 0 0 0\n",
		block + "253:0":                 "->sys/devices/dm-0",
		"sys/devices/dm-0/dev":          "253:0\n",
		"sys/devices/dm-0/slaves/n1p2":  "->" + disk + "/nvme0n1p2",
		block + "9:0":                   "->sys/devices/md0",
		"sys/devices/md0/dev":           "9:0\n",
		"sys/devices/md0/stat":          diskLine,
		"sys/devices/md0/slaves/one":    "->" + disk,
		"sys/devices/md0/slaves/two":    "->sys/devices/dm-0",
		block + "8:0":                   "->sys/devices/sda",
		"sys/devices/sda/dev":           "8:0\n",
		"sys/devices/sda/stat":          diskLine,
		"sys/devices/sda/queue/iostats": "0\n",
	})
	for number, want := range map[string]string{
		"259:0": "nvme0n1", "259:2": "nvme0n1", "253:0": "nvme0n1",
		// What a mirror writes twice was asked of it once.
		"9:0": "md0",
		// A device that does not count must not look idle.
		"8:0": "", "7:7": "",
	} {
		var disks []inventory.Disk
		if disk, ok := inventory.DiskOf(root, number); ok {
			disks = append(disks, disk)
		}
		found := openDisks(root, disks)
		seen, ok := found.now()
		if found.name != want || ok != (want != "") || ok && seen.reads != 1000 {
			t.Errorf("%s is watched as %q with %+v", number, found.name, seen)
		}
		found.close()
	}
}

func TestDevicesOfOneFileSystemAreAddedUp(t *testing.T) {
	root := tree(t, map[string]string{"a": diskLine, "b": diskLine})
	both := device{name: "a+b", stats: []*file{openFile(root + "/a"), openFile(root + "/b")}}
	defer both.close()
	if seen, ok := both.now(); !ok || seen.reads != 2000 || seen.queueMS != 6800 {
		t.Errorf("together they did %+v", seen)
	}
}
