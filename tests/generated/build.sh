#!/usr/bin/env bash
# Builds the hosts that run generated programs: a thin one, whose sources are in the shared directory and link.go, and those of
# Pulumi for Java and for YAML, the latter with its converter to PCL. They are of the versions that ../engine/go.mod pins.
#
#     tests/generated/build.sh CACHE SHARED
#
# They are kept in a directory below CACHE that is named after what they are built from, and whose path is printed. If it
# exists, nothing is built. The exit status is 3 where there is no Go, or where it cannot fetch modules.
set -euo pipefail
shared=$(cd "$2" && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/../support/go.sh" "$1"

pins=../engine
thin=$shared/check/hosts/thin
hosts=$(place_for "$thin"/*.go link.go)
if [ ! -d "$hosts" ]; then
  draft=$(mktemp -d "$cache/draft.XXXXXX")
  trap 'rm -rf "$draft"' EXIT
  mkdir "$draft/thin"
  cp "$thin"/*.go link.go "$pins"/go.{mod,sum} "$draft/thin"
  chmod u+w "$draft"/thin/*
  yaml=github.com/pulumi/pulumi-yaml/cmd
  packages=("$yaml/pulumi-language-yaml" "$yaml/pulumi-converter-yaml")
  packages+=(github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java)
  cd "$draft/thin"
  require_modules . "${packages[@]}"
  go build -o ../thin-host .
  go build -o .. "${packages[@]}"
  # The SDK of Python in the exact version.
  sdk=github.com/pulumi/pulumi/sdk/v3
  cp -r "$(go list -m -f '{{.Dir}}' "$sdk")/python" ../python-sdk
  chmod -R u+w ../python-sdk
  go list -m -f '{{.Version}}' "$sdk" | tr -d v > ../python-sdk.version
  cd /
  rm -r "$draft/thin"

  # Only what is complete gets the name. If another build was faster, its result is as good.
  mv -T "$draft" "$hosts" 2>/dev/null || [ -d "$hosts" ]
fi
echo "$hosts"
