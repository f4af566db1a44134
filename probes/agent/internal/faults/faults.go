// Package faults holds the errors that the agent reports by a stable code.
package faults

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

// The codes, as PROTOCOL.md lists them.
const (
	BadPlan           = "bad_plan"
	DirectoryMissing  = "directory_missing"
	DirectoryReadOnly = "directory_read_only"
	Guard             = "guard"
	IO                = "io"
	Limits            = "limits"
	NoSpace           = "no_space"
	MySQLDenied       = "mysql_denied"
	MySQLPassword     = "mysql_password"
	MySQLLost         = "mysql_lost"
	MySQLQuery        = "mysql_query"
	MySQLRefused      = "mysql_refused"
)

// Fault is an expected error: a code for programs and a sentence for people. A fatal one ends the
// whole plan.
type Fault struct {
	Code    string
	Message string
	Fatal   bool
}

func (f *Fault) Error() string { return f.Message }

// New makes a fault that ends its point only.
func New(code, format string, arguments ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// Fatal makes a fault that ends the plan.
func Fatal(code, format string, arguments ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, arguments...), Fatal: true}
}

// Of turns any error into a fault; one that is no fault yet counts as I/O.
func Of(err error) *Fault {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault
	}
	return New(IO, "%v", err)
}

// gone are what a drive answers that fails or was taken away, and a file server that forgot its
// files: no further point could be measured there, and a failing drive is not to be worn further.
var gone = [...]syscall.Errno{
	syscall.EIO, syscall.ENXIO, syscall.ENODEV, syscall.ENOMEDIUM, syscall.EREMOTEIO, syscall.ESHUTDOWN,
	syscall.ESTALE, syscall.EUCLEAN,
}

// Storage explains err, which came from doing something in directory.
func Storage(directory string, err error) *Fault {
	var errno syscall.Errno
	errors.As(err, &errno)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errno == syscall.ENOTDIR:
		return New(DirectoryMissing, "the directory %s does not exist", directory)
	case errors.Is(err, fs.ErrPermission) || errno == syscall.EROFS:
		return New(DirectoryReadOnly, "the directory %s can't be written to: %v", directory, errno)
	case errno == syscall.ENOSPC || errno == syscall.EDQUOT:
		return New(NoSpace, "no space is left in %s", directory)
	case slices.Contains(gone[:], errno):
		return Fatal(IO, "the drive under %s failed: %v", directory, errno)
	default:
		return New(IO, "%s: %v", directory, err)
	}
}
