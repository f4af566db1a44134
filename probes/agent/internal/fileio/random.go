package fileio

import "math/bits"

// random is the splitmix64 generator: two multiplications a number, and any seed is a good one.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// seeded gives every thread of every point a sequence of its own.
func seeded(seed uint64, thread int) random {
	mixed := random(seed)
	return random(mixed.next() + uint64(thread)*0xd1342543de82ef95)
}

// place draws a file and a block in it, uniformly, from one random number: what the first
// product leaves over is as random as the number was.
func (r *random) place(files, blocks uint64) (file, block uint64) {
	file, rest := bits.Mul64(r.next(), files)
	block, _ = bits.Mul64(rest, blocks)
	return file, block
}
