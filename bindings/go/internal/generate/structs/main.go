// Structs writes the generated files of the package: `go generate` runs it.
package main

import (
	"fmt"
	"os"

	"github.com/pcl-lang/pcl/bindings/go/internal/generate"
)

func main() {
	files, err := generate.Files("../../docs/formats")
	for name, text := range files {
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
