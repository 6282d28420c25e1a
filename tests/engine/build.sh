#!/usr/bin/env bash
# Builds the parts of Pulumi that the tests run against, at the version that go.mod pins: its conformance suite, its command,
# providers of the suite and one of ours as a plugin, and its generators of SDKs and of programs in Python.
#
#     tests/engine/build.sh CACHE [VERSION]
#
# VERSION names a directory that pins an older version, such as 3.259.
# They are kept in a directory below CACHE that is named after what they are built from, and whose path is printed. If it
# exists, nothing is built. The exit status is 3 where there is no Go, or where it cannot fetch modules.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../support/go.sh" "$1"

pins=${2:-.}
export GOFLAGS=-modfile=$PWD/$pins/go.mod
engine=$(place_for provider/{main.go,depot.go,depot.json} schemas/schemas.go sdk/main.go convert/main.go)
if [ ! -d "$engine" ]; then
  draft=$(mktemp -d "$cache/draft.XXXXXX")
  trap 'rm -rf "$draft"' EXIT

  pulumi=github.com/pulumi/pulumi
  module=$pulumi/pkg/v3
  packages=("$module/testing/pulumi-test-language" "$module/cmd/pulumi" ./provider ./sdk ./convert)
  require_modules "${packages[@]}"

  version=$(go list -m -f '{{.Version}}' "$module")
  go build -o "$draft/pulumi-test-language" "${packages[0]}"
  go build -o "$draft/pulumi" -ldflags "-X $pulumi/sdk/v3/go/common/version.Version=$version" "${packages[1]}"
  go build -o "$draft/pulumi-resource-simple" "${packages[2]}"
  go build -o "$draft/generate-sdks" "${packages[3]}"
  go build -o "$draft/convert-programs" "${packages[4]}"

  # A test of the suite downloads these two files; see web.py.
  testdata=$(go list -m -f '{{.Dir}}' "$module")/testing/pulumi-test-language/tests/testdata
  mkdir "$draft/web"
  install -m 644 "$testdata"/l2-resource-asset-archive/{test.txt,archive.tar} "$draft/web"

  # Only what is complete gets the name. If another build was faster, its result is as good.
  mv -T "$draft" "$engine" 2>/dev/null || [ -d "$engine" ]
fi
echo "$engine"
