// Binds a program with Pulumi's binder, for comparison: reference SCHEMA_DIR PROGRAM_DIR.
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

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
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
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: reference SCHEMA_DIR PROGRAM_DIR")
		os.Exit(2)
	}
	schemas := &loader{os.Args[1], map[string]schema.PackageReference{}}
	_, diagnostics, err := pcl.BindDirectory(os.Args[2], schemas)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if diagnostics.HasErrors() {
		fmt.Fprintln(os.Stderr, diagnostics)
		os.Exit(1)
	}
}
