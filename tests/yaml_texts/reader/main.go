// Command reader says what pulumi-yaml reads in documents: it takes a JSON array of texts on standard input, and prints one of
// what its parser makes of each. It evaluates nothing.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/ast"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/packages"
	"gopkg.in/yaml.v3"
)

type entry struct {
	Key   any `json:"key"`
	Value any `json:"value"`
}

func main() {
	var documents []string
	if err := json.NewDecoder(os.Stdin).Decode(&documents); err != nil {
		panic(err)
	}
	readings := make([]any, len(documents))
	for i, document := range documents {
		readings[i] = read(document)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(readings); err != nil {
		panic(err)
	}
}

// The declaration of a package is not read as a program.
func read(document string) any {
	var declaration packages.PackageDecl
	if err := yaml.Unmarshal([]byte(document), &declaration); err == nil && declaration.PackageDeclarationVersion == 1 {
		return map[string]any{"package": map[string]any{
			"name": declaration.Name, "version": declaration.Version, "downloadUrl": declaration.DownloadURL,
		}}
	}
	template, diagnostics, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte(document))
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	if diagnostics.HasErrors() {
		return map[string]any{"error": diagnostics.Error()}
	}
	program := map[string]any{
		"name":      text(template.Name),
		"config":    config(template.Config),
		"variables": variables(template.Variables),
		"resources": resources(template.Resources),
		"outputs":   properties(template.Outputs),
	}
	components := []entry{}
	for _, component := range template.Components.Entries {
		components = append(components, entry{component.Key.Value, map[string]any{
			"inputs":    config(component.Value.Inputs),
			"variables": variables(component.Value.Variables),
			"resources": resources(component.Value.Resources),
			"outputs":   properties(component.Value.Outputs),
		}})
	}
	program["components"] = components
	return program
}

func config(section ast.ConfigMapDecl) []entry {
	entries := []entry{}
	for _, config := range section.Entries {
		entries = append(entries, entry{config.Key.Value, map[string]any{
			"name":    text(config.Value.Name),
			"default": expression(config.Value.Default),
		}})
	}
	return entries
}

func variables(section ast.VariablesMapDecl) []entry {
	entries := []entry{}
	for _, variable := range section.Entries {
		entries = append(entries, entry{variable.Key.Value, expression(variable.Value)})
	}
	return entries
}

func resources(section ast.ResourcesMapDecl) []entry {
	entries := []entry{}
	for _, resource := range section.Entries {
		options := resource.Value.Options
		own := map[string]any{
			"type": text(resource.Value.Type),
			"name": text(resource.Value.Name),
			"options": map[string]any{
				"additionalSecretOutputs": texts(options.AdditionalSecretOutputs),
				"aliases":                 expression(options.Aliases),
				"envVarMappings":          expression(options.EnvVarMappings),
				"ignoreChanges":           texts(options.IgnoreChanges),
				"import":                  text(options.Import),
				"pluginDownloadURL":       text(options.PluginDownloadURL),
				"replacementTrigger":      expression(options.ReplacementTrigger),
				"version":                 text(options.Version),
			},
			"get": map[string]any{
				"id":    expression(resource.Value.Get.Id),
				"state": properties(resource.Value.Get.State),
			},
		}
		if written := resource.Value.Properties.PropertyMap; written != nil {
			own["properties"] = properties(*written)
		}
		entries = append(entries, entry{resource.Key.Value, own})
	}
	return entries
}

func properties(section ast.PropertyMapDecl) []entry {
	entries := []entry{}
	for _, property := range section.Entries {
		entries = append(entries, entry{property.Key.Value, expression(property.Value)})
	}
	return entries
}

func text(expression *ast.StringExpr) any {
	if expression == nil {
		return nil
	}
	return expression.Value
}

func texts(list *ast.StringListDecl) any {
	if list == nil {
		return nil
	}
	texts := []any{}
	for _, element := range list.Elements {
		texts = append(texts, text(element))
	}
	return texts
}

// An expression as JSON. Objects, references and calls are objects of one member, which says what they are.
func expression(of ast.Expr) any {
	switch of := of.(type) {
	case nil, *ast.NullExpr:
		return nil
	case *ast.BooleanExpr:
		return of.Value
	case *ast.NumberExpr:
		return of.Value
	case *ast.StringExpr:
		if of == nil {
			return nil
		}
		return of.Value
	case *ast.SymbolExpr:
		return map[string]any{"reference": path(of.Property)}
	case *ast.InterpolateExpr:
		parts := []any{}
		for _, part := range of.Parts {
			parts = append(parts, part.Text)
			if part.Value != nil {
				parts = append(parts, map[string]any{"reference": path(part.Value)})
			}
		}
		return map[string]any{"interpolation": parts}
	case *ast.ListExpr:
		elements := []any{}
		for _, element := range of.Elements {
			elements = append(elements, expression(element))
		}
		return elements
	case *ast.ObjectExpr:
		entries := []entry{}
		for _, property := range of.Entries {
			entries = append(entries, entry{expression(property.Key), expression(property.Value)})
		}
		return map[string]any{"object": entries}
	case *ast.InvokeExpr:
		return map[string]any{"invoke": []any{
			text(of.Token), expression(of.CallArgs), text(of.CallOpts.Version), text(of.CallOpts.PluginDownloadURL),
		}}
	case ast.BuiltinExpr:
		return map[string]any{"call": []any{of.Name().Value, expression(of.Args())}}
	default:
		panic(fmt.Sprintf("an expression of type %T", of))
	}
}

func path(access *ast.PropertyAccess) []any {
	steps := []any{}
	for _, accessor := range access.Accessors {
		switch accessor := accessor.(type) {
		case *ast.PropertyName:
			steps = append(steps, accessor.Name)
		case *ast.PropertySubscript:
			steps = append(steps, accessor.Index)
		}
	}
	return steps
}
