#!/usr/bin/env bash
# Builds the parser of Pulumi YAML, at the version that go.mod pins, as a command that says what it reads.
#
#     tests/yaml_texts/reader/build.sh CACHE
#
# It is kept below CACHE, in a file that is named after what it is built from, and whose path is printed. If it exists, nothing
# is built. The exit status is 3 where there is no Go, or where it cannot fetch modules.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../support/go.sh" "$1"

reader=$(place_for main.go)
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
