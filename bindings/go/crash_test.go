package pcl

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// signed appends a number as WebAssembly writes signed ones.
func signed(code []byte, number int64) []byte {
	for {
		part := byte(number & 0x7f)
		number >>= 7
		if number == 0 && part&0x40 == 0 || number == -1 && part&0x40 != 0 {
			return append(code, part)
		}
		code = append(code, part|0x80)
	}
}

// sized returns a length and the bytes.
func sized(content ...byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(content))), content...)
}

// crashing is a module with the exports of pcl. It answers what it is; a check is a trap with a
// message, and the answer to a request to format lies outside of its memory.
func crashing() []byte {
	const i32, i64 = 0x7f, 0x7e
	const message, answer, buffer = 256, 512, 1024
	said, known := "oh no", "\x00{\"version\":\"1.2.3\",\"languages\":[]}"
	module := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, items ...[]byte) {
		content := binary.AppendUvarint(nil, uint64(len(items)))
		for _, item := range items {
			content = append(content, item...)
		}
		module = append(append(module, id), sized(content...)...)
	}
	section(1, []byte{0x60, 1, i32, 1, i32}, []byte{0x60, 2, i32, i32, 0}, []byte{0x60, 2, i32, i32, 1, i64}, []byte{0x60, 0, 1, i64})
	section(3, []byte{0}, []byte{1}, []byte{2}, []byte{3})
	section(5, []byte{0, 1})
	var exports [][]byte
	for i, name := range []string{exportAllocate, exportFree, exportCall, exportLastPanic} {
		exports = append(exports, append(sized([]byte(name)...), 0, byte(i)))
	}
	section(7, append(exports, append(sized([]byte("memory")...), 2, 0))...)
	body := func(code ...byte) []byte { return sized(append(append([]byte{0}, code...), 0x0b)...) }
	number := func(code []byte, address, length int) []byte {
		return signed(append(code, 0x42), int64(address)<<32|int64(length))
	}
	// The first letter of a question without options, behind the length and `{"ask":"`.
	const letter = 12
	question := func(first byte, then ...byte) []byte {
		code := []byte{0x20, 0, 0x2d, 0, letter}
		code = append(signed(append(code, 0x41), int64(first)), 0x46, 0x04, 0x40)
		return append(append(code, then...), 0x0b)
	}
	call := append(question('c', 0x00), question('f', append(signed([]byte{0x42}, -1), 0x0f)...)...)
	section(10,
		body(signed([]byte{0x41}, buffer)...),
		body(),
		body(number(call, answer, len(known))...),
		body(number(nil, message, len(said))...))
	data := func(address int64, content string) []byte {
		return append(append(signed([]byte{0, 0x41}, address), 0x0b), sized([]byte(content)...)...)
	}
	section(11, data(message, said), data(answer, known))
	return module
}

func TestCrashesAreErrorsAndInstancesAreReplaced(t *testing.T) {
	compiler, err := newCompiler(t.Context(), crashing(), []Option{WithInstances(1)})
	if err != nil {
		t.Fatal(err)
	}
	defer compiler.Close()
	if compiler.Version() != "1.2.3" {
		t.Error(compiler.Version())
	}
	first := compiler.pool.idle[0]
	for range 3 {
		_, err = compiler.Check(t.Context(), Source("a = 1\n"))
		var crash *CrashError
		if !errors.As(err, &crash) || crash.Message != "oh no" || !strings.Contains(crash.Err.Error(), "unreachable") {
			t.Errorf("%v", err)
		}
		if len(compiler.pool.idle) != 0 {
			t.Error("the instance is kept")
		}
		if _, err := compiler.Bind(t.Context(), Source("a = 1\n")); err != nil {
			t.Error(err)
		}
		if compiler.pool.idle[0] == first {
			t.Error("the instance is the same")
		}
	}
	var crash *CrashError
	if _, err := compiler.Format(t.Context(), []byte("a = 1\n")); !errors.As(err, &crash) || len(compiler.pool.idle) != 0 {
		t.Errorf("%v", err)
	}
}

func TestOtherModulesAreRefused(t *testing.T) {
	if _, err := newCompiler(t.Context(), []byte("no module"), nil); err == nil {
		t.Error("a text is a module")
	}
	if _, err := newCompiler(t.Context(), []byte("\x00asm\x01\x00\x00\x00"), nil); err == nil {
		t.Error("an empty module is taken")
	}
}
