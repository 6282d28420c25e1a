// Structs writes document_gen.go of the package: `go generate` runs it.
package main

import (
	"fmt"
	"os"

	"github.com/pcl-lang/pcl/bindings/go/internal/generate"
)

func main() {
	text, err := generate.Text("../../docs/formats")
	if err == nil {
		err = os.WriteFile("document_gen.go", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
