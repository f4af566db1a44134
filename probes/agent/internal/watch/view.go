package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/inventory"
)

// view is what the command looks at, and what it has seen.
type view struct {
	// Devices are the names of what is counted, by the roles of the directories on it.
	Devices map[string]string `json:"devices"`
	PID     int               `json:"pid,omitempty"`
	// Hostname is what the server calls its machine.
	Hostname string    `json:"hostname,omitempty"`
	Moments  []instant `json:"moments"`
	Missing  []missing `json:"missing"`

	begun int64
	// shown is how many of the moments somebody has looked at.
	shown int
	// files is how the server sees them, this process's own view without one.
	files  inventory.View
	opened map[string]*device
	// disks carry out what the opened devices are asked.
	disks    []inventory.Disk
	server   *watchedServer
	stat     *file
	pressure map[string]*file
}

// missing is what could not be had, and why, in words that follow "because".
type missing struct {
	What    string `json:"what"`
	Because string `json:"because"`
}

// instant is every counter at about one time.
type instant struct {
	At       float64                `json:"at_s"`
	Devices  map[string]deviceState `json:"devices"`
	Server   *serverState           `json:"server,omitempty"`
	CPU      *processorState        `json:"cpu,omitempty"`
	Pressure map[string]uint64      `json:"pressure,omitempty"`
}

func openView(root string, asked *request) *view {
	seen := &view{
		Devices:  map[string]string{},
		Missing:  []missing{},
		begun:    clock.Now(),
		opened:   map[string]*device{},
		stat:     openFile(filepath.Join(root, "proc/stat")),
		pressure: map[string]*file{},
	}
	if asked.server != nil {
		seen.openServer(root, *asked.server)
	}
	var err error
	if seen.files, err = inventory.ViewOf(root, seen.PID); err != nil {
		for role := range asked.directories {
			seen.miss("devices."+role, err.Error())
		}
	} else {
		for role, directory := range asked.directories {
			seen.openDevice(root, role, directory)
		}
	}
	for _, of := range []string{"cpu", "io", "memory"} {
		if opened := openFile(filepath.Join(root, "proc/pressure", of)); opened != nil {
			seen.pressure[of+"_us"] = opened
		}
	}
	if len(seen.pressure) == 0 {
		seen.miss("pressure", "the kernel does not tell it (it does from Linux 4.20 on, unless that was switched off)")
	}
	if seen.stat == nil {
		seen.miss("cpu", "/proc/stat can't be read")
	}
	return seen
}

func (v *view) openDevice(root, role, directory string) {
	miss := func(because string) { v.miss("devices."+role, because) }
	if _, err := os.Stat(v.files.At(v.files.Resolve(directory))); err != nil {
		miss(err.Error())
		return
	}
	disks := v.files.Disks(root, directory)
	if len(disks) == 0 {
		miss(fmt.Sprintf("no block device is known below %s: it may lie in memory, on a network or on ZFS", directory))
		return
	}
	device := openDisks(root, disks)
	if device.name == "" {
		miss(fmt.Sprintf("the kernel does not count what %s does", disks[0].Name))
		return
	}
	v.Devices[role] = device.name
	if v.opened[device.name] != nil {
		device.close()
		return
	}
	v.opened[device.name] = device
	for _, disk := range disks {
		v.disks = append(v.disks, inventory.LowestDisks(root, disk.Number)...)
	}
}

func (v *view) openServer(root string, wanted inventory.Server) {
	pid, because := inventory.ServerProcess(root, wanted)
	if pid != 0 {
		v.server, because = openServer(root, pid)
	}
	if v.server == nil {
		v.miss("server", because)
		return
	}
	v.PID, v.Hostname = pid, inventory.HostnameOf(root, strconv.Itoa(pid))
	for what, because := range v.server.unknown() {
		v.miss(what, because)
	}
}

// miss says it once.
func (v *view) miss(what, because string) {
	if !slices.ContainsFunc(v.Missing, func(told missing) bool { return told.What == what }) {
		v.Missing = append(v.Missing, missing{what, because})
	}
}

// seconds have passed since the first moment.
func (v *view) seconds() float64 { return time.Duration(clock.Now() - v.begun).Seconds() }

// look adds a moment. What has gone is named and left out from then on.
func (v *view) look(threads depth) {
	if len(v.Moments) == 0 {
		v.begun = clock.Now()
	}
	now := instant{At: rounded(v.seconds()), Devices: map[string]deviceState{}, Pressure: map[string]uint64{}}
	if last := len(v.Moments) - 1; last >= 0 {
		// Who divides by what has passed needs some.
		now.At = max(now.At, rounded(v.Moments[last].At+0.001))
	}
	for name, device := range v.opened {
		counted, ok := device.now()
		if !ok {
			v.miss("devices."+name, fmt.Sprintf("its counters could not be read after %.0f s", now.At))
			continue
		}
		now.Devices[name] = stateOf(&counted)
	}
	if v.server != nil {
		state, ok := v.server.look(threads)
		if ok {
			now.Server = state
		} else {
			v.miss("server", fmt.Sprintf("process %d ended after %.0f s", v.PID, now.At))
			v.server.close()
			v.server = nil
		}
	}
	if counted, ok := readTicks(v.stat.read()); ok {
		now.CPU = counted.state()
	}
	for name, file := range v.pressure {
		if some, ok := readPressure(file.read()); ok {
			now.Pressure[name] = some
		}
	}
	v.Moments = append(v.Moments, now)
}

func (v *view) close() {
	for _, device := range v.opened {
		device.close()
	}
	for _, file := range v.pressure {
		file.close()
	}
	v.stat.close()
	v.server.close()
}
