package pcl

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tetratelabs/wazero"
)

const cage = "resource cage \"zoo:index:Cage\" {\n  bars = 12\n}\n"

func TestMistakesAreDiagnostics(t *testing.T) {
	for text, expected := range map[string][]string{
		cage:                      nil,
		"a = 1\n":                 nil,
		"a = lenght([1])\n":       {"PCL0601"},
		"a = \xff\n":              {"PCL0005"},
		"a = 1\nb = 2 +\nc = d\n": {"PCL0121", "PCL0201"},
		"resource a \"b:c:D\" {}": {"PCL0408"},
	} {
		report, err := shared.Check(t.Context(), Source(text))
		if err != nil {
			t.Fatal(err)
		}
		if found := codes(report.Diagnostics); !slices.Equal(found, expected) {
			t.Errorf("%q: %q instead of %q", text, found, expected)
		}
		if report.Valid != (expected == nil) || report.Errors != len(expected) {
			t.Errorf("%q: valid %v, errors %d", text, report.Valid, report.Errors)
		}
	}
}

func TestProgramsHaveDirectoriesAndComponents(t *testing.T) {
	files := fstest.MapFS{
		"shop/main.pp":     {Data: []byte("component web \"./web\" {\n  size = \"x\"\n}\n")},
		"shop/web/main.pp": {Data: []byte("config size int {}\n")},
		"shop/notes.txt":   {Data: []byte("no program")},
	}
	program, err := FromFS(files)
	if err != nil {
		t.Fatal(err)
	}
	program.Directory = "shop"
	report, err := shared.Check(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Diagnostics) != 1 || report.Diagnostics[0].File != "shop/main.pp" {
		t.Errorf("%+v", report.Diagnostics)
	}
	if _, err := FromFS(os.DirFS("nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestProgramsBecomeProjectsInAllLanguages(t *testing.T) {
	languages := shared.Languages()
	for _, language := range []Language{TypeScript, Python, YAML, JSON} {
		if !slices.Contains(languages, language) {
			t.Errorf("%s is missing in %v", language, languages)
		}
	}
	program := Source(cage)
	program.Name = "menagerie"
	projects, err := shared.ConvertAll(t.Context(), program, languages...)
	if err != nil {
		t.Fatal(err)
	}
	for i, project := range projects {
		all := strings.Join(slices.Collect(maps.Values(project.Files)), "")
		if project.Language != languages[i] || !project.Complete || !project.Report.Valid {
			t.Errorf("%s: %+v", languages[i], project)
		}
		if !strings.Contains(all, "menagerie") || !strings.Contains(all, "12") {
			t.Errorf("%s lacks the name or the value: %s", languages[i], all)
		}
		alone, err := shared.Convert(t.Context(), program, languages[i])
		if err != nil || !reflect.DeepEqual(alone, project) {
			t.Errorf("%s alone is something else: %v", languages[i], err)
		}
	}
}

func TestProgramsWithErrorsHaveNoProjects(t *testing.T) {
	project, err := shared.Convert(t.Context(), Source("a = lenght([])\n"), YAML)
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Files) != 0 || project.Complete || project.Report.Valid {
		t.Errorf("%+v", project)
	}
}

func TestProjectsInPythonHaveChoices(t *testing.T) {
	compiler := compilerWith(t, zoo, WithPython(PythonOptions{Toolchain: "uv"}))
	project, err := compiler.Convert(t.Context(), Source(cage), Python)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := project.Files["pyproject.toml"]; !ok {
		t.Errorf("%v", slices.Sorted(maps.Keys(project.Files)))
	}
}

func TestTextsAreFormatted(t *testing.T) {
	text, err := shared.Format(t.Context(), []byte("a=[1,2]\n"))
	if err != nil || string(text) != "a = [1, 2]\n" {
		t.Errorf("%q, %v", text, err)
	}
	for _, wrong := range []string{"a = [", "a = \xff\n"} {
		if _, err := shared.Format(t.Context(), []byte(wrong)); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestSettingsHold(t *testing.T) {
	compiler := compilerWith(t, WithSetting("missing-schema", "ignore"), WithSetting("select", []string{"unused-local"}))
	report, err := compiler.Check(t.Context(), Source(cage+"a = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if found := codes(report.Diagnostics); !slices.Equal(found, []string{"PCL0701"}) {
		t.Errorf("%q", found)
	}
}

func TestMistakesOfTheCallerAreErrors(t *testing.T) {
	for name, option := range map[string]Option{
		"setting":   WithSetting("mising-schema", "ignore"),
		"value":     WithSetting("missing-schema", 3),
		"function":  WithSetting("missing-schema", func() {}),
		"instances": WithInstances(0),
		"memory":    WithMemoryLimit(1),
	} {
		_, err := New(t.Context(), option, WithCacheDir(cacheDir))
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := shared.Convert(t.Context(), Source("a = 1\n"), "cobol")
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "unknown language `cobol`") {
		t.Error(err)
	}
	if _, err = shared.BindFor(t.Context(), Source("a = 1\n"), "cobol"); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	if _, err = shared.Check(t.Context(), Program{Files: map[string][]byte{"\xff.pp": nil}}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	if _, err := New(t.Context(), WithCacheDir("main_test.go/cache")); err == nil {
		t.Error("a file is a directory for the cache")
	}
}

// The module has no way to a clock, a file or a network.
func TestTheModuleNeedsSchemasOnly(t *testing.T) {
	cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close(t.Context())
	runtime := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfig().WithCompilationCache(cache))
	defer runtime.Close(t.Context())
	compiled, err := runtime.CompileModule(t.Context(), module)
	if err != nil {
		t.Fatal(err)
	}
	var imported []string
	for _, function := range compiled.ImportedFunctions() {
		module, name, _ := function.Import()
		imported = append(imported, module+"."+name)
	}
	slices.Sort(imported)
	if !slices.Equal(imported, []string{"pcl.load_schema", "pcl.read_schema"}) || len(compiled.ImportedMemories()) != 0 {
		t.Errorf("%q", imported)
	}
}

func TestTheVersionIsThatOfTheCrates(t *testing.T) {
	if version := shared.Version(); strings.Count(version, ".") != 2 {
		t.Error(version)
	}
}
