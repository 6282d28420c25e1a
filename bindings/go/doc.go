// Package pcl checks, binds, converts and formats programs in PCL, the Pulumi Configuration
// Language, in process and without cgo.
//
// It is the toolchain https://github.com/pcl-lang/pcl as a WebAssembly module, which
// [github.com/tetratelabs/wazero] runs: the answers are those of its command, and nothing is read
// from a disk or a network but by the [Loader] of the caller.
//
// A [Compiler] is made once, since compiling the module takes seconds, and may be used by any
// number of goroutines:
//
//	compiler, err := pcl.New(ctx, pcl.WithSchemas(os.DirFS("schemas")))
//	if err != nil {
//		return err
//	}
//	defer compiler.Close()
//	project, err := compiler.Convert(ctx, pcl.Source(text), pcl.Python)
//
// # Errors
//
// Mistakes in programs are data: each [Report] and [Document] has the [Diagnostic]s. An error says
// that there is no answer: a [LoadError] wraps the error of a loader, a [CrashError] is a bug of
// pcl or a lack of memory, [ErrInvalid] a mistake of the caller. The errors of contexts are wrapped.
//
// # Versions
//
// The module and the package have the version of the command. The structs of documents are those of
// https://github.com/pcl-lang/pcl/blob/main/docs/formats/document.schema.json.
package pcl
