#!/usr/bin/env python3
"""Packs a generated SDK for Java as `pack.py` of the shared directory does, or takes what an
earlier run has made of the same text.

    python3 tests/generated/java_pack.py PACK CACHE PACKAGE DESTINATION

An SDK goes to a repository below DESTINATION, and is compiled with those that are there.
"""

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main(pack, cache, package, destination):
    package, repository = pathlib.Path(package), pathlib.Path(destination, "repo").absolute()
    command = [sys.executable, pack, package]
    if (package / "core").exists():
        return subprocess.run([*command, destination], check=False).returncode
    kept = pathlib.Path(cache, digest(pathlib.Path(pack), package, repository))
    if not kept.exists():
        with tempfile.TemporaryDirectory(prefix="draft-", dir=cache) as draft:
            draft = pathlib.Path(draft, "result")
            draft.mkdir()
            if repository.exists():
                shutil.copytree(repository, draft / "repo")
            before = [path for path in draft.rglob("*") if path.is_file()]
            done = subprocess.run([*command, draft], stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode:
                return done.returncode
            for path in before:
                path.unlink()
            (draft / "artifact").write_text(done.stdout.strip().rsplit(":", 1)[0])
            # Another test may have been faster, with the same result.
            with contextlib.suppress(OSError):
                draft.rename(kept)
    shutil.copytree(kept / "repo", repository, dirs_exist_ok=True)
    print(f"{(kept / 'artifact').read_text()}:{repository}")
    return 0


def digest(pack, package, repository):
    """The name of a result in the cache, after all that it is made of."""
    state = hashlib.sha256(pack.read_bytes())
    state.update(pathlib.Path(os.environ["JAVA_CLASSPATH_FILE"]).read_bytes())
    for root in (package, repository):
        for path in sorted(root.rglob("*")):
            if path.is_file():
                text = path.read_bytes()
                state.update(f"{path.relative_to(root)} {len(text)}\n".encode() + text)
    return state.hexdigest()[:32]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
