package fileio

// Places draws blocks of a set, uniformly; every thread has its own.
type Places struct {
	random        random
	files, blocks uint64
}

// Places are those of one thread, for blocks of blockBytes.
func (s *Set) Places(blockBytes int, seed uint64, thread int) Places {
	return Places{seeded(seed, thread), uint64(len(s.descriptors)), s.Blocks(blockBytes)}
}

// Next draws a file and a block in it.
//
//go:nosplit
func (p *Places) Next() (file, block uint64) { return p.random.place(p.files, p.blocks) }

// Number draws a number of 64 bits.
//
//go:nosplit
func (p *Places) Number() uint64 { return p.random.next() }

// Blocks tells how many whole blocks each file has.
func (s *Set) Blocks(blockBytes int) uint64 { return uint64(s.bytesPerFile) / uint64(blockBytes) }

// Directory is where the files are.
func (s *Set) Directory() string { return s.directory }

// Descriptors are the open files; they belong to the set.
func (s *Set) Descriptors() []uintptr {
	all := make([]uintptr, len(s.descriptors))
	for index, fd := range s.descriptors {
		all[index] = uintptr(fd)
	}
	return all
}
