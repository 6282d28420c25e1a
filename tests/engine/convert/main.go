// Translates programs to Python, as Pulumi's generator does.
//
//	convert-programs SCHEMAS OUT < LIST
//
// SCHEMAS is a directory of files NAME-VERSION.json.gz, and each line of LIST is the path of a
// program of one file, a tab, and a name. The project of each is written into OUT/NAME. What is not
// translated is named on standard output.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"example.invalid/engine/schemas"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	loader, out := schema.NewCachedLoader(schemas.Directory{Path: os.Args[1]}), os.Args[2]
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		path, name, _ := strings.Cut(lines.Text(), "\t")
		if err := convert(loader, path, filepath.Join(out, name)); err != nil {
			fmt.Printf("%s: %s\n", name, strings.SplitN(err.Error(), "\n", 2)[0])
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

// convert writes the project of a program into a directory. The generator panics at some programs.
func convert(loader schema.ReferenceLoader, path, out string) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	parser := syntax.NewParser()
	if err := parser.ParseFile(file, filepath.Base(path)); err != nil {
		return err
	}
	if parser.Diagnostics.HasErrors() {
		return parser.Diagnostics
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, loader, pcl.DirPath(filepath.Dir(path)))
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, diagnostics, err := python.GenerateProgram(program)
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	for name, text := range files {
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
