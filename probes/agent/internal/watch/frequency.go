package watch

import (
	"bytes"
	"math"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// mostAsked processors stand for all of them.
	mostAsked = 8
	// frequencyEvery is slow, because some kernels take 10 ms to tell a processor's clock.
	frequencyEvery = 500 * time.Millisecond
)

// frequency knows the processors' mean clock in MHz. A goroutine of its own asks for it, so that no
// sample waits.
type frequency struct {
	current []*file
	cpuinfo *file
	latest  atomic.Uint64
	// asking is held while the files are in use.
	asking sync.Mutex
	stop   chan struct{}
}

func openFrequency(root string) *frequency {
	opened := &frequency{stop: make(chan struct{})}
	paths, err := filepath.Glob(filepath.Join(root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq"))
	if err == nil {
		for index := range min(mostAsked, len(paths)) {
			if one := openFile(paths[index*len(paths)/min(mostAsked, len(paths))]); one != nil {
				opened.current = append(opened.current, one)
			}
		}
	}
	if len(opened.current) == 0 {
		opened.cpuinfo = openFile(filepath.Join(root, "proc/cpuinfo"))
	}
	opened.ask()
	if !math.IsNaN(opened.mhz()) {
		go opened.keepAsking()
	}
	return opened
}

func (f *frequency) keepAsking() {
	ticker := time.NewTicker(frequencyEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			f.ask()
		case <-f.stop:
			return
		}
	}
}

// mhz is what was found last; NaN when nothing tells.
func (f *frequency) mhz() float64 { return math.Float64frombits(f.latest.Load()) }

func (f *frequency) ask() {
	f.asking.Lock()
	defer f.asking.Unlock()
	sum, count := 0.0, 0
	for _, one := range f.current {
		var kilohertz [1]uint64
		if numbers(one.read(), kilohertz[:]) == 1 {
			sum += float64(kilohertz[0]) / 1000
			count++
		}
	}
	if f.cpuinfo != nil {
		sum, count = readClocks(f.cpuinfo.read())
	}
	f.latest.Store(math.Float64bits(sum / float64(count)))
}

var clockLine = []byte("cpu MHz")

// readClocks adds up the processors' clocks in /proc/cpuinfo, which ARM's does not hold.
func readClocks(text []byte) (sum float64, count int) {
	for {
		at := bytes.Index(text, clockLine)
		if at < 0 {
			return sum, count
		}
		line, rest, _ := bytes.Cut(text[at:], []byte("\n"))
		_, value, _ := bytes.Cut(line, []byte(":"))
		if mhz, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64); err == nil {
			sum += mhz
			count++
		}
		text = rest
	}
}

func (f *frequency) close() {
	close(f.stop)
	f.asking.Lock()
	defer f.asking.Unlock()
	for _, one := range append(f.current, f.cpuinfo) {
		one.close()
	}
	f.current, f.cpuinfo = nil, nil
}
