package fileio

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
)

// frameNumber are the bits of an entry in /proc/PID/pagemap that hold the page's number.
const frameNumber = 1<<55 - 1

// inHugePages tells whether most of memory lies in huge pages; where the kernel does not tell, what
// was asked for counts as given.
func inHugePages(memory Buffer) bool {
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return transparent()
	}
	defer func() { _ = maps.Close() }()
	begin := uint64(memory.Address(0))
	here := false
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			here = from <= begin && begin < to
			continue
		}
		var kib int
		if _, err := fmt.Sscanf(line, "AnonHugePages: %d kB", &kib); here && err == nil {
			return kib<<10 >= len(memory)/2
		}
	}
	return transparent()
}

// pieces is in how many pieces of the machine's memory a block lies, on average. 0 where it is not
// known: only root sees where a page lies.
func pieces(blocks [][]byte) float64 {
	pagemap, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return 0
	}
	defer func() { _ = pagemap.Close() }()
	all := 0
	for _, block := range blocks {
		found := piecesOf(pagemap, block)
		if found == 0 {
			return 0
		}
		all += found
	}
	return float64(all) / float64(max(1, len(blocks)))
}

func piecesOf(pagemap *os.File, block []byte) int {
	pageBytes := os.Getpagesize()
	begin := int(Address(block))
	first, last := begin/pageBytes, (begin+len(block)-1)/pageBytes
	entries := make([]byte, 8*(last-first+1))
	if _, err := pagemap.ReadAt(entries, int64(first)*8); err != nil {
		return 0
	}
	count, before := 0, uint64(0)
	for ; len(entries) > 0; entries = entries[8:] {
		page := binary.NativeEndian.Uint64(entries) & frameNumber
		if page == 0 {
			return 0
		}
		if page != before+1 {
			count++
		}
		before = page
	}
	return count
}
