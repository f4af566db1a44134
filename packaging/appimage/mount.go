package main

import (
	"context"
	"errors"
	"io"
	iofs "io/fs"
	"os"
	"os/exec"
	"path"
	"sync"
	"syscall"
	"time"

	"github.com/diskfs/go-diskfs/filesystem"
	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Nothing in the file system ever changes, so the kernel may remember all that it is told.
const forever = 24 * time.Hour

// mount shows the files at a directory, to this account alone; what it returns ends that.
//
// The kernel keeps a file system that somebody still uses until they are gone, and so does end.
func (i *image) mount(directory string) (end func() error, err error) {
	timeout := forever
	root := &folder{}
	var filling error
	server, err := fs.Mount(directory, root, &fs.Options{
		MountOptions: fuse.MountOptions{
			// As root no helper is needed; all others need fusermount3.
			DirectMount:   true,
			Options:       []string{"ro"},
			FsName:        "leadline.AppImage",
			Name:          "leadline.AppImage",
			DisableXAttrs: true,
		},
		EntryTimeout: &timeout, AttrTimeout: &timeout, NegativeTimeout: &timeout,
		UID: uint32(os.Geteuid()), GID: uint32(os.Getegid()),
		OnAdd: func(ctx context.Context) { filling = i.fill(ctx, &root.Inode) },
	})
	if err != nil {
		return nil, err
	}
	end = func() error {
		detach(directory)
		gone := os.Remove(directory)
		server.Wait()
		return errors.Join(gone, i.close())
	}
	if filling != nil {
		return nil, errors.Join(filling, end())
	}
	return end, nil
}

// detach takes a file system out of sight, also while it is in use.
func detach(directory string) {
	if syscall.Unmount(directory, syscall.MNT_DETACH) == nil {
		return
	}
	for _, helper := range []string{"fusermount3", "fusermount"} {
		if exec.Command(helper, "-u", "-z", directory).Run() == nil {
			return
		}
	}
}

// fill makes a node of every file.
func (i *image) fill(ctx context.Context, root *fs.Inode) error {
	folders := map[string]*fs.Inode{".": root}
	return i.walk(".", func(name string, about iofs.FileInfo) error {
		above := folders[path.Dir(name)]
		node, kind := nodeOf(about)
		made := above.NewPersistentInode(ctx, node, fs.StableAttr{Mode: kind})
		above.AddChild(about.Name(), made, true)
		if about.IsDir() {
			folders[name] = made
		}
		return nil
	})
}

func nodeOf(about iofs.FileInfo) (fs.InodeEmbedder, uint32) {
	attributes := fuse.Attr{Mode: uint32(about.Mode().Perm()), Size: uint64(about.Size())}
	changed := about.ModTime()
	attributes.SetTimes(nil, &changed, &changed)
	switch {
	case about.IsDir():
		return &folder{}, fuse.S_IFDIR
	case about.Mode()&os.ModeSymlink != 0:
		return &fs.MemSymlink{Attr: attributes, Data: []byte(linkTarget(about))}, fuse.S_IFLNK
	}
	return &regular{attributes: attributes, about: about}, fuse.S_IFREG
}

// A folder is a directory: all that it holds are its children.
type folder struct{ fs.Inode }

// A regular is a file.
type regular struct {
	fs.Inode
	attributes fuse.Attr
	about      iofs.FileInfo
}

// A reading is a file that somebody has open; it keeps the block that was unpacked last.
type reading struct {
	one     sync.Mutex
	content filesystem.File
}

var (
	_ = (fs.NodeGetattrer)((*regular)(nil))
	_ = (fs.NodeOpener)((*regular)(nil))
	_ = (fs.FileReader)((*reading)(nil))
)

func (r *regular) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Attr = r.attributes
	return fs.OK
}

func (r *regular) Open(_ context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	if flags&(syscall.O_WRONLY|syscall.O_RDWR) != 0 {
		return nil, 0, syscall.EROFS
	}
	content, err := opened(r.about)
	if err != nil {
		return nil, 0, syscall.EIO
	}
	return &reading{content: content}, fuse.FOPEN_KEEP_CACHE, fs.OK
}

func (r *reading) Read(
	_ context.Context, into []byte, offset int64,
) (fuse.ReadResult, syscall.Errno) {
	r.one.Lock()
	defer r.one.Unlock()
	if _, err := r.content.Seek(offset, io.SeekStart); err != nil {
		return nil, syscall.EIO
	}
	count, err := io.ReadFull(r.content, into)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, syscall.EIO
	}
	return fuse.ReadResultData(into[:count]), fs.OK
}
