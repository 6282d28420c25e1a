// Reads JSON lines `[name, text]` and prints those that are no Go in the layout of gofmt, as their
// names, each with the error: go run parses.go < texts.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"strings"
)

// difference returns the first line that another layout has in another form.
func difference(text, formatted string) string {
	other := strings.Split(formatted, "\n")
	for number, line := range strings.Split(text, "\n") {
		if number >= len(other) || line != other[number] {
			return fmt.Sprintf("gofmt changes line %d: %q", number+1, line)
		}
	}
	return "gofmt adds lines"
}

func problem(text string) string {
	formatted, err := format.Source([]byte(text))
	switch {
	case err != nil:
		return err.Error()
	case string(formatted) != text:
		return difference(text, string(formatted))
	default:
		return ""
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<30)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var file [2]string
		if err := json.Unmarshal(lines.Bytes(), &file); err != nil {
			panic(err)
		}
		if found := problem(file[1]); found != "" {
			if err := out.Encode([2]string{file[0], found}); err != nil {
				panic(err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}
