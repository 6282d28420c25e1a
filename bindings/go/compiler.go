package pcl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// A Compiler checks, binds, converts and formats programs. Any number of goroutines may use it at
// once: each call runs in an instance of the module of its own.
type Compiler struct {
	runtime   wazero.Runtime
	cache     wazero.CompilationCache
	pool      *pool
	documents *documents
	python    PythonOptions
	version   string
	languages []Language
}

// New compiles the module, which takes seconds: make one compiler and keep it. [Compiler.Close]
// frees its memory.
func New(ctx context.Context, opts ...Option) (*Compiler, error) {
	return newCompiler(ctx, module, opts)
}

func newCompiler(ctx context.Context, module []byte, opts []Option) (compiler *Compiler, err error) {
	o := defaults()
	for _, option := range opts {
		option(&o)
	}
	if o.instances < 1 {
		return nil, invalid("the number of instances is less than 1")
	}
	if o.memoryLimit < leastMemory || o.memoryLimit > mostMemory {
		return nil, invalid("the limit of the memory is not between 16 MiB and 4 GiB")
	}
	configuration, err := o.configuration()
	if err != nil {
		return nil, err
	}
	config := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(uint32(o.memoryLimit >> 16)).
		WithCloseOnContextDone(o.interruption).
		WithDebugInfoEnabled(false)
	c := &Compiler{documents: newDocuments(o.loaders), python: o.python}
	if o.cacheDir != "" {
		if c.cache, err = wazero.NewCompilationCacheWithDir(o.cacheDir); err != nil {
			return nil, fmt.Errorf("pcl: the directory of the compiled module: %w", err)
		}
		config = config.WithCompilationCache(c.cache)
	}
	// The module outlives the context that it is compiled in.
	c.runtime = wazero.NewRuntimeWithConfig(context.WithoutCancel(ctx), config)
	defer func() {
		if err != nil {
			_ = c.Close()
		}
	}()
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	host := c.runtime.NewHostModuleBuilder(hostModule)
	host.NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(loadSchema), []api.ValueType{i32, i32}, []api.ValueType{i64}).
		Export(hostLoad)
	host.NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(readSchema), []api.ValueType{i32, i32, i32, i32}, []api.ValueType{i32}).
		Export(hostRead)
	if _, err := host.Instantiate(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("pcl: making the host module: %w", err)
	}
	compiling := experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	compiled, err := c.runtime.CompileModule(compiling, module)
	if err != nil {
		return nil, fmt.Errorf("pcl: compiling the module: %w", err)
	}
	for _, name := range []string{exportAllocate, exportFree, exportCall, exportLastPanic} {
		if compiled.ExportedFunctions()[name] == nil {
			return nil, fmt.Errorf("pcl: the module has no function %s", name)
		}
	}
	start := func(ctx context.Context) (*instance, error) {
		instance, err := newInstance(ctx, c.runtime, compiled)
		if err != nil {
			return nil, err
		}
		if _, err := instance.answer(ctx, c.documents, configuration); err != nil {
			instance.close()
			return nil, err
		}
		return instance, nil
	}
	c.pool = newPool(o.instances, o.memoryLimit/2, start)
	if err := c.identify(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// configuration is the request that each instance gets first.
func (o *options) configuration() ([]byte, error) {
	packages, places, err := o.loaders.known()
	if err != nil {
		return nil, fmt.Errorf("pcl: %w", err)
	}
	type configure struct {
		Settings map[string]any `json:"settings"`
		Packages []KnownPackage `json:"packages"`
		Places   []string       `json:"places"`
	}
	ask := map[string]configure{"configure": {Settings: o.settings, Packages: packages, Places: places}}
	return encode(header{Ask: ask}, nil)
}

// identify asks the module for its version and languages.
func (c *Compiler) identify(ctx context.Context) error {
	request, err := encode(header{Ask: "version"}, nil)
	if err != nil {
		return err
	}
	answer, err := c.call(ctx, request)
	if err != nil {
		return err
	}
	var known struct {
		Version   string
		Languages []Language
	}
	if err := json.Unmarshal(answer, &known); err != nil {
		return fmt.Errorf("pcl: the module does not say what it is: %w", err)
	}
	c.version, c.languages = known.Version, known.Languages
	return nil
}

// Version returns the version of pcl.
func (c *Compiler) Version() string { return c.version }

// Languages returns the languages that programs are converted to.
func (c *Compiler) Languages() []Language { return slices.Clone(c.languages) }

// Close frees the memory of the compiler, after the calls that still run. Later calls return
// [ErrClosed].
func (c *Compiler) Close() error {
	if c.pool != nil {
		c.pool.close()
	}
	err := c.runtime.Close(context.Background())
	if c.cache != nil {
		err = errors.Join(err, c.cache.Close(context.Background()))
	}
	return err
}

// call answers a request in an instance of the pool. It returns when the context is done; the
// instance then finishes its work, and serves no other call before.
func (c *Compiler) call(ctx context.Context, request []byte) ([]byte, error) {
	instance, err := c.pool.take(ctx)
	if err != nil {
		return nil, wrapped(err)
	}
	if ctx.Done() == nil {
		return c.finish(ctx, instance, request)
	}
	type result struct {
		answer []byte
		err    error
	}
	finished := make(chan result, 1)
	go func() {
		answer, err := c.finish(ctx, instance, request)
		finished <- result{answer, err}
	}()
	select {
	case result := <-finished:
		if err := ctx.Err(); err != nil && result.err != nil {
			return nil, wrapped(err)
		}
		return result.answer, result.err
	case <-ctx.Done():
		return nil, wrapped(ctx.Err())
	}
}

// finish answers a request and gives the instance back.
func (c *Compiler) finish(ctx context.Context, instance *instance, request []byte) ([]byte, error) {
	answer, err := instance.answer(ctx, c.documents, request)
	var load *LoadError
	sound := err == nil || errors.Is(err, ErrInvalid) || errors.As(err, &load)
	c.pool.give(instance, sound)
	return answer, err
}

// wrapped adds the name of the package to the error of a context.
func wrapped(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("pcl: %w", err)
	}
	return err
}
