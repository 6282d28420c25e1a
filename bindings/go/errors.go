package pcl

import (
	"errors"
	"fmt"
)

var (
	// ErrInvalid is wrapped by errors about a mistake of the caller, such as an unknown language
	// or setting.
	ErrInvalid = errors.New("invalid argument")

	// ErrSyntax is returned for a text that has syntax errors and so cannot be formatted.
	// [Compiler.Check] has the diagnostics.
	ErrSyntax = errors.New("pcl: a text with syntax errors cannot be formatted")

	// ErrClosed is returned by a compiler that was closed.
	ErrClosed = errors.New("pcl: the compiler is closed")
)

// A LoadError is the failure of a [Loader]. It wraps the error that the loader returned.
type LoadError struct {
	// Package is the package that was asked for.
	Package PackageRequest
	// Err is the error of the loader.
	Err error
}

func (e *LoadError) Error() string {
	return fmt.Sprintf("pcl: loading the schema of %s: %v", e.Package, e.Err)
}

// Unwrap returns the error of the loader.
func (e *LoadError) Unwrap() error { return e.Err }

// A CrashError is a bug of pcl, or a program that needs more memory than [WithMemoryLimit] allows.
// Other calls are not affected: the instance that crashed is replaced by a fresh one.
type CrashError struct {
	// Message is the message of the crash, if there is one.
	Message string
	// Err is the error of the runtime of WebAssembly, with a stack trace.
	Err error
}

func (e *CrashError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("pcl: the module crashed: %v", e.Err)
	}
	return "pcl: the module crashed: " + e.Message
}

// Unwrap returns the error of the runtime.
func (e *CrashError) Unwrap() error { return e.Err }

// invalid returns an error about a mistake of the caller.
func invalid(message string) error {
	return fmt.Errorf("pcl: %w: %s", ErrInvalid, message)
}
