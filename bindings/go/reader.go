package pcl

//go:generate go run ./internal/generate/structs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
)

// A reader reads JSON into the generated structs, in one pass over the text: reading a document is
// a large part of [Compiler.Bind]. After an error it reads nothing more.
type reader struct {
	data []byte
	at   int
	err  error
}

// fail keeps the first error.
func (r *reader) fail(expected string) {
	if r.err == nil {
		r.err = fmt.Errorf("pcl: expected %s at byte %d of %d", expected, r.at, len(r.data))
	}
	r.at = len(r.data)
}

// next returns the next byte that is no space; 0 at the end.
func (r *reader) next() byte {
	for ; r.at < len(r.data); r.at++ {
		if c := r.data[r.at]; c > ' ' {
			return c
		}
	}
	return 0
}

// take steps over a byte and returns true if it is the next one.
func (r *reader) take(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

// more returns true if there is an item before the end of a list or an object. The first one has
// no comma before it.
func (r *reader) more(first bool, end byte) bool {
	switch {
	case r.err != nil || r.take(end):
		return false
	case !first && !r.take(','):
		r.fail("a comma")
		return false
	}
	return true
}

// members are the keys of an object. The loop reads the value of each.
func (r *reader) members() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !r.take('{') {
			r.fail("an object")
		}
		for first := true; r.more(first, '}'); first = false {
			key := r.text()
			if !r.take(':') {
				r.fail("a colon")
			}
			if r.err != nil || !yield(string(key)) {
				return
			}
		}
	}
}

// items are the positions of the items of a list. The loop reads each.
func (r *reader) items() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !r.take('[') {
			r.fail("a list")
		}
		for i := 0; r.more(i == 0, ']'); i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// text returns the content of a string, which is shared with the data if it has no escapes.
func (r *reader) text() []byte {
	if !r.take('"') {
		r.fail("a string")
		return nil
	}
	start := r.at
	for ; r.at < len(r.data); r.at++ {
		switch r.data[r.at] {
		case '"':
			r.at++
			return r.data[start : r.at-1]
		case '\\':
			return r.escaped(start)
		}
	}
	r.fail("the end of a string")
	return nil
}

// escaped returns the content of a string with escapes.
func (r *reader) escaped(start int) []byte {
	for ; r.at < len(r.data) && r.data[r.at] != '"'; r.at++ {
		if r.data[r.at] == '\\' {
			r.at++
		}
	}
	r.at = min(r.at+1, len(r.data))
	var text string
	if err := json.Unmarshal(r.data[start-1:r.at], &text); err != nil {
		r.fail("a string")
	}
	return []byte(text)
}

func (r *reader) string() string { return string(r.text()) }

// isNull steps over `null` and returns true if it is next.
func (r *reader) isNull() bool {
	if r.next() == 'n' {
		r.word("null")
		return true
	}
	return false
}

func (r *reader) stringOrNull() *string {
	if r.isNull() {
		return nil
	}
	text := r.string()
	return &text
}

func (r *reader) word(word string) {
	if !bytes.HasPrefix(r.data[r.at:], []byte(word)) {
		r.fail(word)
		return
	}
	r.at += len(word)
}

func (r *reader) bool() bool {
	if r.next() == 't' {
		r.word("true")
		return true
	}
	r.word("false")
	return false
}

func (r *reader) int() int {
	r.next()
	start := r.at
	for r.at < len(r.data) && (r.data[r.at] == '-' || r.data[r.at] >= '0' && r.data[r.at] <= '9') {
		r.at++
	}
	number, err := strconv.Atoi(string(r.data[start:r.at]))
	if err != nil {
		r.fail("a whole number")
	}
	return number
}

// raw returns the text of a value.
func (r *reader) raw() []byte {
	r.next()
	start, depth := r.at, 0
	for r.err == nil {
		switch r.next() {
		case 0:
			r.fail("a value")
		case '"':
			r.text()
		case '{', '[':
			depth++
			r.at++
		case '}', ']':
			depth--
			r.at++
		case ',', ':':
			r.at++
		default:
			for r.at < len(r.data) && !bytes.ContainsRune([]byte(" \t\r\n,:]}[{\""), rune(r.data[r.at])) {
				r.at++
			}
		}
		if depth <= 0 {
			break
		}
	}
	return r.data[start:r.at]
}

// objects reads an object whose values the package does not interpret.
func (r *reader) objects() map[string]json.RawMessage {
	objects := map[string]json.RawMessage{}
	for key := range r.members() {
		objects[key] = bytes.Clone(r.raw())
	}
	return objects
}

// constant reads a constant.
func (r *reader) constant() Constant {
	var constant Constant
	if err := constant.UnmarshalJSON(r.raw()); err != nil {
		r.fail("a constant")
	}
	return constant
}

// kind returns the `kind` of the object that is next, which stays unread.
func (r *reader) kind() string {
	r.next()
	if rest, ok := bytes.CutPrefix(r.data[r.at:], []byte(`{"kind":"`)); ok {
		if kind, _, ok := bytes.Cut(rest[:min(len(rest), 64)], []byte(`"`)); ok {
			return string(kind)
		}
	}
	ahead := *r
	for key := range ahead.members() {
		if key == "kind" {
			return ahead.string()
		}
		ahead.raw()
	}
	return ""
}

// end fails unless nothing follows.
func (r *reader) end() error {
	if r.err == nil && r.next() != 0 {
		r.fail("the end")
	}
	return r.err
}
