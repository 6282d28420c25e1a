// Batch converts programs, for the figures of docs/performance.md:
//
//	batch [-bind] [-instances N] [-cache DIR] SCHEMA_DIR FILE
//
// FILE has a JSON object with `id` and `text` on each line, as the program
// tests/performance/reference/batch of the repository takes. Each program is checked once, with the
// same leniencies, and becomes a program in TypeScript and Python; with -bind, it is bound only.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"
	"time"

	pcl "github.com/pcl-lang/pcl/bindings/go"
)

func main() {
	bind := flag.Bool("bind", false, "bind programs instead of converting them")
	check := flag.Bool("check", false, "check programs instead of converting them")
	instances := flag.Int("instances", 1, "the number of instances")
	cache := flag.String("cache", "", "the directory of the compiled module")
	interruption := flag.Bool("interruption", false, "stop when a context is done")
	flag.Parse()
	options := []pcl.Option{
		pcl.WithSchemas(os.DirFS(flag.Arg(0))),
		pcl.WithInstances(*instances),
		pcl.WithSetting("allow", []string{"missing-properties", "missing-variables", "resource-types"}),
	}
	if *cache != "" {
		options = append(options, pcl.WithCacheDir(*cache))
	}
	if *interruption {
		options = append(options, pcl.WithInterruption())
	}
	start := time.Now()
	ctx := context.Background()
	compiler := must(pcl.New(ctx, options...))
	defer compiler.Close()
	compiled := time.Since(start)
	programs := make(chan pcl.Program)
	var group sync.WaitGroup
	var mutex sync.Mutex
	counts := make([]int, 4)
	for range *instances {
		group.Go(func() {
			for program := range programs {
				found := work(ctx, compiler, program, *bind, *check)
				mutex.Lock()
				counts[0]++
				for i, ok := range found {
					if ok {
						counts[1+i]++
					}
				}
				mutex.Unlock()
			}
		})
	}
	lines := bufio.NewScanner(must(os.Open(flag.Arg(1))))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var program struct{ Text string }
		must(0, json.Unmarshal(lines.Bytes(), &program))
		programs <- pcl.Source(program.Text)
	}
	close(programs)
	group.Wait()
	fmt.Println(counts, "compiled in", compiled, "in all", time.Since(start))
}

// work returns true for each result that there is.
func work(ctx context.Context, compiler *pcl.Compiler, program pcl.Program, bind, check bool) []bool {
	switch {
	case check:
		return []bool{must(compiler.Check(ctx, program)).Valid}
	case bind:
		return []bool{must(compiler.Bind(ctx, program)).Valid}
	}
	var found []bool
	for _, project := range must(compiler.ConvertAll(ctx, program, pcl.TypeScript, pcl.Python)) {
		found = append(found, len(project.Files) > 0)
	}
	return found
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func init() { flag.CommandLine.SetOutput(os.Stderr) }
