// Writes the SDKs for Node.js of schemas, as Pulumi generates them.
//
//	generate-sdks SCHEMAS OUT
//
// SCHEMAS is a directory of files NAME-VERSION.json.gz. OUT gets a directory VERSION/@NAMESPACE/NAME
// for each; a schema that Pulumi refuses is named on standard output and left out.
package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// directory loads schemas from the files of a directory.
type directory struct{ path string }

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

func (d directory) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	return d.LoadPackageV2(context.Background(), &schema.PackageDescriptor{Name: name, Version: version})
}

func (d directory) LoadPackageV2(_ context.Context, of *schema.PackageDescriptor) (*schema.Package, error) {
	name := of.Name
	if of.Parameterization != nil {
		name = of.Parameterization.Name
	}
	found, err := filepath.Glob(filepath.Join(d.path, name+"-[0-9]*.json.gz"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("there is no schema of %s", name)
	}
	spec, err := read(found[len(found)-1])
	if err != nil {
		return nil, err
	}
	return schema.ImportSpec(*spec, map[string]schema.Language{"nodejs": nodejs.Importer}, d, schema.ValidationOptions{AllowDanglingReferences: true})
}

func (d directory) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return schema.LoadPackageReference(d, name, version)
}

func (d directory) LoadPackageReferenceV2(ctx context.Context, of *schema.PackageDescriptor) (schema.PackageReference, error) {
	pkg, err := d.LoadPackageV2(ctx, of)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func main() {
	loader := directory{os.Args[1]}
	paths, err := filepath.Glob(filepath.Join(loader.path, "*.json.gz"))
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range paths {
		if err := write(loader, path); err != nil {
			fmt.Printf("%s: %v\n", filepath.Base(path), err)
		}
	}
}

// write generates the SDK of the schema in a file.
func write(loader directory, path string) error {
	spec, err := read(path)
	if err != nil {
		return err
	}
	pkg, err := schema.ImportSpec(*spec, map[string]schema.Language{"nodejs": nodejs.Importer}, loader, schema.ValidationOptions{AllowDanglingReferences: true})
	if err != nil {
		return err
	}
	files, err := nodejs.GeneratePackage("pcl tests", pkg, nil, nil, false, loader)
	if err != nil {
		return err
	}
	var manifest struct{ Name string }
	if err := json.Unmarshal(files["package.json"], &manifest); err != nil {
		return err
	}
	version := "0.0.0"
	if pkg.Version != nil {
		version = pkg.Version.String()
	}
	// TypeScript takes two packages of the same name and version for one.
	files["package.json"] = []byte(strings.ReplaceAll(string(files["package.json"]), "${VERSION}", version))
	out := filepath.Join(os.Args[2], version, filepath.FromSlash(manifest.Name))
	for name, text := range files {
		if strings.HasSuffix(name, ".md") {
			continue
		}
		to := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
