package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
)

// A second process, the keeper, serves the file system, or removes what was unpacked once the
// program has ended. The two share a pipe that nobody writes to: the program's process holds its
// one end, over exec, and the keeper sees at the other that it is gone, however it ended.
const (
	lifeDescriptor  = 3
	readyDescriptor = 4
	unpackWord      = "unpack"
)

// A place is where the files are, and why they are not mounted though that was wanted.
type place struct{ directory, because string }

// placed starts the keeper and waits until the files are there.
func placed(path string, unpack bool) (place, error) {
	lifeReader, lifeWriter, err := os.Pipe()
	if err != nil {
		return place{}, err
	}
	readyReader, readyWriter, err := os.Pipe()
	if err != nil {
		return place{}, err
	}
	keeper := exec.Command(path, keeping)
	if unpack {
		keeper.Args = append(keeper.Args, unpackWord)
	}
	keeper.ExtraFiles = []*os.File{lifeReader, readyWriter}
	// Ctrl-C is for the program, which may need its files while it ends.
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := keeper.Start(); err != nil {
		return place{}, err
	}
	lifeReader.Close()
	readyWriter.Close()
	answer, err := bufio.NewReader(readyReader).ReadString('\n')
	readyReader.Close()
	if err != nil {
		return place{}, errors.New("the files in it could not be made available")
	}
	directory, because, fits := strings.Cut(strings.TrimSuffix(answer, "\n"), "\t")
	if !fits {
		return place{}, errors.New(answer[:len(answer)-1])
	}
	// A plain number is closed by nobody, and a copy lives on in the program.
	_, err = syscall.Dup(int(lifeWriter.Fd()))
	return place{directory, because}, errors.Join(err, lifeWriter.Close())
}

// keep is the keeper: it ends after the program, with nothing left behind.
func keep(path string, words []string) error {
	// Who ends a whole session ends the program; the keeper follows.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	life := os.NewFile(lifeDescriptor, "life")
	ready := os.NewFile(readyDescriptor, "ready")
	if life == nil || ready == nil {
		return usageError{keeping + " is for this program itself."}
	}
	syscall.CloseOnExec(lifeDescriptor)
	syscall.CloseOnExec(readyDescriptor)
	directory, err := os.MkdirTemp("", ".mount_leadline-")
	if err != nil {
		fmt.Fprintf(ready, "no temporary directory can be made: %v\n", err)
		return err
	}
	end, because, err := filled(path, directory, len(words) > 0 && words[0] == unpackWord)
	if err != nil {
		os.RemoveAll(directory)
		fmt.Fprintln(ready, firstLine(err))
		return err
	}
	fmt.Fprintf(ready, "%s\t%s\n", directory, because)
	ready.Close()
	_, _ = io.Copy(io.Discard, life)
	return end()
}

// filled mounts the files at a directory, or unpacks them; what it returns takes them away again.
func filled(path, directory string, unpack bool) (end func() error, because string, err error) {
	image, err := openImage(path)
	if err != nil {
		return nil, "", err
	}
	if !unpack {
		end, err = image.mount(directory)
		if err == nil {
			return end, "", nil
		}
		because = firstLine(err)
	}
	if err := image.unpack(directory, "", io.Discard); err != nil {
		return nil, "", err
	}
	return func() error { return os.RemoveAll(directory) }, because, image.close()
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return strings.ReplaceAll(line, "\t", " ")
}
