package fileio

import (
	"encoding/binary"

	"leadline/agent/internal/plan"
)

// Ink fills blocks with what is written to this set's files: noise, or zeros where the files are
// compressible. Stamp makes it new before each write.
func (s *Set) Ink(blocks ...[]byte) error {
	noise, err := newNoise()
	if err != nil {
		return err
	}
	for _, block := range blocks {
		clear(block)
		if s.content != plan.Zeros {
			noise.fill(block)
		}
	}
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
