package fileio

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
)

// hugeBytes is the size of a huge page of most machines; elsewhere it is a multiple of one.
const hugeBytes = 2 << 20

// Buffer is page-aligned memory outside Go's heap, as O_DIRECT wants it.
type Buffer []byte

// NewBuffer takes size bytes of zeroed memory, in huge pages where the kernel gives some. It is for
// what no point times by the drive: filling files, and records that go through the page cache.
func NewBuffer(size int) (Buffer, error) { return mapped(size, unix.MADV_HUGEPAGE) }

// mapped takes memory that begins at a huge page's boundary, and gives the kernel that advice on it.
func mapped(size, advice int) (Buffer, error) {
	length := rounded(size)
	taken, err := unix.MmapPtr(-1, 0, nil, length+hugeBytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, noMemory(size, err)
	}
	before := -uintptr(taken) % hugeBytes
	begin := unsafe.Add(taken, before)
	if before > 0 {
		_ = unix.MunmapPtr(taken, before)
	}
	_ = unix.MunmapPtr(unsafe.Add(begin, length), hugeBytes-before)
	memory := unsafe.Slice((*byte)(begin), length)
	// A kernel without huge pages refuses, and its pages do as well.
	_ = unix.Madvise(memory, advice)
	touch(memory[:size])
	return memory[:size], nil
}

// mapReserved takes memory of the huge pages that were set aside (vm.nr_hugepages), or none.
func mapReserved(size int) (Buffer, error) {
	const pagesOf2MiB = 21 << unix.MAP_HUGE_SHIFT
	taken, err := unix.MmapPtr(-1, 0, nil, rounded(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_HUGETLB|pagesOf2MiB)
	if err != nil {
		return nil, noMemory(size, err)
	}
	memory := unsafe.Slice((*byte)(taken), size)
	touch(memory)
	return memory, nil
}

func noMemory(size int, err error) error {
	return faults.New(faults.Limits, "no memory for %d bytes of buffers: %v", size, err)
}

// Free gives the memory back.
func (b Buffer) Free() {
	_ = unix.MunmapPtr(unsafe.Pointer(unsafe.SliceData(b)), rounded(len(b)))
}

// touch makes the kernel find the pages now, not while a drive is timed, and from the first to the
// last: frames of a buffer pool are used for the first time in that order.
func touch(memory []byte) {
	for at := 0; at < len(memory); at += unix.Getpagesize() {
		memory[at] = 0
	}
}

func rounded(size int) uintptr { return (uintptr(size) + hugeBytes - 1) / hugeBytes * hugeBytes }

// Address is where the byte at offset lies; the buffer never moves.
func (b Buffer) Address(offset int) uintptr { return Address(b[offset:]) }

// Address is where memory of a buffer or a frame begins; it never moves.
//
//go:nosplit
func Address(memory []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(memory))) }

// noise makes bytes that no drive can compress or has seen before.
type noise struct{ stream cipher.Stream }

func newNoise() (*noise, error) {
	var key, start [aes.BlockSize]byte
	// Neither call fails on Linux: the kernel's generator is always there.
	_, _ = rand.Read(key[:])
	_, _ = rand.Read(start[:])
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return &noise{cipher.NewCTR(block, start[:])}, nil
}

// fill replaces what memory holds; a key stream over anything is noise again.
func (n *noise) fill(memory []byte) { n.stream.XORKeyStream(memory, memory) }
