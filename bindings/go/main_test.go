package pcl

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// root is the repository.
const root = "../.."

// zoo are the schemas of the tests.
var zoo = WithSchemas(os.DirFS("testdata/schemas"))

// shared is a compiler with the schemas of the tests, which is made once.
var shared *Compiler

// cacheDir has the compiled module, for the compilers of all tests.
var cacheDir string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	// CI keeps it from one run to the next.
	if cacheDir = os.Getenv("PCL_GO_CACHE"); cacheDir == "" {
		directory, err := os.MkdirTemp("", "pcl-go")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(directory)
		cacheDir = directory
	}
	compiler, err := New(context.Background(), zoo, WithCacheDir(cacheDir))
	if err != nil {
		panic(err)
	}
	defer compiler.Close()
	shared = compiler
	return m.Run()
}

// compilerWith returns a compiler with other options.
func compilerWith(t *testing.T, options ...Option) *Compiler {
	t.Helper()
	compiler, err := New(t.Context(), append(options, WithCacheDir(cacheDir))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := compiler.Close(); err != nil {
			t.Error(err)
		}
	})
	return compiler
}

// codes returns the codes of diagnostics.
func codes(diagnostics []Diagnostic) []string {
	var codes []string
	for _, diagnostic := range diagnostics {
		codes = append(codes, diagnostic.Code)
	}
	return codes
}

// programSet is an entry of bindings/programs.json.
type programSet struct {
	Schemas, Programs []string
}

// programSets are the programs that all packages compare with the command, without those that are
// not there.
func programSets(t *testing.T) []programSet {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "bindings/programs.json"))
	if err != nil {
		t.Skip("skipped: the programs are in the repository")
	}
	var sets, found []programSet
	if err := json.Unmarshal(text, &sets); err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		if _, err := os.Stat(filepath.Join(root, set.Schemas[0])); err == nil {
			found = append(found, set)
		} else if os.Getenv("PCL_REQUIRE_SHARED") != "" {
			t.Fatalf("%s is required", set.Schemas[0])
		} else {
			t.Logf("skipped: %d programs with %s", len(set.Programs), set.Schemas[0])
		}
	}
	return found
}

// difference returns the first place where two values are different as JSON; empty if there is none.
func difference(t *testing.T, found, expected any) string {
	t.Helper()
	plain := func(value any) any {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var result any
		if err := json.Unmarshal(text, &result); err != nil {
			t.Fatal(err)
		}
		return result
	}
	return differenceAt("$", plain(found), plain(expected))
}

func differenceAt(place string, found, expected any) string {
	switch expected := expected.(type) {
	case map[string]any:
		if found, ok := found.(map[string]any); ok && len(found) == len(expected) {
			for name := range expected {
				if different := differenceAt(place+"."+name, found[name], expected[name]); different != "" {
					return different
				}
			}
			return ""
		}
	case []any:
		if found, ok := found.([]any); ok && len(found) == len(expected) {
			for i := range expected {
				if different := differenceAt(fmt.Sprintf("%s[%d]", place, i), found[i], expected[i]); different != "" {
					return different
				}
			}
			return ""
		}
	}
	if reflect.DeepEqual(found, expected) {
		return ""
	}
	return fmt.Sprintf("%s is %v instead of %v", place, found, expected)
}
