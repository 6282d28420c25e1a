// Reads JSON lines `[name, text]` and prints those that are no Go in the layout of gofmt, or that have
// variables or imports which nothing uses, as their names, each with the error:
// go run parses.go < texts.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
)

// difference returns the first line that another layout has in another form.
func difference(text, formatted string) string {
	other := strings.Split(formatted, "\n")
	for number, line := range strings.Split(text, "\n") {
		if number >= len(other) || line != other[number] {
			return fmt.Sprintf("gofmt changes line %d: %q", number+1, line)
		}
	}
	return "gofmt adds lines"
}

// packages imports any package, as one without members.
type packages struct{}

func (packages) Import(path string) (*types.Package, error) {
	found := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	found.MarkComplete()
	return found, nil
}

// unused returns what a file declares or imports and does not use. Other files and all packages are
// missing, so other errors mean nothing.
func unused(text string) string {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "file.go", text, parser.SkipObjectResolution)
	if err != nil {
		return err.Error()
	}
	found := ""
	config := types.Config{Importer: packages{}, Error: func(err error) {
		if strings.Contains(err.Error(), " not used") {
			found = err.Error()
		}
	}}
	// Its error is the first of those above.
	_, _ = config.Check("main", files, []*ast.File{file}, nil)
	return found
}

func problem(text string) string {
	formatted, err := format.Source([]byte(text))
	switch {
	case err != nil:
		return err.Error()
	case string(formatted) != text:
		return difference(text, string(formatted))
	default:
		return unused(text)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<30)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var file [2]string
		if err := json.Unmarshal(lines.Bytes(), &file); err != nil {
			panic(err)
		}
		if found := problem(file[1]); found != "" {
			if err := out.Encode([2]string{file[0], found}); err != nil {
				panic(err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}
