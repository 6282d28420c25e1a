#!/usr/bin/env python3
"""Writes a project in Go, and the places of SDKs that the thin host does not find.

    python3 tests/generated/local_sdks.py OUT COMMAND...

Runs the command, which writes a project to OUT. The SDK of a package that extends another one has
the name of the package as the path of its module, and not the path that programs import it by, so
the host does not know which module of `go.mod` it is.
"""

import pathlib
import re
import subprocess
import sys


def main():
    out, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    done = subprocess.run(command, check=False)
    if done.returncode:
        return done.returncode
    # The suite keeps SDKs beside its projects.
    places = [parent / "artifacts" for parent in out.resolve().parents]
    artifacts = next((place for place in places if place.is_dir()), None)
    required = re.findall(r"^\s+(\S+/pulumi-(\S+)/sdk/\S+) v", (out / "go.mod").read_text(), re.M)
    for path, name in required if artifacts else []:
        module = artifacts / name / "go.mod"
        if module.is_file() and module.read_text().startswith(f"module {name}\n"):
            edit = ["go", "mod", "edit", f"-replace={path}={module.parent}"]
            subprocess.run(edit, cwd=out, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
