package pcl

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"sync"
)

// A PackageRequest asks for the schema of a package.
type PackageRequest struct {
	// Name is the name of the package.
	Name string `json:"name"`
	// Version is the version, or empty if any will do.
	Version string `json:"version"`
	// Plugin is the name of the plugin, which differs from Name if a parameter creates the package.
	Plugin string `json:"plugin"`
	// PluginVersion is the version of the plugin, or empty.
	PluginVersion string `json:"pluginVersion"`
	// DownloadURL is the server of the plugin, if the program names one.
	DownloadURL string `json:"downloadUrl"`
}

// String returns the package as NAME or NAME@VERSION.
func (r PackageRequest) String() string {
	if r.Version == "" {
		return r.Name
	}
	return r.Name + "@" + r.Version
}

// A Loader supplies schemas of packages, in JSON or YAML. Several goroutines may use it at once. It
// must not use the compiler that asks it, all of whose instances may be waiting for it.
//
// An error that is [fs.ErrNotExist], or a document that is nil, says that there is no schema, which
// is a diagnostic. Any other error fails the call, as a [LoadError]. A compiler keeps the documents
// that it got, which must not be changed, and does not ask again for them.
type Loader interface {
	Load(ctx context.Context, request PackageRequest) ([]byte, error)
}

// LoaderFunc is a function that is a [Loader].
type LoaderFunc func(ctx context.Context, request PackageRequest) ([]byte, error)

// Load calls the function.
func (f LoaderFunc) Load(ctx context.Context, request PackageRequest) ([]byte, error) {
	return f(ctx, request)
}

// A KnownPackage is a package that a [Catalog] lists.
type KnownPackage struct {
	Name string `json:"name"`
	// Version is empty if it is not known.
	Version string `json:"version,omitempty"`
}

// A Catalog is a [Loader] that knows what it has. Diagnostics then suggest names and versions, and
// say where schemas were looked up.
type Catalog interface {
	Loader
	// Packages lists the packages.
	Packages() ([]KnownPackage, error)
	// Place names the place where they are, for people: a path, or some words.
	Place() string
}

// chain asks one loader after the other. It is a list of file systems in a row if possible: of
// these, the first with a version counts, not the first with a file.
type chain []Loader

func (c chain) Load(ctx context.Context, request PackageRequest) ([]byte, error) {
	// Files without a version count for packages that have no others.
	versioned := false
	for _, loader := range c {
		if files, ok := loader.(*fsLoader); ok {
			has, err := files.hasVersions(request.Name)
			if err != nil {
				return nil, err
			}
			versioned = versioned || has
		}
	}
	for _, loader := range c {
		files, ok := loader.(*fsLoader)
		if ok && versioned && !files.versioned(request.Name) {
			continue
		}
		document, err := loader.Load(ctx, request)
		if err == nil && document != nil {
			return document, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return nil, fs.ErrNotExist
}

// known returns what the loaders know about themselves.
func (c chain) known() ([]KnownPackage, []string, error) {
	packages, places := []KnownPackage{}, []string{}
	for _, loader := range c {
		catalog, ok := loader.(Catalog)
		if !ok {
			continue
		}
		found, err := catalog.Packages()
		if err != nil {
			return nil, nil, err
		}
		packages = append(packages, found...)
		places = append(places, catalog.Place())
	}
	return packages, places, nil
}

// fsLoader finds schemas in the root of a file system, by the names of files.
type fsLoader struct {
	files fs.FS
	once  sync.Once
	// Schemas by the name of the package.
	schemas map[string][]schemaFile
	order   []KnownPackage
	err     error
}

type schemaFile struct {
	path, version string
}

var schemaName = regexp.MustCompile(`^(.*?)(?:-(\d.*))?\.(?:json|ya?ml)(?:\.gz)?$`)

// list reads the names of the files once.
func (l *fsLoader) list() error {
	l.once.Do(func() {
		entries, err := fs.ReadDir(l.files, ".")
		if err != nil {
			l.err = fmt.Errorf("listing the schemas: %w", hidden{err})
			return
		}
		l.schemas = map[string][]schemaFile{}
		for _, entry := range entries {
			parts := schemaName.FindStringSubmatch(entry.Name())
			if entry.IsDir() || parts == nil {
				continue
			}
			name, version := parts[1], parts[2]
			l.schemas[name] = append(l.schemas[name], schemaFile{path: entry.Name(), version: version})
			l.order = append(l.order, KnownPackage{Name: name, Version: version})
		}
	})
	return l.err
}

// hidden is an error that is not [fs.ErrNotExist]: a missing directory is not a missing schema.
type hidden struct{ error }

func (l *fsLoader) hasVersions(name string) (bool, error) {
	if err := l.list(); err != nil {
		return false, err
	}
	return l.versioned(name), nil
}

// versioned returns true if a file has a version of a package.
func (l *fsLoader) versioned(name string) bool {
	for _, file := range l.schemas[name] {
		if file.version != "" {
			return true
		}
	}
	return false
}

// Load returns the schema of the version, or of the highest one.
func (l *fsLoader) Load(_ context.Context, request PackageRequest) ([]byte, error) {
	if err := l.list(); err != nil {
		return nil, err
	}
	versioned := l.versioned(request.Name)
	var best *schemaFile
	for i, file := range l.schemas[request.Name] {
		fits := file.version == request.Version || request.Version == ""
		if versioned && (file.version == "" || !fits) {
			continue
		}
		if best == nil || compareVersions(best.version, file.version) < 0 {
			best = &l.schemas[request.Name][i]
		}
	}
	if best == nil {
		return nil, fs.ErrNotExist
	}
	content, err := fs.ReadFile(l.files, best.path)
	if err != nil || !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return content, err
	}
	reader, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(reader, mostMemory))
}

// Packages lists the packages of the file system.
func (l *fsLoader) Packages() ([]KnownPackage, error) {
	err := l.list()
	return l.order, err
}

// Place returns the name of the file system, if it has one.
func (l *fsLoader) Place() string {
	if named, ok := l.files.(fmt.Stringer); ok {
		return named.String()
	}
	return "the file system of the schemas"
}
