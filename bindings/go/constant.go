package pcl

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Constant is a value that is known without running anything. Its zero value is none, as that of
// an optional field.
type Constant struct {
	// Value is nil, a bool, a string, or a [Number].
	Value any
	// Known is true if there is a constant, which may be nil.
	Known bool
}

// A Number is a number in decimal digits, perhaps with a point and an exponent. Go's types of
// numbers would round it.
type Number string

// UnmarshalJSON reads the constant.
func (c *Constant) UnmarshalJSON(data []byte) error {
	c.Known = true
	if !bytes.HasPrefix(data, []byte("{")) {
		if err := json.Unmarshal(data, &c.Value); err != nil {
			return err
		}
		switch c.Value.(type) {
		case nil, bool, string:
			return nil
		}
		return fmt.Errorf("a constant is %s", data)
	}
	var number struct{ Number Number }
	err := json.Unmarshal(data, &number)
	c.Value = number.Number
	return err
}

// IsZero returns true if there is no constant.
func (c Constant) IsZero() bool { return !c.Known }

// MarshalJSON writes the constant as [Constant.UnmarshalJSON] reads it.
func (c Constant) MarshalJSON() ([]byte, error) {
	if number, ok := c.Value.(Number); ok {
		return json.Marshal(map[string]Number{"number": number})
	}
	return json.Marshal(c.Value)
}
