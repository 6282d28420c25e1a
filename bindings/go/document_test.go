package pcl

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pcl-lang/pcl/bindings/go/internal/generate"
)

func TestStructsAreThoseOfTheSchemas(t *testing.T) {
	formats := filepath.Join(root, "docs/formats")
	if _, err := os.Stat(formats); err != nil {
		t.Skip("skipped: the schemas are in the repository")
	}
	files, err := generate.Files(formats)
	if err != nil || len(files) != 2 {
		t.Fatal(len(files), err)
	}
	for name, expected := range files {
		found, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(found, expected) {
			t.Errorf("%s is stale: run `go generate`", name)
		}
	}
}

func TestDocumentsAreTyped(t *testing.T) {
	text := cage + "output size {\n  value = 1.50 + 12345678901234567890.5\n}\na = true ? null : \"b\"\n"
	document, err := shared.Bind(t.Context(), Source(text))
	if err != nil {
		t.Fatal(err)
	}
	cage, ok := document.Main.Nodes[0].(*ResourceNode)
	if !ok || cage.Token != "zoo::Cage" || cage.Inputs[0].Name != "bars" {
		t.Errorf("%+v", document.Main.Nodes[0])
	}
	if bars, ok := document.Expressions[cage.Inputs[0].Value].(*LiteralExpression); !ok || bars.Value.Value != Number("12") {
		t.Errorf("%+v", document.Expressions[cage.Inputs[0].Value])
	}
	var constants []any
	for _, expression := range document.Expressions {
		if literal, ok := expression.(*LiteralExpression); ok {
			constants = append(constants, literal.Value.Value)
		}
	}
	for _, expected := range []any{Number("12345678901234567890.5"), true, nil, "b"} {
		found := false
		for _, constant := range constants {
			found = found || constant == expected
		}
		if !found {
			t.Errorf("%v is not among %v", expected, constants)
		}
	}
}

func TestWrongDocumentsAreErrors(t *testing.T) {
	for _, text := range []string{
		`{"types": [{"kind": "dance"}]}`, `{"types": [{}]}`, `{"types": [3]}`, `{"types": 3}`,
		`{"expressions": [{"kind": "literal", "value": 3}]}`, `{"expressions": [{"kind": "literal", "value": []}]}`,
		`{"expressions": [{"kind": "unary", "operand": "x"}]}`,
	} {
		if err := json.Unmarshal([]byte(text), new(Document)); err == nil {
			t.Errorf("%s is a document", text)
		}
	}
	var document Document
	text := ` { "types" : [ { "element" : 1 , "kind" : "list" } ] , "new": [{"a": "]}\"", "b": -1.5e3}, null], "program": "\u00e4\ud83d\ude00\n" } `
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if list, ok := document.Types[0].(*ListType); !ok || list.Element != 1 || document.Program != "\u00e4\U0001f600\n" {
		t.Errorf("%+v", document)
	}
}

// Without the checks that encoding/json makes first.
func TestCutOffDocumentsAreErrors(t *testing.T) {
	whole, err := shared.ask(t.Context(), Source(cage+"a = \"\\\"${cage.label}\"\n"), map[string]any{"bind": struct{}{}})
	if err != nil {
		t.Fatal(err)
	}
	whole = bytes.TrimSpace(whole)
	for end := range whole {
		if err := new(Document).UnmarshalJSON(whole[:end]); err == nil {
			t.Fatalf("%s is a document", whole[:end])
		}
		// Any damage has some result.
		damaged := bytes.Clone(whole)
		damaged[end] = "{}[],:\"\\0n\x00"[end%11]
		_ = new(Document).UnmarshalJSON(damaged)
	}
	if err := new(Document).UnmarshalJSON(append(bytes.Clone(whole), '1')); err == nil {
		t.Error("something follows a document")
	}
}

// Structs that lack a field, or give it another type, would lose something.
func TestStructsLoseNothing(t *testing.T) {
	count := 0
	for _, set := range programSets(t) {
		compiler := compilerWith(t, schemasOf(set)...)
		for _, program := range set.Programs {
			source := read(t, program)
			answer, err := compiler.ask(t.Context(), source, map[string]any{"bind": struct{}{}})
			if err != nil {
				t.Fatal(err)
			}
			document := new(Document)
			same(t, program, answer, document)
			checked, err := compiler.ask(t.Context(), source, "check")
			if err != nil {
				t.Fatal(err)
			}
			var envelope struct{ Programs []json.RawMessage }
			if err := json.Unmarshal(checked, &envelope); err != nil {
				t.Fatal(err)
			}
			same(t, program, envelope.Programs[0], new(Report))
			count++
		}
	}
	if count < 100 {
		t.Errorf("only %d programs are there", count)
	}
}

// same reads a text into a value and compares what is written of it.
func same(t *testing.T, program string, text []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(text, value); err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	if different := difference(t, value, json.RawMessage(text)); different != "" {
		t.Errorf("%s: %s", program, different)
	}
}
