// Package schemas loads the schemas of packages from the files of a directory.
package schemas

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = map[string]schema.Language{"nodejs": nodejs.Importer, "python": python.Importer}

// Directory loads schemas from the files NAME-VERSION.json.gz of a directory.
type Directory struct {
	Path string
	// Prepare changes a schema before its package is made, if it is not nil.
	Prepare func(*schema.PackageSpec) (*schema.PackageSpec, error)
}

// read returns the schema in a file.
func read(path string) (*schema.PackageSpec, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	return &spec, json.Unmarshal(text, &spec)
}

func (d Directory) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	return d.LoadPackageV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

func (d Directory) LoadPackageV2(_ context.Context, of *schema.PackageDescriptor) (*schema.Package, error) {
	name := of.Name
	if of.Parameterization != nil {
		name = of.Parameterization.Name
	}
	found, err := filepath.Glob(filepath.Join(d.Path, name+"-[0-9]*.json.gz"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("there is no schema of %s", name)
	}
	return d.Import(found[len(found)-1])
}

// Import returns the package that a file describes.
func (d Directory) Import(path string) (*schema.Package, error) {
	spec, err := read(path)
	if err == nil && d.Prepare != nil {
		spec, err = d.Prepare(spec)
	}
	if err != nil {
		return nil, err
	}
	return schema.ImportSpec(*spec, languages, d, schema.ValidationOptions{AllowDanglingReferences: true})
}

func (d Directory) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return schema.LoadPackageReference(d, name, version)
}

func (d Directory) LoadPackageReferenceV2(ctx context.Context, of *schema.PackageDescriptor) (schema.PackageReference, error) {
	pkg, err := d.LoadPackageV2(ctx, of)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}
