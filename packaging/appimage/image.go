package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/diskfs/go-diskfs/backend"
	"github.com/diskfs/go-diskfs/backend/file"
	"github.com/diskfs/go-diskfs/filesystem"
	"github.com/diskfs/go-diskfs/filesystem/squashfs"
)

// An image is the file system behind the program's own bytes.
type image struct {
	storage backend.Storage
	files   *squashfs.FileSystem
}

func openImage(name string) (*image, error) {
	offset, err := payloadOffset(name)
	if err != nil {
		return nil, err
	}
	storage, err := file.OpenFromPath(name, true)
	if err != nil {
		return nil, err
	}
	about, err := storage.Stat()
	if err != nil {
		return nil, errors.Join(err, storage.Close())
	}
	files, err := squashfs.Read(storage, about.Size()-offset, offset, 0)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("this file is damaged: %w", err), storage.Close())
	}
	return &image{storage, files}, nil
}

func (i *image) close() error { return i.storage.Close() }

// payloadOffset says where the file's own program ends: behind the last section and their table.
func payloadOffset(name string) (int64, error) {
	itself, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer itself.Close()
	program, err := elf.NewFile(itself)
	if err != nil {
		return 0, err
	}
	var header elf.Header64
	if err := binary.Read(io.NewSectionReader(itself, 0, 64), program.ByteOrder, &header); err != nil {
		return 0, err
	}
	end := header.Shoff + uint64(header.Shentsize)*uint64(header.Shnum)
	for _, section := range program.Sections {
		if section.Type != elf.SHT_NOBITS {
			end = max(end, section.Offset+section.FileSize)
		}
	}
	return int64(end), nil
}

// walk calls visit for every file below a directory, directories first.
func (i *image) walk(folder string, visit func(name string, about iofs.FileInfo) error) error {
	entries, err := i.files.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		about, err := entry.Info()
		if err != nil {
			return err
		}
		name := path.Join(folder, entry.Name())
		if err := visit(name, about); err != nil {
			return err
		}
		if about.IsDir() {
			if err := i.walk(name, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpack writes the files that fit a pattern ("" for all) below a directory, and lists them.
func (i *image) unpack(directory, pattern string, listed io.Writer) error {
	return i.walk(".", func(name string, about iofs.FileInfo) error {
		wanted, err := fits(name, pattern)
		if err != nil || !wanted {
			return err
		}
		place := filepath.Join(directory, name)
		fmt.Fprintln(listed, place)
		if about.IsDir() {
			return os.MkdirAll(place, 0o755)
		}
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if about.Mode()&os.ModeSymlink != 0 {
			return replacedBy(place, func() error { return os.Symlink(linkTarget(about), place) })
		}
		return replacedBy(place, func() error { return i.copyOut(about, place) })
	})
}

// fits says whether a path, or a directory that it lies in, is meant by a pattern.
func fits(name, pattern string) (bool, error) {
	if pattern == "" {
		return true, nil
	}
	for part := name; part != "."; part = path.Dir(part) {
		if matched, err := path.Match(pattern, part); matched || err != nil {
			return matched, err
		}
	}
	return false, nil
}

func replacedBy(place string, write func() error) error {
	if err := os.Remove(place); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return write()
}

func (i *image) copyOut(about iofs.FileInfo, place string) error {
	source, err := opened(about)
	if err != nil {
		return err
	}
	written, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, about.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(written, source)
	return errors.Join(err, written.Close())
}

// opened makes an entry of this file system readable; the library offers that beyond io/fs.
func opened(about iofs.FileInfo) (filesystem.File, error) {
	entry, can := about.(interface {
		Open() (filesystem.File, error)
	})
	if !can {
		return nil, fmt.Errorf("%s is no file", about.Name())
	}
	return entry.Open()
}

func linkTarget(about iofs.FileInfo) string {
	if more, has := about.Sys().(*squashfs.StatT); has {
		return more.LinkTarget
	}
	return ""
}
