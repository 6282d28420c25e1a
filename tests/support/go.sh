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
