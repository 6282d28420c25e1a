// Binds a program with Pulumi's binder, for comparison: reference SCHEMA_DIR PROGRAM_DIR. With a
// third argument, a number, it also evaluates the program that many times with Pulumi's
// interpreter, and prints the shortest time in milliseconds. The program must not have resources.
//
// Exits with 1 if the program has errors. Schemas are NAME-VERSION.json or NAME.json. To build it,
// in a copy of this directory:
//
//	go mod init reference
//	go get github.com/pulumi/pulumi/pkg/v3@v3.259.0
//	go build
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/pcl/runtime"
)

// loader reads schemas from a directory, and keeps them as Pulumi's loaders do.
type loader struct {
	directory string
	packages  map[string]schema.PackageReference
}

func (l *loader) reference(name string) (schema.PackageReference, error) {
	if known, ok := l.packages[name]; ok {
		return known, nil
	}
	paths, err := filepath.Glob(filepath.Join(l.directory, name+"-[0-9]*.json"))
	if err != nil || len(paths) == 0 {
		paths = []string{filepath.Join(l.directory, name+".json")}
	}
	bytes, err := os.ReadFile(paths[len(paths)-1])
	if err != nil {
		return nil, err
	}
	var spec schema.PartialPackageSpec
	if err := json.Unmarshal(bytes, &spec); err != nil {
		return nil, err
	}
	loaded, err := schema.ImportPartialSpec(spec, nil, l)
	if err != nil {
		return nil, err
	}
	l.packages[name] = loaded
	return loaded, nil
}

func (l *loader) LoadPackageReference(
	name string, version *semver.Version,
) (schema.PackageReference, error) {
	return l.reference(name)
}

func (l *loader) LoadPackageReferenceV2(
	ctx context.Context, descriptor *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.reference(descriptor.Name)
}

func (l *loader) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	loaded, err := l.reference(name)
	if err != nil {
		return nil, err
	}
	return loaded.Definition()
}

func (l *loader) LoadPackageV2(
	ctx context.Context, descriptor *schema.PackageDescriptor,
) (*schema.Package, error) {
	return l.LoadPackage(descriptor.Name, descriptor.Version)
}

func main() {
	if len(os.Args) != 3 && len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: reference SCHEMA_DIR PROGRAM_DIR [TIMES]")
		os.Exit(2)
	}
	schemas := &loader{os.Args[1], map[string]schema.PackageReference{}}
	program, diagnostics, err := pcl.BindDirectory(os.Args[2], schemas)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if diagnostics.HasErrors() {
		fmt.Fprintln(os.Stderr, diagnostics)
		os.Exit(1)
	}
	if len(os.Args) == 4 {
		times, err := strconv.Atoi(os.Args[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		evaluate(program, schemas, times)
	}
}

// evaluate prints the shortest time of several evaluations.
func evaluate(program *pcl.Program, schemas schema.ReferenceLoader, times int) {
	var best time.Duration
	for round := 0; round < times; round++ {
		info := runtime.RunInfo{Project: "project", Stack: "dev", Organization: "org", Parallel: 1}
		interpreter := runtime.NewInterpreter(program, info)
		start := time.Now()
		// A program without resources asks the monitor for nothing.
		err := interpreter.RunEmbedded(context.Background(), nil, schemas, nil, "")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if spent := time.Since(start); round == 0 || spent < best {
			best = spent
		}
	}
	fmt.Printf("%.3f ms\n", float64(best.Microseconds())/1000)
}
