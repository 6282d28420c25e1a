package pcl

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// place is a file system whose name is a path of the repository.
type place struct {
	fs.FS
	path string
}

func (p place) String() string { return p.path }

// schemasOf are the options for the schemas of some programs.
func schemasOf(set programSet) []Option {
	var options []Option
	for _, directory := range set.Schemas {
		absolute, err := filepath.Abs(filepath.Join(root, directory))
		if err != nil {
			panic(err)
		}
		options = append(options, WithSchemas(place{os.DirFS(absolute), absolute}))
	}
	return options
}

// inPlace is the path of a program below the root of a workspace.
func inPlace(program string) string {
	for strings.HasPrefix(program, "../") {
		program = program[3:]
	}
	return program
}

// read reads a program with the directory that it is in, where components may be.
func read(t *testing.T, program string) Program {
	t.Helper()
	result := Program{Files: map[string][]byte{}, Directory: inPlace(program)}
	// A component may be beside the program.
	for _, directory := range []string{path.Dir(program), program} {
		found, err := FromFS(os.DirFS(filepath.Join(root, directory)))
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range found.Files {
			result.Files[path.Join(inPlace(directory), name)] = content
		}
	}
	return result
}

// command returns the command to compare with.
func command(t *testing.T) string {
	t.Helper()
	command := os.Getenv("PCL_BINARY")
	if command == "" {
		t.Skip("skipped: PCL_BINARY is not set")
	}
	return command
}

// output runs the command in a directory. Its status says whether there are diagnostics.
func output(t *testing.T, directory, input string, arguments ...string) []byte {
	t.Helper()
	run := exec.CommandContext(t.Context(), command(t), arguments...)
	run.Dir, run.Stdin = directory, strings.NewReader(input)
	run.Env = append(os.Environ(), "PULUMI_HOME="+filepath.Join(directory, "none"))
	var errors bytes.Buffer
	run.Stderr = &errors
	found, err := run.Output()
	if len(found) == 0 {
		t.Fatalf("%v: %v\n%s", arguments, err, &errors)
	}
	return found
}

// advice has words of the library and those of the command in their place.
type advice struct {
	Code, Library, Command string
}

// inWordsOfTheCommand replaces the advice in the help of a diagnostic.
func inWordsOfTheCommand(diagnostic *Diagnostic, table []advice) {
	if diagnostic.Help == nil {
		return
	}
	help := *diagnostic.Help
	for _, row := range table {
		if row.Code == "" {
			help = strings.ReplaceAll(help, row.Library, row.Command)
			continue
		}
		before, after, _ := strings.Cut(row.Library, "{}")
		inside, isPrefix := strings.CutPrefix(help, before)
		inside, isSuffix := strings.CutSuffix(inside, after)
		if row.Code == diagnostic.Name && isPrefix && isSuffix {
			help = strings.Replace(row.Command, "{}", inside, 1)
		}
	}
	diagnostic.Help = &help
}

// workspace copies programs into a repository in which they have the paths of read.
func workspace(t *testing.T, programs []string) string {
	t.Helper()
	directory := t.TempDir()
	if err := os.Mkdir(filepath.Join(directory, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, program := range programs {
		maps.Copy(files, read(t, program).Files)
	}
	for name, content := range files {
		file := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// schemaPath is the path of a schema in a note of the command. The package has no paths of schemas,
// and names the package.
var schemaPath = regexp.MustCompile(`\S*/(\w+)(?:-[\d.]+)?\.json(:\d+:\d+)`)

// The rule about files that a program reads, which only the command can look for.
const unseen = "unreadable-content"

func TestTheCommandPrintsTheSame(t *testing.T) {
	command(t)
	text, err := os.ReadFile(filepath.Join(root, "bindings/advice.json"))
	if err != nil {
		t.Fatal(err)
	}
	var table []advice
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, set := range programSets(t) {
		compiler := compilerWith(t, schemasOf(set)...)
		directory := workspace(t, set.Programs)
		flags := []string{"check", "--isolated", "--output-format", "json", "--quiet"}
		for _, schemas := range set.Schemas {
			absolute, err := filepath.Abs(filepath.Join(root, schemas))
			if err != nil {
				t.Fatal(err)
			}
			flags = append(flags, "--schema-dir", absolute)
		}
		for _, program := range set.Programs {
			checked := func(more ...string) *Report {
				arguments := append(append(append([]string{}, flags...), more...), inPlace(program))
				var document checkDocument
				if err := json.Unmarshal(output(t, directory, "", arguments...), &document); err != nil {
					t.Fatal(err)
				}
				report, err := document.report()
				if err != nil {
					t.Fatal(err)
				}
				return report
			}
			expected := checked()
			for _, diagnostic := range expected.Diagnostics {
				if diagnostic.Name == unseen {
					expected = checked("--ignore", unseen)
					break
				}
			}
			for _, diagnostic := range expected.Diagnostics {
				for i, note := range diagnostic.Notes {
					diagnostic.Notes[i] = schemaPath.ReplaceAllString(note, "$1$2")
				}
			}
			found, err := compiler.Check(t.Context(), read(t, program))
			if err != nil {
				t.Fatal(err)
			}
			for i := range found.Diagnostics {
				inWordsOfTheCommand(&found.Diagnostics[i], table)
			}
			if different := difference(t, found, expected); different != "" {
				t.Errorf("%s: %s", program, different)
			}
			count++
		}
	}
	t.Logf("%d programs", count)
	if count < 100 {
		t.Errorf("only %d programs are there", count)
	}
}

func TestTheCommandConvertsTheSame(t *testing.T) {
	set := programSets(t)[0]
	valid := []string{}
	entries, err := os.ReadDir(filepath.Join(root, "corpus/valid"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		valid = append(valid, path.Join("corpus/valid", entry.Name()))
	}
	compiler := compilerWith(t, schemasOf(set)...)
	var lines bytes.Buffer
	programs := map[string]Program{}
	for _, program := range valid {
		source, err := FromFS(os.DirFS(filepath.Join(root, program)))
		if err != nil {
			t.Fatal(err)
		}
		source.Name = path.Base(program)
		files := map[string]string{}
		for name, content := range source.Files {
			files[name] = string(content)
		}
		line, err := json.Marshal(map[string]any{"id": source.Name, "files": files})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
		programs[source.Name] = source
	}
	languages := compiler.Languages()
	names := make([]string, len(languages))
	for i, language := range languages {
		names[i] = string(language)
	}
	directory := t.TempDir()
	schemas, err := filepath.Abs(filepath.Join(root, set.Schemas[0]))
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{"convert", "--batch", "-", "--to", strings.Join(names, ","), "--isolated", "--quiet", "--schema-dir", schemas}
	records := bytes.Split(bytes.TrimSpace(output(t, directory, lines.String(), arguments...)), []byte("\n"))
	if len(records) != len(valid)*len(languages) {
		t.Errorf("there are %d records of %d programs", len(records), len(valid))
	}
	for _, line := range records {
		var expected struct {
			ID          string
			Language    Language
			Files       map[string]string
			Diagnostics []Diagnostic
		}
		if err := json.Unmarshal(line, &expected); err != nil {
			t.Fatal(err)
		}
		found, err := compiler.Convert(t.Context(), programs[expected.ID], expected.Language)
		if err != nil {
			t.Fatal(err)
		}
		if different := difference(t, found.Files, expected.Files); different != "" {
			t.Errorf("%s in %s: %s", expected.ID, expected.Language, different)
		}
		if different := difference(t, codes(found.Report.Diagnostics), codes(expected.Diagnostics)); different != "" {
			t.Errorf("%s in %s: %s", expected.ID, expected.Language, different)
		}
	}
}
