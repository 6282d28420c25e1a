#!/usr/bin/env bash
# The first hour of a new user: the commands of the README in a home directory without anything, with Rust alone on PATH.
#
#     .ci/first_hour.sh SHARED
#
# SHARED is the directory of the shared corpus; without it, the part with a published schema is skipped.
set -euo pipefail

shared=$(realpath -m "$1")
checkout=$PWD
rust=$(dirname "$(rustup which cargo)")
# Only what is built and downloaded is kept from one run to the next.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$checkout/target}
HOME=$(mktemp -d)
trap 'rm -rf "$HOME"' EXIT
export HOME PATH=$rust:/usr/bin:/bin
unset PULUMI_HOME PCL_CACHE_DIR XDG_CACHE_HOME XDG_CONFIG_HOME
if command -v pulumi; then
  echo "there is a pulumi on PATH"
  exit 1
fi

# Runs a command, and compares its status with an expected one.
expect() {
  local expected=$1 status=0
  shift
  echo "\$ $*"
  "$@" || status=$?
  if [ "$status" -ne "$expected" ]; then
    echo "status $status, expected $expected"
    exit 1
  fi
}

# "Try it" of the README, in the release build, which the steps before this one have made.
expect 0 cargo run --release --locked -- check --schema-dir corpus/schemas corpus/valid/webserver
expect 1 cargo run --release --locked -- check --schema-dir corpus/schemas corpus/broken/webserver
pcl() { "$CARGO_TARGET_DIR/release/pcl" "$@"; }

cd "$HOME"
expect 0 pcl new random demo
cd demo
expect 0 pcl check
expect 0 pcl fmt --check
expect 0 pcl preview
expect 2 pcl new random

# A program of one's own, with the schema of a provider that comes from a file.
expect 2 pcl schema add tls
schemas=$shared/corpus/schemas/providers
if [ ! -d "$schemas" ]; then
  echo "skipped: there are no schemas at $schemas"
  exit
fi
cat >main.pp <<'END'
resource key "tls:PrivateKey" {
  algorithm = "ED25519"
}

resource certificate "tls:SelfSignedCert" {
  privateKeyPem       = key.privateKeyPem
  validityPeriodHours = 24
  allowedUses         = ["server_auth"]
}

output certificatePem {
  value = certificate.certPem
}
END
expect 1 pcl check
expect 0 pcl schema add tls --from "$schemas"
expect 0 pcl check
expect 0 pcl preview
sed -i 's/privateKeyPem  /privteKeyPem  /' main.pp
expect 1 pcl check
expect 0 pcl check --fix
expect 0 pcl check
