package fileio

import (
	"golang.org/x/sys/unix"

	"leadline/agent/internal/limits"
	"leadline/agent/internal/plan"
)

const (
	// poolBytes are kept of as much as keptOf times that, which is touched first. So much memory is
	// like what a pool of any size gets; for a little, the kernel gives what was freed last, which may
	// lie together or not.
	poolBytes = 32 << 20
	keptOf    = 3
	// leastPoolBytes, and the part of the memory to spare that is touched at most, are for machines
	// with little memory.
	leastPoolBytes = 4 << 20
	sparePart      = 8
	// leastFrames are how many blocks of memory threads use at least, each its own in turn: a server
	// reads each page into another frame, and how the memory of a single one lies is chance. They are
	// few enough to stay in a processor's cache, as the one buffer does that fio has for each thread.
	leastFrames = 16
	// stretchBytes is what two users of one pool have by turns.
	stretchBytes = 1 << 20
	lanes        = 2
)

// Pool gives memory for blocks as a server's buffer pool has it. It stays for as long as a plan
// lasts, so that all points find the same memory.
//
// A block in scattered pages of 4 KiB is a request in up to four pieces; in a huge page it is always
// one piece. Ordinary pages are taken as a server takes them: one large mapping, touched from its
// first page to its last, and blocks from all over it. What is not used is given back.
type Pool struct {
	// pages is the plan's HugePages or OrdinaryPages.
	pages  string
	bytes  int
	memory Buffer
	taken  [lanes]bool
}

// NewPool takes no memory yet; pages is the plan's HugePages or OrdinaryPages.
func NewPool(pages string) *Pool {
	size := poolBytes
	for size > leastPoolBytes && int64(size*keptOf) > limits.Spare()/sparePart {
		size /= 2
	}
	return &Pool{pages: pages, bytes: size}
}

// Free gives the memory back, once nobody uses frames of it.
func (p *Pool) Free() {
	if p.memory != nil {
		p.memory.Free()
		p.memory = nil
	}
}

// TakeForThreads finds memory for so many threads: a block for each, and more for each where threads
// are few.
func (p *Pool) TakeForThreads(threads, blockBytes int) (*Frames, error) {
	each := (leastFrames + threads - 1) / threads
	return p.Take(each*threads, blockBytes)
}

// Take finds memory for count blocks, evenly spread over the pool. A second user may take some
// before the first gave his back; what does not fit gets memory of its own.
func (p *Pool) Take(count, blockBytes int) (*Frames, error) {
	if p.pages == plan.HugePages {
		return newHugeFrames(count, blockBytes)
	}
	perStretch := stretchBytes / blockBytes
	slots := p.bytes / stretchBytes / lanes * perStretch
	lane := p.freeLane()
	if lane < 0 || count > slots {
		return newOrdinaryFrames(count, blockBytes)
	}
	if err := p.fill(); err != nil {
		return nil, err
	}
	p.taken[lane] = true
	frames := &Frames{free: func() { p.taken[lane] = false }}
	for index := range count {
		slot := slots * index / count
		begin := (slot/perStretch*lanes+lane)*keptOf*stretchBytes + slot%perStretch*blockBytes
		frames.Each = append(frames.Each, p.memory[begin:begin+blockBytes:begin+blockBytes])
	}
	return frames.described(plan.OrdinaryPages), nil
}

// fill maps the pool at its first use, and keeps one stretch of each few.
func (p *Pool) fill() error {
	if p.memory != nil {
		return nil
	}
	memory, err := ordinary(p.bytes * keptOf)
	if err != nil {
		return err
	}
	for begin := 0; begin < len(memory); begin += keptOf * stretchBytes {
		_ = unix.Madvise(memory[begin+stretchBytes:begin+keptOf*stretchBytes], unix.MADV_DONTNEED)
	}
	p.memory = memory
	return nil
}

// Whole finds memory of the same kind in one piece of addresses, as a server has beside its pool.
func (p *Pool) Whole(bytes int) (Buffer, error) {
	if p.pages == plan.HugePages {
		return NewBuffer(bytes)
	}
	return ordinary(bytes)
}

// freeLane is -1 where there is none.
func (p *Pool) freeLane() int {
	for lane, taken := range p.taken {
		if !taken {
			return lane
		}
	}
	return -1
}
