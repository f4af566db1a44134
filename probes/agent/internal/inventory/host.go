package inventory

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// largestFile is where reading stops: these are files of facts, not of data.
const largestFile = 256 << 10

// hostPatterns name what is read about the host itself.
var hostPatterns = []string{
	"proc/meminfo", "proc/swaps", "proc/version", "proc/uptime", "proc/loadavg", "proc/mdstat",
	"proc/diskstats", "proc/filesystems",
	"proc/self/mountinfo", "proc/self/cgroup", "proc/self/limits",
	"proc/pressure/cpu", "proc/pressure/io", "proc/pressure/memory",
	"proc/sys/kernel/osrelease", "proc/sys/kernel/hostname", "proc/sys/kernel/numa_balancing",
	"proc/sys/kernel/threads-max", "proc/sys/kernel/pid_max",
	"proc/sys/vm/swappiness", "proc/sys/vm/dirty_ratio", "proc/sys/vm/dirty_background_ratio",
	"proc/sys/vm/dirty_bytes", "proc/sys/vm/dirty_background_bytes",
	"proc/sys/vm/dirty_expire_centisecs", "proc/sys/vm/dirty_writeback_centisecs",
	"proc/sys/vm/overcommit_memory", "proc/sys/vm/overcommit_ratio",
	"proc/sys/vm/zone_reclaim_mode", "proc/sys/vm/nr_hugepages", "proc/sys/vm/min_free_kbytes",
	"proc/sys/vm/vfs_cache_pressure",
	"proc/sys/fs/aio-max-nr", "proc/sys/fs/aio-nr", "proc/sys/fs/file-max",
	"etc/os-release", "usr/lib/os-release",
	"sys/kernel/mm/transparent_hugepage/enabled", "sys/kernel/mm/transparent_hugepage/defrag",
	"sys/class/dmi/id/sys_vendor", "sys/class/dmi/id/product_name",
	"sys/class/dmi/id/product_version", "sys/class/dmi/id/board_vendor",
	"sys/class/dmi/id/board_name", "sys/class/dmi/id/bios_vendor",
	"sys/class/dmi/id/bios_version", "sys/class/dmi/id/chassis_vendor",
	"sys/class/dmi/id/chassis_asset_tag", "sys/class/dmi/id/chassis_type",
	"sys/hypervisor/type", "proc/device-tree/model", "run/systemd/container",
	"sys/devices/system/node/online", "sys/devices/system/node/possible",
	"sys/devices/system/node/node*/cpulist", "sys/devices/system/node/node*/meminfo",
	"sys/devices/system/cpu/online", "sys/devices/system/cpu/possible",
	"sys/devices/system/cpu/smt/active",
	"sys/devices/system/cpu/cpu*/topology/physical_package_id",
	"sys/devices/system/cpu/cpu*/topology/core_id",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
	"sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference",
	"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
	"sys/devices/system/clocksource/clocksource0/current_clocksource",
	"sys/devices/system/clocksource/clocksource0/available_clocksource",
	"sys/module/zfs/version", "proc/spl/kstat/zfs/arcstats",
}

// limitNames are the files of a control group that say what it may use.
var limitNames = []string{
	"memory.max", "memory.high", "memory.current", "memory.swap.max", "cpu.max", "cpu.weight",
	"cpuset.cpus.effective", "io.max", "pids.max", "pids.current",
	"memory.limit_in_bytes", "memory.usage_in_bytes", "cpu.cfs_quota_us", "cpu.cfs_period_us",
	"cpuset.effective_cpus",
}

// hostFiles reads what there is below root; the keys are absolute paths.
func hostFiles(root string) map[string]string {
	files := map[string]string{}
	read := func(path string) {
		if content, ok := readText(filepath.Join(root, path)); ok {
			files["/"+path] = content
		}
	}
	for _, pattern := range hostPatterns {
		matches, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			continue
		}
		for _, match := range matches {
			read(strings.TrimPrefix(match[len(root):], "/"))
		}
	}
	for _, path := range limitFiles(files["/proc/self/cgroup"]) {
		read(path)
	}
	// The processors are alike: the first block stands for all, their number is in cpu/online.
	if content, ok := readText(filepath.Join(root, "proc/cpuinfo")); ok {
		first, _, _ := strings.Cut(content, "\n\n")
		files["/proc/cpuinfo"] = first + "\n"
	}
	if content, ok := readText(filepath.Join(root, "proc/stat")); ok {
		first, _, _ := strings.Cut(content, "\n")
		files["/proc/stat"] = first + "\n"
	}
	return files
}

// limitFiles names the limits of the control groups in membership, and of all above them.
func limitFiles(membership string) []string {
	var paths []string
	for line := range strings.Lines(membership) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for group := fields[2]; ; group = filepath.Dir(group) {
			directory := filepath.Join("sys/fs/cgroup", fields[1], group)
			for _, name := range limitNames {
				paths = append(paths, filepath.Join(directory, name))
			}
			if group == "/" || group == "." {
				break
			}
		}
	}
	return paths
}

// readText returns a file of facts; false when it can't be read.
func readText(path string) (string, bool) {
	file, err := os.Open(path)
	if err != nil {
		return "", false
	}
	defer func() { _ = file.Close() }()
	return textOf(file)
}

func textOf(file *os.File) (string, bool) {
	content, err := io.ReadAll(io.LimitReader(file, largestFile))
	if err != nil {
		return "", false
	}
	return strings.ToValidUTF8(string(content), "\uFFFD"), true
}

var (
	errNoFile      = errors.New("it is no regular file")
	errKernelsFile = errors.New("it is a file of the kernel's, which may have no end")
)

// openPlain opens a file that a server named, or whoever wrote its files: a pipe or device there, or
// the kernel's own log, must not hold up the inventory.
func openPlain(path string) (*os.File, os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile
	}
	var system unix.Statfs_t
	if err == nil {
		err = unix.Fstatfs(int(file.Fd()), &system)
	}
	if err == nil && (system.Type == unix.PROC_SUPER_MAGIC || system.Type == unix.SYSFS_MAGIC) {
		err = errKernelsFile
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}
