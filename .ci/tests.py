#!/usr/bin/env python3
"""Runs the tests of the workspace as `cargo test --workspace` does, but two programs at a time.

    python3 .ci/tests.py
    python3 .ci/tests.py PACKAGE TEST [ARGUMENT]...

Cargo runs one after another, and in many of them one test takes longest while the other core is
idle.

The second form runs one program of tests, with arguments. `cargo test -p PACKAGE --test TEST` would
build its dependencies again, with the features that this package alone asks for.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import tomllib

TARGETS = ["--workspace", "--locked"]


def built(*targets):
    """The programs of tests that cargo has built, with the directory of the package of each."""
    words = ["cargo", "test", "--no-run", *TARGETS, *targets]
    words += ["--message-format", "json-render-diagnostics"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    found = []
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["profile"]["test"]:
            if message["executable"]:
                place = pathlib.Path(message["manifest_path"]).parent
                found.append((message["executable"], place))
    return found


def run(program, place):
    """The status, the time and the output of a program of tests."""
    start = time.monotonic()
    environment = {**os.environ, "CARGO_MANIFEST_DIR": str(place)}
    done = subprocess.run(
        [program], cwd=place, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    return done.returncode, time.monotonic() - start, done.stdout


def run_one(package, test, *arguments):
    """Runs a program of tests by its name, and returns its status."""
    for program, place in built("--test", test):
        manifest = tomllib.loads((place / "Cargo.toml").read_text())
        if manifest["package"]["name"] == package:
            environment = {**os.environ, "CARGO_MANIFEST_DIR": str(place)}
            return subprocess.run([program, *arguments], cwd=place, env=environment).returncode
    sys.exit(f"{package} has no tests {test}")


def main():
    if len(sys.argv) > 1:
        sys.exit(run_one(*sys.argv[1:]))
    programs = built()
    failed = []
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        running = {threads.submit(run, *each): each[0] for each in programs}
        for future in concurrent.futures.as_completed(running):
            status, seconds, output = future.result()
            name = pathlib.Path(running[future]).name.rpartition("-")[0]
            lines = output.splitlines()
            summary = " ".join(line for line in lines if line.startswith("test result"))
            print(f"{seconds:6.1f}  {name}: {summary}", flush=True)
            for line in lines:
                if "skipped" in line:
                    print(f"        {line}", flush=True)
            if status != 0:
                print(output, flush=True)
                failed.append(name)
    if failed:
        sys.exit(f"these tests fail: {', '.join(failed)}")
    sys.exit(subprocess.run(["cargo", "test", "--doc", "--quiet", *TARGETS]).returncode)


if __name__ == "__main__":
    main()
