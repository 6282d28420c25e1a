package pcl

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// A stranger's module with nothing but the program of the README.
func TestTheProgramOfTheReadmeRuns(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)[1]
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	// The requirements of this module, and this module itself in the place of the released one.
	requirements := regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(own, []byte("module stranger"))
	const name = "github.com/pcl-lang/pcl/bindings/go"
	requirements = append(requirements, "\nrequire "+name+" v0.0.0\n\nreplace "+name+" => "+here+"\n"...)
	directory := t.TempDir()
	for path, content := range map[string][]byte{"main.go": program, "go.mod": requirements, "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(directory, path), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(directory, "schemas"), os.DirFS("testdata/schemas")); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".")
	run.Dir = directory
	run.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	found, err := run.CombinedOutput()
	const expected = "main.pp:4: warning: nothing refers to the local `unused`\n" +
		"import pulumi_zoo as zoo\n\ncage = zoo.Cage(\"cage\", bars=12)\n\nunused = cage.label\n"
	if err != nil || string(found) != expected {
		t.Errorf("%v\n%s", err, found)
	}
}
