package pcl

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
)

// schemaOf is a schema whose resource has a property that is named after the version.
func schemaOf(version string) []byte {
	property := "v" + strings.ReplaceAll(version, ".", "")
	return fmt.Appendf(nil, `{ "name": "zoo", "version": %q, "resources": { "zoo:index:Cage": {
		"inputProperties": { %q: { "type": "integer" } }, "requiredInputs": [%q] } } }`, version, property, property)
}

// propertyOf returns the required property of the schema that counts.
func propertyOf(t *testing.T, compiler *Compiler, version string) string {
	t.Helper()
	text := "resource cage \"zoo:index:Cage\" {\n}\n"
	if version != "" {
		text += fmt.Sprintf("package zoo {\n  baseProviderName = \"zoo\"\n  baseProviderVersion = %q\n}\n", version)
	}
	report, err := compiler.Check(t.Context(), Source(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range report.Diagnostics {
		if _, rest, ok := strings.Cut(diagnostic.Message, "`v"); ok {
			property, _, _ := strings.Cut(rest, "`")
			return property
		}
	}
	return strings.Join(codes(report.Diagnostics), " ")
}

func TestFilesHaveVersions(t *testing.T) {
	file := func(version string) *fstest.MapFile { return &fstest.MapFile{Data: schemaOf(version)} }
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(schemaOf("7.7.7"))
	_ = writer.Close()
	for name, test := range map[string]struct {
		files    []fstest.MapFS
		version  string
		expected string
	}{
		"the highest":         {[]fstest.MapFS{{"zoo-2.0.0.json": file("2.0.0"), "zoo-10.0.0.json": file("10.0.0")}}, "", "1000"},
		"that of the program": {[]fstest.MapFS{{"zoo-2.0.0.json": file("2.0.0"), "zoo-10.0.0.json": file("10.0.0")}}, "2.0.0", "200"},
		"none of the program": {[]fstest.MapFS{{"zoo-2.0.0.json": file("2.0.0")}}, "3.0.0", "PCL0408 PCL0507"},
		"the first place":     {[]fstest.MapFS{{"zoo-1.0.0.json": file("1.0.0")}, {"zoo-2.0.0.json": file("2.0.0")}}, "", "100"},
		"a version counts":    {[]fstest.MapFS{{"zoo.json": file("1.0.0")}, {"zoo-2.0.0.json": file("2.0.0")}}, "", "200"},
		"without a version":   {[]fstest.MapFS{{}, {"zoo.json": file("1.0.0")}}, "", "100"},
		"packed":              {[]fstest.MapFS{{"zoo-7.7.7.json.gz": {Data: packed.Bytes()}}}, "", "777"},
		"YAML": {[]fstest.MapFS{{"zoo.yaml": {Data: []byte("name: zoo\nresources:\n  zoo:index:Cage:\n" +
			"    inputProperties: { v5: { type: integer } }\n    requiredInputs: [v5]\n")}}}, "", "5"},
		"a directory": {[]fstest.MapFS{{"zoo-2.0.0.json/a": file("2.0.0")}}, "", "PCL0408"},
		"no schema":   {[]fstest.MapFS{{"zoo-2.0.0.json": {Data: []byte("{")}}}, "", "PCL0408"},
	} {
		t.Run(name, func(t *testing.T) {
			var options []Option
			for _, files := range test.files {
				options = append(options, WithSchemas(files))
			}
			if found := propertyOf(t, compilerWith(t, options...), test.version); found != test.expected {
				t.Errorf("%s instead of %s", found, test.expected)
			}
		})
	}
}

func TestLargeSchemasAreShared(t *testing.T) {
	large := append(append([]byte("{"), bytes.Repeat([]byte(" "), 64<<20)...), schemaOf("1.0.0")[1:]...)
	var count atomic.Int32
	compiler := compilerWith(t, WithInstances(4), WithLoader(LoaderFunc(
		func(context.Context, PackageRequest) ([]byte, error) { count.Add(1); return large, nil })))
	each(t, 8, func() error {
		if property := propertyOf(t, compiler, ""); property != "100" {
			return errors.New(property)
		}
		return nil
	})
	if count.Load() != 1 {
		t.Errorf("the loader was asked %d times", count.Load())
	}
	for _, instance := range compiler.pool.idle {
		if instance.size() > 32<<20 {
			t.Errorf("an instance has %d bytes", instance.size())
		}
	}
}

func TestLoadersAreAskedInTheirOrder(t *testing.T) {
	var asked []PackageRequest
	compiler := compilerWith(t,
		WithLoader(LoaderFunc(func(_ context.Context, request PackageRequest) ([]byte, error) {
			asked = append(asked, request)
			return nil, nil
		})),
		WithLoader(LoaderFunc(func(context.Context, PackageRequest) ([]byte, error) {
			return nil, fmt.Errorf("no such schema: %w", fs.ErrNotExist)
		})),
		WithLoader(LoaderFunc(func(context.Context, PackageRequest) ([]byte, error) { return schemaOf("3.0.0"), nil })),
		WithInstances(1))
	for range 2 {
		if found := propertyOf(t, compiler, ""); found != "300" {
			t.Error(found)
		}
	}
	if !slices.Equal(asked, []PackageRequest{{Name: "zoo", Plugin: "zoo"}}) {
		t.Errorf("%+v", asked)
	}
}

func TestFailuresOfLoadersAreErrors(t *testing.T) {
	broken := errors.New("the network is down")
	fails := true
	compiler := compilerWith(t, WithLoader(LoaderFunc(func(context.Context, PackageRequest) ([]byte, error) {
		if fails {
			return nil, broken
		}
		return schemaOf("1.0.0"), nil
	})), WithInstances(1))
	_, err := compiler.Check(t.Context(), Source(cage))
	var load *LoadError
	if !errors.Is(err, broken) || !errors.As(err, &load) || load.Package.Name != "zoo" {
		t.Errorf("%v", err)
	}
	// It is asked again.
	fails = false
	if found := propertyOf(t, compiler, ""); found != "100" {
		t.Error(found)
	}
	panics := compilerWith(t, WithLoader(LoaderFunc(func(context.Context, PackageRequest) ([]byte, error) { panic("oh no") })))
	_, err = panics.Check(t.Context(), Source(cage))
	if !errors.As(err, &load) || !strings.Contains(err.Error(), "oh no") {
		t.Errorf("%v", err)
	}
	if _, err := panics.Check(t.Context(), Source("a = 1\n")); err != nil {
		t.Error(err)
	}
}

func TestAMissingDirectoryIsNoMissingSchema(t *testing.T) {
	_, err := New(t.Context(), WithSchemas(fstest.MapFS{".": {Data: []byte("a file")}}), WithCacheDir(cacheDir))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestVersionsAreOrdered(t *testing.T) {
	ordered := []string{"", "1.0.0-alpha.1", "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-alpha.a", "1.0.0", "1.0.1+x", "1.2", "1.2.0", "1.10.0", "10.0.0"}
	for i, a := range ordered {
		for k, b := range ordered {
			if found := compareVersions(a, b); found != sign(i-k) {
				t.Errorf("%q and %q: %d", a, b, found)
			}
		}
	}
	if compareVersions("1.0.0+a", "1.0.0+b") != 0 {
		t.Error("the build counts")
	}
}

func sign(n int) int { return min(1, max(-1, n)) }
