#!/usr/bin/env bash
# Makes the module for Go, with the WebAssembly inside:
#
#     packaging/go/build.sh OUT            # the released module, in the new directory OUT
#     packaging/go/build.sh --here         # pcl.wasm in bindings/go, for its tests
#     packaging/go/build.sh --here --fast  # the same without optimization, in a minute
#
# The same sources and the same compiler give the same bytes, whatever the directories are called. The exit status is 3 where
# the compiler has no target wasm32-unknown-unknown.
set -euo pipefail

out='' here=false fast=false
for argument in "$@"; do
  case $argument in
    --here) here=true ;;
    --fast) fast=true ;;
    -*) echo "unknown option $argument" >&2 && exit 2 ;;
    *) out=$argument ;;
  esac
done
if [ "$here" = true ] && [ -n "$out" ] || [ "$here" = false ] && [ -z "$out" ]; then
  echo "usage: packaging/go/build.sh [--fast] OUT | --here" >&2
  exit 2
fi
[ -z "$out" ] || mkdir "$out"
[ -z "$out" ] || out=$(cd "$out" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}

[ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || {
  echo "run \`rustup target add wasm32-unknown-unknown\` first" >&2
  exit 3
}

separator=$'\x1f'
# The flags of bindings/npm/build.mjs: a fast build shares its crates.
flags=-Clink-arg=-zstack-size=4194304
# Most of a fast build are names for debuggers. These flags are for the last crate alone.
profile=dev folder=debug last=(-- -Clink-arg=--strip-debug)
if [ "$fast" = false ]; then
  profile=embedded folder=embedded last=()
  flags+=${separator}-Ctarget-feature=+simd128
  # Cargo names the files of the workspace by relative paths, and those of the registry by absolute ones.
  flags+=${separator}--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo
fi
CARGO_ENCODED_RUSTFLAGS=$flags cargo rustc --locked --quiet --package pcl-plain --lib --crate-type cdylib \
  --target wasm32-unknown-unknown --profile "$profile" "${last[@]}"
module=$target/wasm32-unknown-unknown/$folder/pcl_plain.wasm

if [ "$here" = true ]; then
  cp "$module" bindings/go/pcl.wasm
  exit
fi
(cd bindings/go && tar -cf - --exclude=./pcl.wasm --exclude=./.gitignore .) | tar -xf - -C "$out"
cp "$module" "$out/pcl.wasm"
cp LICENSES/Apache-2.0.txt "$out/LICENSE-APACHE"
cp LICENSES/MIT.txt "$out/LICENSE-MIT"
sha256sum "$out/pcl.wasm"
