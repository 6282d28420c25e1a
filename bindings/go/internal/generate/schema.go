package generate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// A schema is the part of JSON Schema that the formats of pcl use.
type schema struct {
	Description string
	Ref         string          `json:"$ref"`
	Type        json.RawMessage // A name, or a list of names.
	Const       json.RawMessage
	Enum        []string
	Items       *schema
	MinItems    int
	MaxItems    int
	Required    []string
	Properties  members
	OneOf       []*schema
	Defs        members `json:"$defs"`
}

// members are schemas by name, in the order of the text.
type members struct {
	names  []string
	byName map[string]*schema
	texts  map[string]string
}

func (m *members) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	m.byName, m.texts = map[string]*schema{}, map[string]string{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var text json.RawMessage
		if err := decoder.Decode(&text); err != nil {
			return err
		}
		member := new(schema)
		if err := json.Unmarshal(text, member); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			return err
		}
		m.add(name.(string), member, compact.String())
	}
	return nil
}

func (m *members) add(name string, member *schema, text string) {
	m.names = append(m.names, name)
	m.byName[name] = member
	m.texts[name] = text
}

// typeName returns the only type of a schema; those that may be null are lists.
func (s *schema) typeName() (name string, nullable bool) {
	var names []string
	if json.Unmarshal(s.Type, &name) == nil {
		return name, false
	}
	if json.Unmarshal(s.Type, &names) == nil && len(names) == 2 && names[1] == "null" {
		return names[0], true
	}
	return "", false
}

// isInteger returns true for whole numbers.
func (s *schema) isInteger() bool {
	name, _ := s.typeName()
	return name == "integer"
}

// isUnion returns true for a schema that is one of several objects, which their `kind` tells.
func (s *schema) isUnion() bool { return len(s.OneOf) > 0 }

// hasNames returns true for an enumeration of words; operators are none.
func (s *schema) hasNames() bool {
	isOperator := func(value string) bool { return value == "" || value[0] < 'a' || value[0] > 'z' }
	return len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isOperator)
}

// kind returns the `kind` of a member of a union.
func (s *schema) kind() string {
	var kind string
	if property := s.Properties.byName["kind"]; property != nil {
		_ = json.Unmarshal(property.Const, &kind)
	}
	return kind
}
