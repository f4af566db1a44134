package fileio

import "math/bits"

const orderRounds = 4

// order is one fixed shuffled order of the numbers below count, worked out number by number: a
// Feistel network over the next even power of two, walked on from what lies above (Black, Rogaway
// 2002, "Ciphers with arbitrary finite domains"). No memory is needed however many there are.
type order struct {
	count uint64
	half  uint
	keys  [orderRounds]uint64
}

func newOrder(seed, count uint64) order {
	made := order{count: count, half: uint(max(1, (bits.Len64(count-1)+1)/2))}
	random := seeded(seed, 0)
	for round := range made.keys {
		made.keys[round] = random.next()
	}
	return made
}

// at returns the number that comes at position, which is below count.
//
//go:nosplit
func (o *order) at(position uint64) uint64 {
	number := o.shuffled(position)
	for number >= o.count {
		number = o.shuffled(number)
	}
	return number
}

//go:nosplit
func (o *order) shuffled(number uint64) uint64 {
	mask := uint64(1)<<o.half - 1
	left, right := number>>o.half, number&mask
	for round := range o.keys {
		mixed := (right + o.keys[round]) * 0xbf58476d1ce4e5b9
		mixed = (mixed ^ mixed>>32) * 0x94d049bb133111eb
		left, right = right, left^(mixed>>32)&mask
	}
	return left<<o.half | right
}
