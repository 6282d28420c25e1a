package generate

import (
	"fmt"
	"slices"
	"strings"
)

// reading writes the method that reads a struct, and for documents and reports the one that makes
// `encoding/json` use it.
func (g *generator) reading(typeName string, s *schema) error {
	g.readers.line("\nfunc (v *%s) read(r *reader) {\nfor key := range r.members() {\nswitch key {", typeName)
	for _, name := range s.Properties.names {
		property := s.Properties.byName[name]
		place := "v." + goName(name)
		g.readers.line("case %q:", name)
		if err := g.readingInto(typeName+goName(name), place, property, slices.Contains(s.Required, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	g.readers.line("default:\nr.raw()\n}\n}\n}")
	if typeName == "Document" || typeName == "Report" {
		g.readers.line("\n// UnmarshalJSON reads the %s.", strings.ToLower(typeName))
		g.readers.line("func (v *%s) UnmarshalJSON(data []byte) error {", typeName)
		g.readers.line("r := &reader{data: data}\nv.read(r)\nreturn r.end()\n}")
	}
	return nil
}

// readingInto writes statements that read a value into a field.
func (g *generator) readingInto(own, place string, s *schema, required bool) error {
	typeName, err := g.typeOf(own, s)
	if err != nil {
		return err
	}
	kind, nullable := s.typeName()
	target := g.defs.byName[strings.TrimPrefix(s.Ref, "#/$defs/")]
	switch {
	case typeName == "Constant":
		g.readers.line("%s = r.constant()", place)
	case target != nil && target.isUnion():
		g.readers.line("%s = read%s(r)", place, typeName)
	case target != nil && len(target.Enum) > 0, s.hasNames():
		g.readers.line("%s = %s(r.string())", place, typeName)
	case target != nil && required:
		g.readers.line("%s.read(r)", place)
	case target != nil:
		g.readers.line("%s = new(%s)\n%s.read(r)", place, typeName, place)
	case kind == "array":
		item := "item"
		g.readers.line("%s = %s{}\nfor range r.items() {\nvar item %s", place, typeName, strings.TrimPrefix(typeName, "[]"))
		if err := g.readingInto(own, item, s.Items, true); err != nil {
			return err
		}
		g.readers.line("%s = append(%s, item)\n}", place, place)
	case kind == "object":
		g.readers.line("%s = r.objects()", place)
	case nullable:
		g.readers.line("%s = r.stringOrNull()", place)
	case kind == "integer" && !required:
		g.readers.line("%s = new(int)\n*%s = r.int()", place, place)
	case kind == "integer":
		g.readers.line("%s = r.int()", place)
	case kind == "boolean":
		g.readers.line("%s = r.bool()", place)
	default:
		g.readers.line("%s = r.string()", place)
	}
	return nil
}
