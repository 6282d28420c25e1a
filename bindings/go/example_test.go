package pcl_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"

	pcl "github.com/pcl-lang/pcl/bindings/go"
)

// newCompiler keeps the compiled module for all examples.
func newCompiler(options ...pcl.Option) *pcl.Compiler {
	directory := os.Getenv("PCL_GO_CACHE")
	if directory != "" {
		options = append(options, pcl.WithCacheDir(directory))
	}
	compiler, err := pcl.New(context.Background(), options...)
	if err != nil {
		log.Fatal(err)
	}
	return compiler
}

func Example() {
	compiler := newCompiler(pcl.WithSchemas(os.DirFS("testdata/schemas")))
	defer compiler.Close()

	program := pcl.Source("resource cage \"zoo:index:Cage\" {\n  bars = 12\n}\n")
	project, err := compiler.Convert(context.Background(), program, pcl.YAML)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(project.Files["Pulumi.yaml"])
	// Output:
	// name: example
	// runtime: yaml
	// resources:
	//   cage:
	//     type: zoo:Cage
	//     properties:
	//       bars: 12
}

func ExampleCompiler_Check() {
	compiler := newCompiler()
	defer compiler.Close()

	report, err := compiler.Check(context.Background(), pcl.Source("size = lenght([1, 2])\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, diagnostic := range report.Diagnostics {
		fmt.Println(diagnostic.Code, diagnostic.Message)
		for _, fix := range diagnostic.Fixes {
			fmt.Println(fix.Title)
		}
	}
	// Output:
	// PCL0601 there is no function `lenght`
	// call `length`
}

func ExampleCompiler_Bind() {
	compiler := newCompiler()
	defer compiler.Close()

	document, err := compiler.Bind(context.Background(), pcl.Source("size = 3\noutput total {\n  value = -size\n}\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, node := range document.Main.Nodes {
		switch node := node.(type) {
		case *pcl.LocalNode:
			fmt.Printf("%s is a %T\n", node.Name, document.Expressions[*node.Value])
		case *pcl.OutputNode:
			fmt.Printf("%s depends on %d nodes\n", node.Name, len(node.Dependencies))
		}
	}
	// Output:
	// size is a *pcl.LiteralExpression
	// total depends on 1 nodes
}

func ExampleCompiler_Format() {
	compiler := newCompiler()
	defer compiler.Close()

	text, err := compiler.Format(context.Background(), []byte("size=[1,2]\n"))
	fmt.Print(string(text), err)
	// Output:
	// size = [1, 2]
	// <nil>
}

func ExampleLoader() {
	loader := pcl.LoaderFunc(func(ctx context.Context, request pcl.PackageRequest) ([]byte, error) {
		switch request.Name {
		case "zoo":
			return []byte(`{"name": "zoo", "resources": {"zoo:index:Cage": {}}}`), nil
		case "farm":
			return nil, errors.New("the farm does not answer")
		}
		return nil, fs.ErrNotExist
	})
	compiler := newCompiler(pcl.WithLoader(loader))
	defer compiler.Close()

	for _, name := range []string{"zoo", "farm", "reef"} {
		program := pcl.Source(fmt.Sprintf("resource a \"%s:index:Cage\" {\n}\n", name))
		report, err := compiler.Check(context.Background(), program)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(name, report.Valid)
	}
	// Output:
	// zoo true
	// pcl: loading the schema of farm: the farm does not answer
	// reef false
}
