# For the scripts that build Go programs which tests run, and keep them in a cache. They source it with the path of the cache,
# and are in their own directory afterwards. $pins is the directory of the go.mod that counts, if it is another one.

mkdir -p "$1"
cache=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[1]}")"

# Ends the script where something is missing that is no fault of the tests.
unavailable() {
  echo "$1" >&2
  exit 3
}

# The place in the cache of what is built from files in this directory.
place_for() {
  echo "$cache/$(cat build.sh "${pins:-.}"/go.{mod,sum} "$@" | sha256sum | cut -c 1-16)"
}

# Ends the script unless Go has the modules of packages, or can fetch modules: one small one, outside of any other and into an
# empty cache below $draft, shows that.
require_modules() {
  command -v go >/dev/null || unavailable "Go is not installed"
  GOPROXY=off go list -deps "$@" >/dev/null 2>&1 ||
    (cd "$draft" && GOMODCACHE=$draft/modules GOFLAGS=-modcacherw timeout 60 go mod download gopkg.in/yaml.v3@v3.0.1) ||
    unavailable "Go's module proxy is out of reach"
  rm -rf "$draft/modules"
}
