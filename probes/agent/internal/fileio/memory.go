package fileio

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
)

// Buffer is page-aligned memory outside Go's heap, as O_DIRECT wants it.
type Buffer []byte

// NewBuffer takes size bytes of zeroed memory.
func NewBuffer(size int) (Buffer, error) {
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, faults.New(faults.Limits, "no memory for %d bytes of buffers: %v", size, err)
	}
	return memory, nil
}

// Free gives the memory back.
func (b Buffer) Free() { _ = unix.Munmap(b) }

// Address is where the byte at offset lies; the buffer never moves.
func (b Buffer) Address(offset int) uintptr {
	return uintptr(unsafe.Pointer(&b[offset]))
}

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
