// Writes the SDKs of schemas, as Pulumi generates them: for Node.js, Python, Go or Java.
//
//	generate-sdks [--python | --go | --java] SCHEMAS OUT
//
// SCHEMAS is a directory of files NAME-VERSION.json.gz, or one such file. OUT gets a directory VERSION/@NAMESPACE/NAME
// for each, or VERSION/NAME for the other languages, with the metadata that an installation has. A schema
// that Pulumi refuses is named on standard output and left out.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"example.invalid/engine/schemas"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	forPython := flag.Bool("python", false, "write SDKs for Python")
	forGo := flag.Bool("go", false, "write SDKs for Go")
	forJava := flag.Bool("java", false, "write SDKs for Java")
	flag.Parse()
	place, out := flag.Arg(0), flag.Arg(1)
	files := forNode
	if *forPython {
		files = forPython3
	}
	if *forGo {
		files = forGolang
	}
	if *forJava {
		files = forJVM
	}
	loader, paths := schemas.Directory{Path: filepath.Dir(place)}, []string{place}
	if *forJava {
		loader.Prepare = withoutTwins
	}
	if !strings.HasSuffix(place, ".json.gz") {
		loader.Path = place
		var err error
		if paths, err = filepath.Glob(filepath.Join(place, "*.json.gz")); err != nil {
			log.Fatal(err)
		}
	}
	for _, file := range paths {
		if err := write(loader, file, out, files); err != nil {
			fmt.Printf("%s: %v\n", filepath.Base(file), err)
		}
	}
}

// forNode makes the SDK for Node.js of a package, and returns its place and its files.
func forNode(pkg *schema.Package, version string, loader schemas.Directory) (string, map[string][]byte, error) {
	files, err := nodejs.GeneratePackage("pcl tests", pkg, nil, nil, false, loader)
	if err != nil {
		return "", nil, err
	}
	var manifest struct{ Name string }
	if err := json.Unmarshal(files["package.json"], &manifest); err != nil {
		return "", nil, err
	}
	// TypeScript takes two packages of the same name and version for one.
	files["package.json"] = []byte(strings.ReplaceAll(string(files["package.json"]), "${VERSION}", version))
	return manifest.Name, files, nil
}

// forPython3 does the same for Python.
func forPython3(pkg *schema.Package, _ string, loader schemas.Directory) (string, map[string][]byte, error) {
	files, err := python.GeneratePackage("pcl tests", pkg, nil, loader)
	if err != nil {
		return "", nil, err
	}
	module := ""
	for name := range files {
		if root, _, found := strings.Cut(name, "/"); found && strings.HasSuffix(name, "/__init__.py") && strings.Count(name, "/") == 1 {
			module = root
		}
	}
	version := "0.0.0"
	if pkg.Version != nil {
		version = python.PypiVersion(*pkg.Version)
	}
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\n", module, version)
	files[fmt.Sprintf("%s-%s.dist-info/METADATA", module, version)] = []byte(metadata)
	return pkg.Name, files, nil
}

// forGolang does the same for Go: the SDK is a module, whose path its `go.mod` has. It is the directory of the root package, or the
// one above it.
func forGolang(pkg *schema.Package, _ string, _ schemas.Directory) (string, map[string][]byte, error) {
	files, err := golang.GeneratePackage("pcl tests", pkg, nil)
	if err != nil {
		return "", nil, err
	}
	settings, _ := pkg.Language["go"].(golang.GoPackageInfo)
	module := settings.ImportBasePath
	if module == "" {
		module = golang.ExtractImportBasePath(pkg.Reference())
	}
	if settings.RootPackageName == "" {
		// The directory has no hyphens, but the path by which the SDK imports itself.
		root := path.Base(module)
		placed := map[string][]byte{}
		for name, text := range files {
			if _, rest, found := strings.Cut(name, "/"); found {
				name = root + "/" + rest
			}
			placed[name] = text
		}
		files, module = placed, path.Dir(module)
	}
	files["go.mod"] = []byte(fmt.Sprintf("module %s\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.0.0\n", module))
	return pkg.Name, files, nil
}

// withoutTwins removes types whose names differ only in case, as Pulumi does before it makes an SDK for Java.
func withoutTwins(spec *schema.PackageSpec) (*schema.PackageSpec, error) {
	spec, diagnostics, err := java.DeduplicateTypes(spec)
	if err == nil && diagnostics.HasErrors() {
		err = diagnostics
	}
	return spec, err
}

// versionFile is how the text of an SDK for Java names the file that has its version.
var versionFile = regexp.MustCompile(`"([^"]*/version\.txt)"`)

// forJVM does the same for Java: the directory is a project for Gradle, with the file beside the sources from which an SDK reads
// its version. What makes Pulumi's generator panic is refused.
func forJVM(pkg *schema.Package, version string, _ schemas.Directory) (name string, files map[string][]byte, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	files, err = java.GeneratePackage("pcl tests", pkg, nil, nil, false, false)
	for name, text := range files {
		if found := versionFile.FindSubmatch(text); found != nil && path.Base(name) == "Utilities.java" {
			files["src/main/java/"+string(found[1])] = []byte(version)
			break
		}
	}
	return pkg.Name, files, err
}

// write generates the SDK of the schema in a file.
func write(loader schemas.Directory, path, out string, sdk func(*schema.Package, string, schemas.Directory) (string, map[string][]byte, error)) error {
	pkg, err := loader.Import(path)
	if err != nil {
		return err
	}
	version := "0.0.0"
	if pkg.Version != nil {
		version = pkg.Version.String()
	}
	name, files, err := sdk(pkg, version, loader)
	if err != nil {
		return err
	}
	place := filepath.Join(out, version, filepath.FromSlash(name))
	for name, text := range files {
		if strings.HasSuffix(name, ".md") {
			continue
		}
		to := filepath.Join(place, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
