package plan

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
)

// What files are filled with.
const (
	// Noise has no two sectors alike.
	Noise = "random"
	Zeros = "zeros"
	// Sparse files have a length and nothing else.
	Sparse = "sparse"
)

const (
	mostFiles = 1024
	// Whole blocks of every size that is read and written at random must fit.
	smallestFileBytes = largestBlockBytes
)

// FileSet is a group of files to read and write.
type FileSet struct {
	ID           string `json:"id"`
	Directory    string `json:"directory"`
	Files        int    `json:"files"`
	BytesPerFile int64  `json:"bytes_per_file"`
	Content      string `json:"content"`
	// Settle has the files read once in full after they were filled.
	Settle *bool `json:"settle"`
}

// TotalBytes is the disk space of the whole set.
func (f FileSet) TotalBytes() int64 { return int64(f.Files) * f.BytesPerFile }

func (f *FileSet) complete() {
	f.BytesPerFile -= f.BytesPerFile % smallestFileBytes
	if f.Content == "" {
		f.Content = Noise
	}
	if f.Settle == nil {
		usual := true
		f.Settle = &usual
	}
}

func (f FileSet) check() error {
	switch {
	case !filepath.IsAbs(f.Directory):
		return errors.New("the directory must be an absolute path")
	case f.Files < 1 || f.Files > mostFiles:
		return fmt.Errorf("files must be 1 to %d", mostFiles)
	case f.BytesPerFile < smallestFileBytes:
		return fmt.Errorf("bytes_per_file must be at least %d", smallestFileBytes)
	case f.BytesPerFile > math.MaxInt64/int64(f.Files):
		return errors.New("the files are too large")
	case !slices.Contains([]string{Noise, Zeros, Sparse}, f.Content):
		return fmt.Errorf("content must be random, zeros or sparse, not %q", f.Content)
	}
	return nil
}
