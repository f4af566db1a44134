package fileio

import (
	"encoding/binary"

	"leadline/agent/internal/plan"
)

// Ink fills memory with what is written to this set's files: noise, or zeros where the files are
// compressible. Stamp makes it new before each write.
func (s *Set) Ink(memory Buffer) error {
	if s.content == plan.Zeros {
		clear(memory)
		return nil
	}
	noise, err := newNoise()
	if err != nil {
		return err
	}
	noise.fill(memory)
	return nil
}

// Stamp changes every sector of memory, so that a drive which looks for duplicates finds none.
//
//go:nosplit
func Stamp(memory []byte, value uint64) {
	for sector := 0; sector+sectorBytes <= len(memory); sector += sectorBytes {
		binary.LittleEndian.PutUint64(memory[sector:], value+uint64(sector))
	}
}
