package pcl

import (
	"io/fs"
	"runtime"
)

// An Option is a choice of [New].
type Option func(*options)

type options struct {
	settings     map[string]any
	loaders      chain
	instances    int
	memoryLimit  uint64
	cacheDir     string
	interruption bool
	python       PythonOptions
}

// PythonOptions are the choices that projects in Python have.
type PythonOptions struct {
	// Toolchain is the tool that installs the packages: "pip", which is the default, or "uv".
	Toolchain string
	// Classes is true to write nested inputs as instances of classes of an SDK, not as dicts.
	Classes bool
}

// The least and the most memory of an instance.
const (
	leastMemory = 16 << 20
	mostMemory  = 4 << 30
)

func defaults() options {
	return options{
		settings:    map[string]any{},
		instances:   runtime.GOMAXPROCS(0),
		memoryLimit: 1 << 30,
	}
}

// WithSchemas adds the schemas in the root of a file system, as `--schema-dir` of the command does:
// files such as aws-7.0.0.json, aws.yaml or aws-7.0.0.json.gz. The highest version in the first
// file system with a version counts, unless a program asks for another one.
func WithSchemas(schemas fs.FS) Option {
	return func(o *options) { o.loaders = append(o.loaders, &fsLoader{files: schemas}) }
}

// WithLoader adds a loader of schemas. Loaders and file systems are asked in the order of the
// options; the first that has a package counts.
func WithLoader(loader Loader) Option {
	return func(o *options) { o.loaders = append(o.loaders, loader) }
}

// WithSetting sets a setting of pcl.toml, such as `missing-schema` or `allow`. The value is that of
// TOML: a string, a bool, a number, a list or a map.
func WithSetting(name string, value any) Option {
	return func(o *options) { o.settings[name] = value }
}

// WithInstances sets the number of calls that run at once, each in an instance of the module with a
// memory of its own; other calls wait. By default it is GOMAXPROCS.
func WithInstances(count int) Option {
	return func(o *options) { o.instances = count }
}

// WithMemoryLimit sets the most memory of an instance in bytes; by default 1 GiB. A call that needs
// more fails with a [CrashError]. An instance that has grown beyond half of it is replaced after
// the call. Schemas of at least 1 MiB are not in it, except for their indexes.
func WithMemoryLimit(bytes uint64) Option {
	return func(o *options) { o.memoryLimit = bytes }
}

// WithCacheDir keeps the compiled module in a directory, which saves seconds at the next start.
func WithCacheDir(directory string) Option {
	return func(o *options) { o.cacheDir = directory }
}

// WithInterruption makes the module stop soon after a context is done, instead of at the end of
// the work on a program; such a module is several times as slow. In either case, calls return as
// soon as their context is done.
func WithInterruption() Option {
	return func(o *options) { o.interruption = true }
}

// WithPython sets the choices of projects in Python.
func WithPython(python PythonOptions) Option {
	return func(o *options) { o.python = python }
}
