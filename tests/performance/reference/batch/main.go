// Converts programs with Pulumi's own generators, for comparison with `pcl convert --batch` and
// with bindings/go: batch SCHEMA_DIR FILE [LANGUAGE...]. FILE has a JSON object with `id` and `text`
// on each line. Each program is bound once, with the leniencies of Pulumi's Terraform bridge, and
// becomes a program in each language, typescript, python, go or yaml. Schemas are
// NAME-VERSION.json; each is loaded once.
//
// It prints the number of programs, of those that are bound and of those that each generator wrote.
// To build it, in a copy of this directory:
//
//	go mod init reference
//	go get github.com/pulumi/pulumi/pkg/v3@v3.274.1 github.com/pulumi/pulumi-yaml@v1.38.3
//	go build
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
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
		return nil, fmt.Errorf("there is no schema of %s", name)
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

func (l *loader) LoadPackage(name string, version *semver.Version) (*schema.Package, error) {
	reference, err := l.reference(name)
	if err != nil {
		return nil, err
	}
	return reference.Definition()
}

func (l *loader) LoadPackageV2(ctx context.Context, wanted *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(wanted.Name, wanted.Version)
}

func (l *loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	return l.reference(name)
}

func (l *loader) LoadPackageReferenceV2(
	ctx context.Context, wanted *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.reference(wanted.Name)
}

type generate = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var generators = map[string]generate{
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go": func(program *pcl.Program) (map[string][]byte, hcl.Diagnostics, error) {
		return golang.GenerateProgram(program)
	},
	"yaml": yaml.GenerateProgram,
}

// written returns whether a generator writes a program. Some panic.
func written(generate generate, program *pcl.Program) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, diagnostics, err := generate(program)
	return err == nil && !diagnostics.HasErrors()
}

func bound(text string, loader schema.ReferenceLoader, cache *pcl.PackageCache) *pcl.Program {
	parser := syntax.NewParser()
	if err := parser.ParseFile(strings.NewReader(text), "main.pp"); err != nil || parser.Diagnostics.HasErrors() {
		return nil
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader,
		pcl.Cache(cache), pcl.AllowMissingProperties, pcl.AllowMissingVariables,
		pcl.SkipResourceTypechecking)
	if err != nil || diagnostics.HasErrors() {
		return nil
	}
	return program
}

func main() {
	file, err := os.Open(os.Args[2])
	if err != nil {
		panic(err)
	}
	loader := &loader{directory: os.Args[1], packages: map[string]schema.PackageReference{}}
	cache := pcl.NewPackageCache()
	languages := os.Args[3:]
	counts := make([]int, 2+len(languages))
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var program struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &program); err != nil {
			panic(err)
		}
		counts[0]++
		bound := bound(program.Text, loader, cache)
		if bound == nil {
			continue
		}
		counts[1]++
		for i, language := range languages {
			if written(generators[language], bound) {
				counts[2+i]++
			}
		}
	}
	fmt.Println(counts)
}
