package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"leadline/agent/internal/inventory"
	"leadline/agent/internal/tracefs"
)

const (
	// mostAtOnce threads are written down at a time.
	mostAtOnce = 256
	// mostRanges of threads fit into a filter, which the kernel takes up to the size of a page.
	mostRanges = 48
)

// threads keeps an instance to the threads of one process.
type threads struct {
	tasks    string
	instance *tracefs.Instance
	events   []string
	told     []int
	// exact: nobody else's threads are in it.
	exact bool
	// follows: the kernel adds threads that begin meanwhile by itself.
	follows bool
}

// keepTo restricts the events of an instance to the threads of pid, in the kernel. The error's words
// follow "because".
func keepTo(instance *tracefs.Instance, pid int, events []string) (*threads, error) {
	if inventory.InContainer() {
		return nil, fmt.Errorf("in a container the kernel's numbers of threads are not known")
	}
	made := &threads{tasks: fmt.Sprintf("/proc/%d/task", pid), instance: instance, events: events}
	made.exact = instance.Has("set_event_pid")
	if made.exact && instance.Has("options/event-fork") {
		made.follows = instance.Put("options/event-fork", "1") == nil
	}
	return made, made.refresh()
}

// refresh tells the kernel of threads that have begun since. With the first threads told and followed, a
// second look finds those that began in between.
func (t *threads) refresh() error {
	for range 2 {
		now := t.list()
		if len(now) == 0 {
			return fmt.Errorf("the server's threads can't be listed")
		}
		if slices.Equal(now, t.told) {
			return nil
		}
		if err := t.tell(now); err != nil {
			return err
		}
		t.told = now
	}
	return nil
}

// has is whether a thread was told.
func (t *threads) has(thread int) bool {
	_, known := slices.BinarySearch(t.told, thread)
	return known
}

func (t *threads) list() []int {
	entries, err := os.ReadDir(t.tasks)
	if err != nil {
		return nil
	}
	var now []int
	for _, entry := range entries {
		if thread, err := strconv.Atoi(entry.Name()); err == nil {
			now = append(now, thread)
		}
	}
	slices.Sort(now)
	return now
}

func (t *threads) tell(now []int) error {
	if !t.exact {
		return t.filter(now)
	}
	added := slices.DeleteFunc(slices.Clone(now), t.has)
	for some := range slices.Chunk(added, mostAtOnce) {
		if err := t.instance.Add("set_event_pid", strings.Trim(fmt.Sprint(some), "[]")); err != nil {
			return fmt.Errorf("the kernel does not take the server's threads: %w", err)
		}
	}
	return nil
}

// filter is for kernels before 4.4. Where the threads' numbers have too many gaps, others get in.
func (t *threads) filter(now []int) error {
	filter := rangesOf(now, mostRanges)
	for _, event := range t.events {
		name := filepath.Join("events", event, "filter")
		if !t.instance.Has(name) {
			continue
		}
		if err := t.instance.Put(name, filter); err != nil {
			return err
		}
	}
	return nil
}

// rangesOf is a filter for these sorted numbers, as at most so many ranges: the smallest gaps are closed.
func rangesOf(numbers []int, most int) string {
	type span struct{ first, last int }
	var spans []span
	for _, number := range numbers {
		if last := len(spans) - 1; last >= 0 && number <= spans[last].last+1 {
			spans[last].last = number
		} else {
			spans = append(spans, span{number, number})
		}
	}
	for len(spans) > most {
		narrowest := 1
		for at := 2; at < len(spans); at++ {
			if spans[at].first-spans[at-1].last < spans[narrowest].first-spans[narrowest-1].last {
				narrowest = at
			}
		}
		spans[narrowest-1].last = spans[narrowest].last
		spans = slices.Delete(spans, narrowest, narrowest+1)
	}
	var tests []string
	for _, one := range spans {
		if one.first == one.last {
			tests = append(tests, fmt.Sprintf("common_pid == %d", one.first))
		} else {
			tests = append(tests, fmt.Sprintf("(common_pid >= %d && common_pid <= %d)", one.first, one.last))
		}
	}
	return strings.Join(tests, " || ")
}
