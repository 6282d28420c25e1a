package pcl

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"unicode/utf8"
)

// A Program is a program in PCL, as the contents of its files.
type Program struct {
	// Files has the contents by path: relative, with slashes. The files of a directory whose names
	// end in .pp are one program, and those of other directories components. What a program reads
	// when it runs may be there too.
	Files map[string][]byte
	// Directory is the directory of the program; empty for the root.
	Directory string
	// Name is the name of the project that a conversion writes; "example" if it is empty.
	Name string
}

// Source returns the program of a text, the file main.pp.
func Source(text string) Program {
	return Program{Files: map[string][]byte{"main.pp": []byte(text)}}
}

// FromFS reads all files of a file system as a program.
func FromFS(files fs.FS) (Program, error) {
	program := Program{Files: map[string][]byte{}}
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		program.Files[path] = content
		return err
	})
	if err != nil {
		return Program{}, fmt.Errorf("pcl: reading the program: %w", err)
	}
	return program, nil
}

// header is the header of a request.
type header struct {
	Ask       any          `json:"ask"`
	Directory string       `json:"directory,omitempty"`
	Files     []fileHeader `json:"files,omitempty"`
}

type fileHeader struct {
	Path string `json:"path"`
	Size int    `json:"size"`
}

// request returns the request that asks something about a program.
func (p Program) request(ask any) ([]byte, error) {
	header := header{Ask: ask, Directory: p.Directory}
	contents := make([][]byte, 0, len(p.Files))
	for _, path := range slices.Sorted(maps.Keys(p.Files)) {
		if !utf8.ValidString(path) {
			return nil, invalid(fmt.Sprintf("the path %q is not UTF-8", path))
		}
		content := p.Files[path]
		header.Files = append(header.Files, fileHeader{Path: path, Size: len(content)})
		contents = append(contents, content)
	}
	return encode(header, contents)
}
