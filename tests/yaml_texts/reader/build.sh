#!/usr/bin/env bash
# Builds the parser of Pulumi YAML, at the version that go.mod pins, as a command that says what it reads.
#
#     tests/yaml_texts/reader/build.sh CACHE
#
# It is kept below CACHE, in a file that is named after what it is built from, and whose path is printed. If it exists, nothing
# is built. The exit status is 3 where there is no Go, or where it cannot fetch modules.
set -euo pipefail
mkdir -p "$1"
cache=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"

unavailable() {
  echo "$1" >&2
  exit 3
}

key=$(cat build.sh go.mod go.sum main.go | sha256sum | cut -c 1-16)
reader=$cache/$key
if [ ! -x "$reader" ]; then
  draft=$(mktemp "$cache/draft.XXXXXX")
  trap 'rm -f "$draft"' EXIT
  command -v go >/dev/null || unavailable "Go is not installed"
  timeout 300 go mod download || unavailable "Go's module proxy is out of reach"
  go build -o "$draft" .
  # Only what is complete gets the name.
  mv "$draft" "$reader"
fi
echo "$reader"
