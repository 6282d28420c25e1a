#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets to fuzz/seeds, from the corpus and the programs of the pages.

`program/` holds one file for each program; NUL separates the files of a program. The packages and
components that a page gives its programs get names of their own, so that all of them can be there
at once: `schemas/` has the packages, `directory/` the components.
"""

import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEEDS = ROOT / "fuzz" / "seeds"
# Fewer than these mean that a source was not found.
LEAST = {"program": 600, "schema": 30, "schemas": 50}


def write(name, contents):
    path = SEEDS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(contents)


def blocks(page):
    """The fenced blocks of a page: language, file name or None, body."""
    pattern = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    for info, body in pattern.findall(page):
        words = info.split()
        file = next((word[5:] for word in words if word.startswith("file=")), None)
        yield words[0] if words else "", file, body


class Writer:
    """Collects programs, each with the files and packages that belong to it."""

    def __init__(self):
        self.programs = 0
        self.groups = 0

    def program(self, files, packages=()):
        """Writes a program of `files`, a dictionary; `packages` are pairs of name and new name."""
        self.programs += 1
        parts = {name.split("/")[0] for name in files if "/" in name}
        renamed = {part: f"{part}{self.programs}" for part in sorted(parts)}

        def rename(text):
            for part, new in renamed.items():
                text = re.sub(rf"(\./){re.escape(part)}\b", rf"\g<1>{new}", text)
            for package, new in packages:
                text = re.sub(rf"\b{re.escape(package)}\b", new, text)
            return text.encode(errors="surrogateescape")

        own = []
        for name, text in sorted(files.items()):
            if "/" in name:
                part, rest = name.split("/", 1)
                write(f"directory/{renamed[part]}/{rest}", rename(text))
            elif name.endswith(".pp"):
                own.append(rename(text))
        seed = b"\0".join(own)
        number = f"{self.programs:04}"
        write(f"program/{number}", seed)
        if len(own) != 1:
            return
        write(f"parse/{number}", seed)
        write(f"oracle/{number}", seed)

    def page(self, path):
        files, schemas = {}, {}
        for language, file, body in blocks(path.read_text()):
            if language == "json" and file:
                schemas[file] = body
                self.groups += 1
            elif language == "json":
                write(f"schema/{path.stem}-{self.groups}-{len(body)}", body.encode())
            elif language == "pcl" and file:
                files[file] = body
            elif language == "pcl":
                files["main.pp"] = body
                self.program(files, self.packages(schemas))
                files = {}

    def packages(self, schemas):
        """Writes the packages under names of their own; pairs of name and new name."""
        names = set()
        for body in schemas.values():
            try:
                names.add(json.loads(body)["name"])
            except (ValueError, KeyError, TypeError):
                continue
        pairs = [(name, f"{name}{self.groups}") for name in sorted(names)]
        for file, body in schemas.items():
            for name, new in pairs:
                body = re.sub(rf"\b{re.escape(name)}\b", new, body)
            write(f"schemas/{self.groups}-{file.split('/')[-1]}", body.encode())
            write(f"schema/{self.groups}-{file.split('/')[-1]}", body.encode())
        return pairs


def main():
    shutil.rmtree(SEEDS, ignore_errors=True)
    writer = Writer()
    for kind in ("valid", "broken"):
        for directory in sorted((ROOT / "corpus" / kind).iterdir()):
            files = {
                path.relative_to(directory).as_posix(): path.read_bytes().decode(errors="surrogateescape")
                for path in sorted(directory.rglob("*.pp"))
            }
            if files:
                writer.program(files)
    for path in sorted((ROOT / "corpus" / "schemas").iterdir()):
        write(f"schemas/{path.name}", path.read_bytes())
        write(f"schema/{path.name}", path.read_bytes())
    pages = sorted((ROOT / "tests" / "spec").rglob("*.md"))
    pages += sorted((ROOT / "diagnostics" / "pages").rglob("*.md"))
    for path in pages:
        writer.page(path)
    for name, least in LEAST.items():
        count = sum(1 for _ in (SEEDS / name).iterdir()) if (SEEDS / name).is_dir() else 0
        print(f"{count} seeds in {name}")
        if count < least:
            sys.exit(f"error: {name} has {count} seeds, expected at least {least}")


main()
