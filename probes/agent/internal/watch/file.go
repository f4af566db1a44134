package watch

import "golang.org/x/sys/unix"

// file is a small file of the kernel's that is read again and again: it stays open, and what is
// read goes into the same memory, since no garbage is collected while threads measure.
type file struct {
	fd     int
	memory []byte
}

// openFile opens path with room for what it holds now and half as much again; nil when it can't be
// read.
func openFile(path string) *file {
	const first, most = 4 << 10, 4 << 20
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	opened := &file{fd: fd}
	for size := first; size <= most; size *= 2 {
		opened.memory = make([]byte, size)
		n, err := unix.Pread(fd, opened.memory, 0)
		if err != nil {
			break
		}
		if n < size*2/3 {
			return opened
		}
	}
	opened.close()
	return nil
}

// read returns the file's content now, valid until the next call; nil when it is gone.
func (f *file) read() []byte {
	if f == nil {
		return nil
	}
	n, err := unix.Pread(f.fd, f.memory, 0)
	if err != nil || n < 0 {
		return nil
	}
	return f.memory[:n]
}

func (f *file) close() {
	if f != nil {
		_ = unix.Close(f.fd)
	}
}

// numbers takes the whole numbers out of text, separated by anything that is no digit, into found;
// it returns how many there were room for.
func numbers(text []byte, found []uint64) int {
	count := 0
	for at := 0; at < len(text) && count < len(found); at++ {
		if !isDigit(text[at]) {
			continue
		}
		value := uint64(0)
		for ; at < len(text) && isDigit(text[at]); at++ {
			value = value*10 + uint64(text[at]-'0')
		}
		found[count] = value
		count++
	}
	return count
}

func isDigit(letter byte) bool { return letter >= '0' && letter <= '9' }
