package pcl

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// The names of the host module and of its function, and those of the exports.
const (
	hostModule = "pcl"
	hostLoad   = "load_schema"
	hostRead   = "read_schema"

	exportAllocate  = "pcl_allocate"
	exportFree      = "pcl_free"
	exportCall      = "pcl_call"
	exportLastPanic = "pcl_last_panic"
)

// An instance is a WebAssembly module with its memory. It serves one call at a time.
type instance struct {
	module    api.Module
	allocate  api.Function
	free      api.Function
	call      api.Function
	lastPanic api.Function
}

// callKey is the key of the state of a call in the context that host functions get.
type callKey struct{}

// callState has the schemas of a call, and the first error of loading one.
type callState struct {
	documents *documents
	err       error
}

func newInstance(ctx context.Context, runtime wazero.Runtime, compiled wazero.CompiledModule) (*instance, error) {
	// Without a name, any number of them fit into a runtime.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions()
	module, err := runtime.InstantiateModule(ctx, compiled, config)
	if err != nil {
		return nil, fmt.Errorf("pcl: instantiating the module: %w", err)
	}
	return &instance{
		module:    module,
		allocate:  module.ExportedFunction(exportAllocate),
		free:      module.ExportedFunction(exportFree),
		call:      module.ExportedFunction(exportCall),
		lastPanic: module.ExportedFunction(exportLastPanic),
	}, nil
}

// size returns the number of bytes of the memory.
func (i *instance) size() uint64 { return uint64(i.module.Memory().Size()) }

func (i *instance) close() {
	// The memory is freed in any case; there is nothing else that could fail.
	_ = i.module.Close(context.Background())
}

// answer answers a request. An error that is neither ErrInvalid nor a LoadError means that the
// instance must not be used any more.
func (i *instance) answer(ctx context.Context, documents *documents, request []byte) ([]byte, error) {
	state := &callState{documents: documents}
	ctx = context.WithValue(ctx, callKey{}, state)
	address, err := put(ctx, i.module, request)
	if err != nil {
		return nil, i.crash(ctx, err)
	}
	results, err := i.call.Call(ctx, uint64(address), uint64(len(request)))
	if err != nil {
		return nil, i.crash(ctx, err)
	}
	address, length := unpack(results[0])
	shared, ok := i.module.Memory().Read(address, length)
	if !ok || length == 0 {
		return nil, &CrashError{Err: errors.New("the answer is not in the memory of the module")}
	}
	status, answer := shared[0], append([]byte(nil), shared[1:]...)
	if _, err := i.free.Call(ctx, uint64(address), uint64(length)); err != nil {
		return nil, i.crash(ctx, err)
	}
	switch {
	case state.err != nil:
		return nil, state.err
	case status != 0:
		return nil, invalid(string(answer))
	}
	return answer, nil
}

// crash is the error for a trap.
func (i *instance) crash(ctx context.Context, err error) error {
	crash := &CrashError{Err: err}
	// A module that trapped may still say why; if it cannot, there is no message.
	if results, err := i.lastPanic.Call(context.WithoutCancel(ctx)); err == nil {
		if message, ok := i.module.Memory().Read(unpack(results[0])); ok {
			crash.Message = string(message)
		}
	}
	return crash
}

// put copies bytes into a new buffer of a module.
func put(ctx context.Context, module api.Module, content []byte) (uint32, error) {
	if uint64(len(content)) > 1<<31 {
		return 0, fmt.Errorf("%d bytes are more than a module can take", len(content))
	}
	results, err := module.ExportedFunction(exportAllocate).Call(ctx, uint64(len(content)))
	if err != nil {
		return 0, err
	}
	address := uint32(results[0])
	if address == 0 || !module.Memory().Write(address, content) {
		return 0, fmt.Errorf("there is no memory for %d bytes", len(content))
	}
	return address, nil
}

// unpack splits the address and the length of a buffer.
func unpack(packed uint64) (address, length uint32) {
	return uint32(packed >> 32), uint32(packed)
}

// loadSchema is a function of the host: it gets the address and the length of a request, and
// returns the number and the length of a document, or 0.
func loadSchema(ctx context.Context, module api.Module, stack []uint64) {
	text, ok := module.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	stack[0] = 0
	state, _ := ctx.Value(callKey{}).(*callState)
	if state == nil || state.err != nil {
		return
	}
	var request PackageRequest
	if err := json.Unmarshal(text, &request); err != nil || !ok {
		state.err = &CrashError{Message: "a request for a package is not JSON", Err: err}
		return
	}
	number, length, err := state.documents.find(ctx, request)
	if err != nil {
		state.err = &LoadError{Package: request, Err: err}
		return
	}
	stack[0] = uint64(number)<<32 | uint64(length)
}

// readSchema is a function of the host: it gets the number of a document, a place in it, and the
// address and the length of a buffer, and returns the number of bytes that it copies there.
func readSchema(ctx context.Context, module api.Module, stack []uint64) {
	number, at, address, length := uint32(stack[0]), stack[1]&0xffffffff, uint32(stack[2]), uint32(stack[3])
	stack[0] = 0
	state, _ := ctx.Value(callKey{}).(*callState)
	buffer, ok := module.Memory().Read(address, length)
	if state == nil || !ok {
		return
	}
	if document := state.documents.text(number); at <= uint64(len(document)) {
		stack[0] = uint64(copy(buffer, document[at:]))
	}
}

// encode returns a request: the length of the header, the header, and the contents of the files.
func encode(header any, contents [][]byte) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, invalid(err.Error())
	}
	size := 4 + len(text)
	for _, content := range contents {
		size += len(content)
	}
	request := make([]byte, 0, size)
	request = binary.LittleEndian.AppendUint32(request, uint32(len(text)))
	request = append(request, text...)
	for _, content := range contents {
		request = append(request, content...)
	}
	return request, nil
}
