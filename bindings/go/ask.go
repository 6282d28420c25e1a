package pcl

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Language is a language that programs are converted to.
type Language string

// The languages of this version.
const (
	// made by `cargo xtask generate`
	TypeScript Language = "typescript"
	Python     Language = "python"
	Go         Language = "go"
	Java       Language = "java"
	YAML       Language = "yaml"
	JSON       Language = "json"
	// until here
)

// A Project is a program in another language.
type Project struct {
	// Language is the language.
	Language Language
	// Files has the texts of the project by path. There are none if the program has errors.
	Files map[string]string
	// Complete is true if the project registers all that the program does.
	Complete bool
	// Report has the diagnostics of the program, and those about what the project lacks.
	Report Report
}

// An SDK is a form of documents: calls, conversions and eventual values are as the SDK needs them.
type SDK string

// The SDKs of which there are forms.
const (
	NodeJSSDK SDK = "nodejs"
	PythonSDK SDK = "python"
)

// Check checks a program. Mistakes in it are diagnostics of the report, not errors.
func (c *Compiler) Check(ctx context.Context, program Program) (*Report, error) {
	answer, err := c.ask(ctx, program, "check")
	if err != nil {
		return nil, err
	}
	var document checkDocument
	if err := decode(answer, &document); err != nil {
		return nil, err
	}
	return document.report()
}

// Bind returns the model of a program: its declarations, expressions and types. A program with
// errors has a model too, with the type "error" for the parts that are wrong.
func (c *Compiler) Bind(ctx context.Context, program Program) (*Document, error) {
	return c.BindFor(ctx, program, "")
}

// BindFor returns the model of a program in the form for an SDK.
func (c *Compiler) BindFor(ctx context.Context, program Program, sdk SDK) (*Document, error) {
	type bind struct {
		SDK *SDK `json:"sdk"`
	}
	var form bind
	if sdk != "" {
		form.SDK = &sdk
	}
	answer, err := c.ask(ctx, program, map[string]bind{"bind": form})
	if err != nil {
		return nil, err
	}
	document := new(Document)
	if err := document.UnmarshalJSON(answer); err != nil {
		return nil, &CrashError{Message: unexpected, Err: err}
	}
	return document, nil
}

// Convert converts a program to another language.
func (c *Compiler) Convert(ctx context.Context, program Program, language Language) (*Project, error) {
	projects, err := c.ConvertAll(ctx, program, language)
	if err != nil {
		return nil, err
	}
	return projects[0], nil
}

// ConvertAll converts a program to several languages, for which it is checked once or twice. The
// projects are in the order of the languages.
func (c *Compiler) ConvertAll(ctx context.Context, program Program, languages ...Language) ([]*Project, error) {
	type convert struct {
		Languages []Language `json:"languages"`
		Name      string     `json:"name"`
		Toolchain string     `json:"python_toolchain,omitempty"`
		Classes   bool       `json:"python_classes"`
	}
	name := program.Name
	if name == "" {
		name = "example"
	}
	wanted := convert{append([]Language{}, languages...), name, c.python.Toolchain, c.python.Classes}
	answer, err := c.ask(ctx, program, map[string]convert{"convert": wanted})
	if err != nil {
		return nil, err
	}
	var converted []struct {
		Language Language
		Complete bool
		Files    map[string]string
		Check    checkDocument
	}
	if err := decode(answer, &converted); err != nil {
		return nil, err
	}
	if len(converted) != len(languages) {
		return nil, &CrashError{Message: "there is not a project for each language"}
	}
	projects := make([]*Project, len(converted))
	for i, it := range converted {
		report, err := it.Check.report()
		if err != nil {
			return nil, err
		}
		projects[i] = &Project{Language: it.Language, Files: it.Files, Complete: it.Complete, Report: *report}
	}
	return projects, nil
}

// Format returns a text in the canonical layout. For a text with syntax errors, it returns
// [ErrSyntax].
func (c *Compiler) Format(ctx context.Context, source []byte) ([]byte, error) {
	answer, err := c.ask(ctx, Program{Files: map[string][]byte{"main.pp": source}}, "format")
	if err != nil {
		return nil, err
	}
	var text *string
	if err := decode(answer, &text); err != nil {
		return nil, err
	}
	if text == nil {
		return nil, ErrSyntax
	}
	return []byte(*text), nil
}

func (c *Compiler) ask(ctx context.Context, program Program, ask any) ([]byte, error) {
	request, err := program.request(ask)
	if err != nil {
		return nil, err
	}
	return c.call(ctx, request)
}

// checkDocument is the document of `pcl check --output-format json`, of one program.
type checkDocument struct {
	Programs []*Report `json:"programs"`
}

func (d checkDocument) report() (*Report, error) {
	if len(d.Programs) != 1 {
		return nil, &CrashError{Message: fmt.Sprintf("a check has %d programs", len(d.Programs))}
	}
	return d.Programs[0], nil
}

const unexpected = "an answer has another form than this package expects"

// decode reads an answer, whose form is that of this version of the module.
func decode(answer []byte, into any) error {
	if err := json.Unmarshal(answer, into); err != nil {
		return &CrashError{Message: unexpected, Err: err}
	}
	return nil
}
