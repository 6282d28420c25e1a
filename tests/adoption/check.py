#!/usr/bin/env python3
"""Adopts a repository of the programs with mistakes in the shared directory with a baseline.

    python3 tests/adoption/check.py PCL SHARED

One command writes the baseline. After that the check passes, also when every line has moved, and a new mistake fails it.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def write_programs(place, data):
    """Writes a program for each mistake."""
    for case in data["mistakes"]:
        files = dict(data["programs"][case["program"]])
        files["main.pp"] = files["main.pp"].replace(case["old"], case["new"], 1)
        for name, text in files.items():
            path = place / case["id"] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


def main():
    pcl, shared = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    data = json.loads((shared / "review/mistakes.json").read_text())
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        write_programs(place, data)
        words = [pcl, "check", "-r", "--isolated", "--schema-dir", shared / "corpus/schemas/providers"]

        def check(expected, *flags):
            done = subprocess.run([*words, *flags], cwd=place, capture_output=True, text=True)
            print(done.stderr.strip())
            if done.returncode != expected:
                sys.exit(f"status {done.returncode}, expected {expected}:\n{done.stdout[-2000:]}")

        check(1)
        known = ["--baseline", "known.json"]
        check(0, *known, "--update-baseline")
        check(0, *known)
        programs = list(place.rglob("*.pp"))
        for path in programs:
            path.write_text("# A comment that moves every line.\n\n" + path.read_text())
        check(0, *known)
        first = programs[0]
        first.write_text(first.read_text() + "\noutput fresh {\n  value = unheard_of\n}\n")
        check(1, *known)


if __name__ == "__main__":
    main()
