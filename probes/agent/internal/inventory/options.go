package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"leadline/agent/internal/secrets"
)

const (
	mostOptionFiles = 200
	mostOptionLines = 5000
	mostOptionBytes = 1 << 20
	// mostToldBytes keeps what is told of all lines below what an inventory may have, however it is
	// written.
	mostToldBytes = 512 << 10
	// deepestInclude is where servers stop following includes.
	deepestInclude = 10
)

// options is what stands in the server's option files for the server itself.
type options struct {
	// Because says why nothing was read, where that is so.
	Because string `json:"because,omitempty"`
	// None: the server was told to read none.
	None bool `json:"none,omitempty"`
	// Suffix is what the server adds to the names of its groups, to read those as well.
	Suffix string       `json:"suffix,omitempty"`
	Files  []optionFile `json:"files"`
	Lines  []optionLine `json:"lines"`
}

// optionFile is a file that was read, or, with Because, one that was not or not to its end.
type optionFile struct {
	Path string `json:"path"`
	// AgeSeconds is how long ago it was written to.
	AgeSeconds float64 `json:"age_s,omitempty"`
	// Folder: an "!includedir" led to it.
	Folder  bool   `json:"folder,omitempty"`
	Because string `json:"because,omitempty"`
	// Ends is why servers end their start at Line of it.
	Ends ending `json:"ends,omitempty"`
	Line int    `json:"line,omitempty"`
	// Passed: servers pass over it as well, so nothing of theirs is missing.
	Passed bool `json:"passed,omitempty"`
}

// optionLine is one line of a group that servers read.
type optionLine struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Group string `json:"group"`
	// Name is empty where the line is no option, and ends a start.
	Name string `json:"name,omitempty"`
	// Value has no quotes and escapes; nil without an "=".
	Value *string `json:"value,omitempty"`
	// Text is the line without its comment; empty where the value is hidden, and where it is no
	// option and may be anything.
	Text string `json:"text,omitempty"`
}

// optionReader follows one server's option files.
type optionReader struct {
	// root is where the server's "/" lies for this process.
	root  string
	found *options
	now   time.Time
	open  []string
	// bytes are those that were read, told those of the lines that are told.
	bytes int64
	told  int
}

// findOptions reads the option files of the server with this process number; named are files that
// the server itself says its values come from. It is nil for a server of Leadline's own.
func findOptions(root, pid string, named []string) *options {
	folder := filepath.Join(root, "proc", pid)
	how := startOf(folder)
	if how.ours {
		return nil
	}
	found := &options{Suffix: how.suffix, Files: []optionFile{}, Lines: []optionLine{}}
	view, because := viewOf(root, folder)
	switch {
	case how.program == "":
		found.Because = "how the server was started can't be read"
		return found
	case how.none:
		found.None = true
		return found
	case because != "":
		found.Because = because
		return found
	}
	reader := optionReader{root: view, found: found, now: time.Now()}
	for _, each := range how.places() {
		reader.file(each)
	}
	for _, path := range named {
		reads := func(file optionFile) bool { return file.Path == path }
		if !slices.ContainsFunc(found.Files, reads) && !reader.renamed(path) {
			reader.file(wanted{path: path, asked: true})
		}
	}
	return found
}

// renamed gives a file that was read the name that the server has for it, where a link led to it.
func (r *optionReader) renamed(path string) bool {
	info, err := os.Stat(r.seen(path))
	if err != nil {
		return false
	}
	for at, file := range r.found.Files {
		if other, err := os.Stat(r.seen(file.Path)); err != nil || !os.SameFile(info, other) {
			continue
		}
		r.found.Files[at].Path = path
		for line := range r.found.Lines {
			if r.found.Lines[line].File == file.Path {
				r.found.Lines[line].File = path
			}
		}
		return true
	}
	return false
}

// viewOf is where the server's own root can be seen; a server in a container has other files under
// the same paths.
func viewOf(root, folder string) (view, because string) {
	own := filepath.Join(folder, "root")
	if _, err := os.ReadDir(own); err == nil {
		return own, ""
	}
	if len(numbersOf(folder)) > 1 {
		return "", "the server runs in a container, whose files this account may not read"
	}
	return root, ""
}

func (r *optionReader) file(want wanted) {
	switch {
	case strings.HasPrefix(want.path, "~/"):
		r.passOver(want.path, "the server's environment can't be read, so its home is not known")
	case !filepath.IsAbs(want.path):
		r.passOver(want.path, "it was named without its folder")
	default:
		at := len(r.found.Files)
		r.follow(filepath.Clean(want.path), want.asked, false)
		if want.required && at < len(r.found.Files) && r.found.Files[at].Because == notThere {
			r.found.Files[at].Ends, r.found.Files[at].Passed = noFile, false
		}
	}
}

func (r *optionReader) passOver(path, because string) {
	r.found.Files = append(r.found.Files, optionFile{Path: path, Because: because})
}

// follow reads a file and what it includes, in the server's order.
func (r *optionReader) follow(path string, asked, folder bool) {
	if slices.Contains(r.open, path) || len(r.open) > deepestInclude {
		r.passOver(path, "it includes itself, or too many includes led to it")
		return
	}
	if len(r.found.Files) >= mostOptionFiles {
		return
	}
	content, age, err := r.read(path)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return
	}
	at := len(r.found.Files)
	r.found.Files = append(r.found.Files, optionFile{Path: path, AgeSeconds: age, Folder: folder})
	if err != nil {
		r.found.Files[at].Because = whyNot(err)
		r.found.Files[at].Passed = errors.Is(err, fs.ErrNotExist) || errors.Is(err, errWorldWritable)
		return
	}
	entries, err := parseOptions(content)
	if err != nil {
		r.found.Files[at].Because = err.Error()
		if stop := (*stop)(nil); errors.As(err, &stop) {
			r.found.Files[at].Ends, r.found.Files[at].Line = stop.ends, stop.line
		}
	}
	r.open = append(r.open, path)
	for _, each := range entries {
		switch {
		case each.include != "":
			r.file(wanted{path: each.include, asked: true})
		case each.folder != "":
			// What follows is read all the same: the server runs, so the folder was there.
			if !r.folder(each.folder) && r.found.Files[at].Ends == "" {
				r.found.Files[at].Ends, r.found.Files[at].Line = noFolder, each.line
			}
		default:
			r.line(at, each)
		}
	}
	r.open = r.open[:len(r.open)-1]
}

// folder reads the files of an "!includedir"; false where there is no such folder.
func (r *optionReader) folder(path string) bool {
	if !filepath.IsAbs(path) {
		r.passOver(path, "it was named without the folder that it lies in")
		return true
	}
	entries, err := os.ReadDir(r.seen(path))
	if err != nil {
		r.passOver(path, whyNot(err))
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
	}
	for _, each := range entries {
		if filepath.Ext(each.Name()) == ".cnf" {
			r.follow(filepath.Join(path, each.Name()), false, true)
		}
	}
	return true
}

// line keeps what stands in a group that some server reads, of the file at that place in the list.
func (r *optionReader) line(at int, each entry) {
	if !isServerGroup(each.group, r.found.Suffix) {
		return
	}
	file := &r.found.Files[at]
	if r.isFull() {
		file.leaveOutFrom(each.line)
		return
	}
	line := optionLine{File: file.Path, Line: each.line, Group: each.group}
	if !each.isOption() {
		line.Text = each.shown()
	} else {
		line.Name = each.name
		value := each.value
		if secrets.Hides(each.name, value) {
			value = secrets.Hidden
		} else {
			line.Text = each.text
		}
		if each.hasValue {
			line.Value = &value
		}
	}
	if r.told += line.bytes(); r.isFull() {
		file.leaveOutFrom(each.line)
		return
	}
	r.found.Lines = append(r.found.Lines, line)
}

// isFull says whether no further line is told, so that none needs to be looked at.
func (r *optionReader) isFull() bool {
	return r.told > mostToldBytes || len(r.found.Lines) >= mostOptionLines
}

// leaveOutFrom says from which line on nothing is told of the file; the first such line stays.
func (f *optionFile) leaveOutFrom(line int) {
	if f.Because == "" {
		f.Because = fmt.Sprintf("there are more lines than are read, from line %d of it on", line)
	}
}

func (l *optionLine) bytes() int {
	size := len(l.File) + len(l.Group) + len(l.Name) + len(l.Text)
	if l.Value != nil {
		size += len(*l.Value)
	}
	return size
}

var serverGroup = regexp.MustCompile(
	`^(server|mysql_cluster|client-server|galera|(mysqld|mariadb|mariadbd)(-\d+(\.\d+)?)?)$`)

func isServerGroup(group, suffix string) bool {
	return serverGroup.MatchString(group) ||
		(suffix != "" && serverGroup.MatchString(strings.TrimSuffix(group, suffix)))
}

var (
	errWorldWritable = errors.New("everybody may write to it, so servers pass over it")
	errTooLarge      = errors.New("it is larger than 256 KiB")
	errTooMuch       = errors.New("the files before it have more than is read, which is 1 MiB")
)

const notThere = "it is not there"

// read returns a file's text and how many seconds ago it was written to.
func (r *optionReader) read(path string) (string, float64, error) {
	file, info, err := openPlain(r.seen(path))
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = file.Close() }()
	age := r.now.Sub(info.ModTime()).Seconds()
	switch {
	case info.Mode().Perm()&0o002 != 0:
		return "", 0, errWorldWritable
	case info.Size() > largestFile:
		return "", 0, errTooLarge
	case r.bytes+info.Size() > mostOptionBytes:
		return "", 0, errTooMuch
	}
	content, ok := textOf(file)
	if !ok {
		return "", 0, fs.ErrPermission
	}
	r.bytes += int64(len(content))
	return content, age, nil
}

// seen is where a path of the server's lies for this process, with links followed as the server
// would follow them.
func (r *optionReader) seen(path string) string {
	if r.root == "/" {
		return path
	}
	return filepath.Join(r.root, within(r.root, path))
}

// whyNot says why a file could not be read, in words that follow "because".
func whyNot(err error) string {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notThere
	case errors.Is(err, fs.ErrPermission):
		return "this account may not read it"
	case errors.As(err, &number):
		return number.Error()
	}
	return err.Error()
}
