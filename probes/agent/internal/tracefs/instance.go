package tracefs

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// prefix begins the name of every instance that is ours.
	prefix = "leadline-"
	// patience is how long an instance may be held by somebody who is just ending.
	patience = 5 * time.Second
	step     = 10 * time.Millisecond
)

// Base is what the names of one process's instances begin with, as a path.
type Base string

// NewBase makes one for this process, below the tracefs at mount. The name holds the process's number
// and when it started, so that others can tell whether it still lives.
func NewBase(mount string) Base {
	// In a name space of processes, the number that others know is the one that /proc tells.
	pid, err := os.Readlink("/proc/self")
	if err != nil {
		pid = strconv.Itoa(os.Getpid())
	}
	name := fmt.Sprintf("%s%s-%s-%08x", prefix, pid, startOf(pid), rand.Uint32())
	return Base(filepath.Join(mount, "instances", name))
}

// ParseBase checks that path is one: nothing else is ever removed.
func ParseBase(path string) (Base, error) {
	folder, name := filepath.Split(filepath.Clean(path))
	if !filepath.IsAbs(path) || filepath.Base(folder) != "instances" || !strings.HasPrefix(name, prefix) {
		return "", fmt.Errorf("%q is no trace of Leadline's", path)
	}
	return Base(filepath.Clean(path)), nil
}

// startOf is when a process started, in ticks since the machine did; empty when there is none.
func startOf(pid string) string {
	content, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return ""
	}
	text := string(content)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const start = 19 // counted from behind the name
	if len(fields) <= start {
		return ""
	}
	return fields[start]
}

// Remove takes all instances of the base away, with their events; none is no error.
func (b Base) Remove() error {
	names, err := filepath.Glob(string(b) + "-*")
	if err != nil {
		return err
	}
	var all error
	for _, name := range names {
		all = errors.Join(all, remove(name, patience))
	}
	return all
}

// remove ends what the kernel records for an instance by removing it. Where somebody else has it open,
// it stays after a while, but records nothing any more.
func remove(path string, patience time.Duration) error {
	for begin := time.Now(); ; time.Sleep(step) {
		err := syscall.Rmdir(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, syscall.EBUSY) || time.Since(begin) > patience {
			_ = put(filepath.Join(path, "tracing_on"), "0")
			_ = put(filepath.Join(path, "events/enable"), "0")
			return fmt.Errorf("the trace %s could not be removed: %w", path, err)
		}
	}
}

// Young is how long an instance may be there before somebody has opened it, and not be a leftover: in
// another name space of processes its maker has a number that is not seen here.
const Young = time.Minute

// RemoveLeftovers takes away what processes left that have ended without tidying. What somebody has open
// stays as it is, and so does what is younger than young.
func RemoveLeftovers(mount string, young time.Duration) {
	names, err := filepath.Glob(filepath.Join(mount, "instances", prefix+"*"))
	if err != nil {
		return
	}
	for _, name := range names {
		parts := strings.Split(strings.TrimPrefix(filepath.Base(name), prefix), "-")
		if _, err := strconv.Atoi(parts[0]); err != nil || len(parts) < 2 || startOf(parts[0]) == parts[1] {
			continue
		}
		if made, err := os.Stat(name); err != nil || time.Since(made.ModTime()) < young {
			continue
		}
		_ = syscall.Rmdir(name)
	}
}

// Instance is one buffer with its settings.
type Instance struct {
	path  string
	mount string
}

// Create makes an instance that records nothing yet. Its base is told to a guard before. The error's words
// follow "because".
func (b Base) Create(kind string) (*Instance, error) {
	made := &Instance{path: string(b) + "-" + kind, mount: filepath.Dir(filepath.Dir(string(b)))}
	if err := os.Mkdir(made.path, 0o700); err != nil {
		return nil, errors.New(why(err))
	}
	if err := made.Put("tracing_on", "0"); err != nil {
		made.Remove()
		return nil, err
	}
	return made, nil
}

// Put writes a setting. The error's words follow "because".
func (i *Instance) Put(name, value string) error {
	if err := put(filepath.Join(i.path, name), value); err != nil {
		return fmt.Errorf("the kernel does not take %q for %s: %s", value, name, why(err))
	}
	return nil
}

// Add writes a setting without taking away what it had.
func (i *Instance) Add(name, value string) error {
	return write(filepath.Join(i.path, name), value, os.O_APPEND)
}

// Has is whether the instance has a file of this name.
func (i *Instance) Has(name string) bool {
	_, err := os.Stat(filepath.Join(i.path, name))
	return err == nil
}

// Read returns a file of the instance, empty when it can't be read.
func (i *Instance) Read(name string) string {
	content, err := os.ReadFile(filepath.Join(i.path, name))
	if err != nil {
		return ""
	}
	return string(content)
}

// Remove takes the instance away; whatever read from it has to be closed.
func (i *Instance) Remove() { _ = remove(i.path, patience) }

func put(path, value string) error { return write(path, value, os.O_TRUNC) }

func write(path, value string, how int) error {
	file, err := os.OpenFile(path, os.O_WRONLY|how, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value + "\n")
	return errors.Join(err, file.Close())
}

// Format reads how the kernel tells of a kind of event, by its folder and name. The error's words follow
// "because".
func (i *Instance) Format(event string) (*Format, error) {
	path := filepath.Join(i.path, "events", event, "format")
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("this kernel has no event %s", event)
	}
	if err != nil {
		return nil, errors.New(why(err))
	}
	return ParseFormat(string(content))
}

// Size gives each processor's buffer so many bytes, fewer where all of them together would have too many.
func (i *Instance) Size(wanted, least, together int) error {
	names, err := filepath.Glob(filepath.Join(i.path, "per_cpu/cpu[0-9]*"))
	if err != nil {
		return err
	}
	bytes := min(wanted, max(least, together/max(1, len(names))))
	return i.Put("buffer_size_kb", strconv.Itoa(bytes>>10))
}
