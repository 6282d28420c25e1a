package pcl

// The module is built, not part of the source tree: where `pcl.wasm` is missing, run
// `packaging/go/build.sh --here` of the repository first. The released module has it.

import _ "embed"

//go:embed pcl.wasm
var module []byte
