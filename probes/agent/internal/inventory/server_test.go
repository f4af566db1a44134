package inventory

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAServerThatTheLoaderStartedIsOne(t *testing.T) {
	root := sysfs(t, map[string]string{
		"proc/41/comm":    "ld-linux-x86-64",
		"proc/41/cmdline": "/lib/ld-linux-x86-64.so.2\x00--library-path\x00/opt\x00/opt/bin/mysqld\x00--user=me",
		"proc/42/comm":    "ld-linux-x86-64",
		"proc/42/cmdline": "/lib/ld-linux-x86-64.so.2\x00/bin/sleep\x009",
	})
	if found := findServer(root, Server{PIDFile: ""}, nil); found == nil || found.PID != 41 {
		t.Errorf("found %+v", found)
	}
}

func TestAServerIsFoundByItsPidFile(t *testing.T) {
	root := sysfs(t, map[string]string{
		"proc/41/comm":                          "mysqld",
		"proc/42/comm":                          "mariadbd",
		"proc/42/status":                        "VmSwap:\t 2048 kB",
		"proc/42/cgroup":                        "0::/system.slice/mariadb.service",
		"proc/7/comm":                           "bash",
		"run/mysqld.pid":                        "42",
		"run/container.pid":                     "7",
		"run/nonsense.pid":                      "../42",
		"sys/fs/cgroup/system.slice/memory.max": "max",
		"sys/fs/cgroup/system.slice/mariadb.service/memory.max": "4294967296",
	})
	found := findServer(root, Server{PIDFile: filepath.Join(root, "run/mysqld.pid")}, nil)
	if found == nil || found.PID != 42 || found.Files["status"] != "VmSwap:\t 2048 kB\n" {
		t.Fatalf("found %+v", found)
	}
	if got := found.Groups["/sys/fs/cgroup/system.slice/mariadb.service/memory.max"]; got != "4294967296\n" {
		t.Errorf("its limits are %v", found.Groups)
	}
	for _, name := range []string{"run/container.pid", "run/nonsense.pid", "run/gone.pid"} {
		if found := findServer(root, Server{PIDFile: filepath.Join(root, name)}, nil); found != nil {
			t.Errorf("%s leads to one of two servers: %+v", name, found)
		}
	}
	if err := os.RemoveAll(filepath.Join(root, "proc/41")); err != nil {
		t.Fatal(err)
	}
	if found := findServer(root, Server{PIDFile: filepath.Join(root, "run/container.pid")}, nil); found == nil || found.PID != 42 {
		t.Errorf("the only server is not found: %+v", found)
	}
}
