// The first part of Leadline's AppImage: makes the file system that is appended to it available,
// and becomes the program in it.
//
// It keeps to the AppImage specification's type 2 (https://github.com/AppImage/AppImageSpec), with
// zstd alone, and needs no library of the system: where FUSE is absent it unpacks instead.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const help = `An AppImage: a program with all that it needs, in one file.

  --appimage-help             this text
  --appimage-version          this runtime's version
  --appimage-offset           where in the file its file system begins, in bytes
  --appimage-extract [GLOB]   unpack all, or what fits, into squashfs-root/
  --appimage-mount            show the files in a directory until Ctrl-C
  --appimage-extract-and-run  unpack into a private temporary directory, run, and remove it

Everything else goes to the program. APPIMAGE_EXTRACT_AND_RUN=1 in the environment does as the last
option; so does a system without FUSE, with a line that says so. TMPDIR says where.
`

// version is set by the build.
var version = "unknown"

const (
	wrongUse = 2
	// keeping is how this program starts itself to look after the files while the program runs.
	keeping   = "--appimage-keep"
	unpackEnv = "APPIMAGE_EXTRACT_AND_RUN"
)

func init() {
	// What watches a process (proot, that is) loses it where another thread than its first becomes
	// the program.
	runtime.LockOSThread()
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "AppImage: %v\n", err)
		var wrong usageError
		if errors.As(err, &wrong) {
			os.Exit(wrongUse)
		}
		os.Exit(1)
	}
}

type usageError struct{ sentence string }

func (e usageError) Error() string { return e.sentence }

func run(arguments []string) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	option, rest := "", arguments
	if len(arguments) > 0 && strings.HasPrefix(arguments[0], "--appimage-") {
		option, rest = arguments[0], arguments[1:]
	}
	switch option {
	case "":
		return start(path, arguments, unpackingWanted())
	case "--appimage-extract-and-run":
		return start(path, rest, true)
	case "--appimage-extract":
		return extract(path, rest)
	case "--appimage-mount":
		return showMounted(path)
	case "--appimage-offset":
		return printOffset(path)
	case "--appimage-version":
		fmt.Printf("Leadline's AppImage runtime %s (type 2)\n", version)
	case "--appimage-help":
		fmt.Print(help)
	case keeping:
		return keep(path, rest)
	default:
		return usageError{option + " is no option of this AppImage; --appimage-help lists them."}
	}
	return nil
}

func unpackingWanted() bool {
	wanted, err := strconv.ParseBool(os.Getenv(unpackEnv))
	return err == nil && wanted
}

// start becomes the program: this process has its number, terminal and signals from now on.
func start(path string, arguments []string, unpack bool) error {
	place, err := placed(path, unpack)
	if err != nil {
		return err
	}
	if place.because != "" {
		fmt.Fprintf(os.Stderr, "AppImage: FUSE can't be used here (%s), so all is unpacked for this run; %s=1 does so at once.\n",
			place.because, unpackEnv)
	}
	here, _ := os.Getwd()
	for name, value := range map[string]string{
		"APPIMAGE": path, "APPDIR": place.directory, "ARGV0": os.Args[0], "OWD": here,
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	program := filepath.Join(place.directory, "AppRun")
	err = syscall.Exec(program, append([]string{program}, arguments...), os.Environ())
	return fmt.Errorf("%s can't be run: %w; name another folder in TMPDIR", program, err)
}

// extract writes what fits one of the patterns, or everything, below squashfs-root.
func extract(path string, patterns []string) error {
	if len(patterns) > 1 {
		return usageError{"--appimage-extract takes one pattern."}
	}
	image, err := openImage(path)
	if err != nil {
		return err
	}
	defer image.close()
	return image.unpack("squashfs-root", strings.Join(patterns, ""), os.Stdout)
}

// showMounted holds the file system mounted until somebody ends this process.
func showMounted(path string) error {
	place, err := placed(path, false)
	if err != nil {
		return err
	}
	if place.because != "" {
		return fmt.Errorf("FUSE can't be used here: %s", place.because)
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	fmt.Println(place.directory)
	<-ended
	return nil
}

func printOffset(path string) error {
	offset, err := payloadOffset(path)
	if err == nil {
		fmt.Println(offset)
	}
	return err
}
