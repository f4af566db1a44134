package inventory

import "testing"

func TestDisksBelowADirectory(t *testing.T) {
	const disk = "sys/devices/nvme0n1"
	root := sysfs(t, map[string]string{
		"sys/dev/block/259:0":                "->" + disk,
		"sys/dev/block/259:2":                "->" + disk + "/nvme0n1p2",
		disk + "/dev":                        "259:0",
		disk + "/nvme0n1p2/dev":              "259:2",
		disk + "/nvme0n1p2/partition":        "2",
		"sys/dev/block/253:0":                "->sys/devices/dm-0",
		"sys/devices/dm-0/dev":               "253:0",
		"sys/devices/dm-0/slaves/nvme0n1p2":  "->" + disk + "/nvme0n1p2",
		"sys/dev/block/253:1":                "->sys/devices/dm-1",
		"sys/devices/dm-1/slaves/nvme0n1p2":  "->" + disk + "/nvme0n1p2",
		"sys/devices/dm-1/slaves/anotherone": "->sys/devices/dm-0",
	})
	for number, want := range map[string]string{
		"259:0": "nvme0n1", "259:2": "nvme0n1", "253:0": "nvme0n1", "253:1": "dm-1",
	} {
		if found, ok := DiskOf(root, number); !ok || found.Name != want {
			t.Errorf("%s leads to %+v", number, found)
		}
	}
	for _, number := range []string{"", "7:7"} {
		if found, ok := DiskOf(root, number); ok {
			t.Errorf("%q leads to %+v", number, found)
		}
	}
	if found := DisksBelow("/", "/does/not/exist"); len(found) != 0 {
		t.Errorf("below nothing lies %v", found)
	}
}
