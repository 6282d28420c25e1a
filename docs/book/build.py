#!/usr/bin/env python3
"""Builds the book, a static site with search, from the documents of the repository.

    python3 docs/book/build.py MDBOOK PCL OUT

The pages are `docs`, the language reference `tests/spec`, and one for each code, from
`pcl explain --all`: `codes/PCL0601.html`. A link to a file that is no page leads to the repository; paths of pages and
codes in the text become links.
`check.py` checks the result.
"""

import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REPOSITORY = re.search(r'^repository = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
FILES = f"{REPOSITORY}/blob/main/"

# The parts of the book with the files of their pages; a folder stands for all pages in it.
PARTS = {
    "Using pcl": [
        "docs/schemas.md",
        "docs/configuration.md",
        "docs/selection.md",
        "docs/fixes.md",
        "docs/adoption.md",
        "docs/automation.md",
        "docs/editors.md",
        "docs/agents.md",
        "docs/formats/README.md",
        "SECURITY.md",
    ],
    "Running programs": ["docs/running.md", "docs/plan.md", "docs/language-host.md", "docs/converting.md", "docs/state.md"],
    "The language": [
        "docs/language.md",
        "docs/from-terraform.md",
        "docs/from-pulumi-yaml.md",
        "docs/from-typescript.md",
        "docs/functions.md",
        "docs/editions.md",
        "docs/differences.md",
        "tests/spec",
    ],
    "Embedding": ["docs/guide.md", "bindings/wasm/README.md", "bindings/python/README.md", "bindings/go/README.md", "generators/yaml/README.md"],
    "The project": ["CONTRIBUTING.md", "ARCHITECTURE.md", "docs/reference.md", "docs/performance.md", "docs/quality.md", "CHANGELOG.md"],
}

# The groups of codes, each with the first number that it may have.
BANDS = {
    0: "Files and encoding",
    100: "Syntax",
    170: "Notation of other languages",
    200: "Names and blocks",
    300: "Types",
    400: "Resources and schemas",
    450: "Mistakes in package schemas",
    500: "Components and packages",
    600: "Functions and invokes",
    700: "Lints",
    800: "Releases of Pulumi",
    900: "Bugs of pcl",
    1000: "Programs that run",
    1100: "States of stacks",
    1200: "Conversion to other languages",
}

# In the prose of a file: a heading, the target of a link, with its text if that is a path, a path in code, other code, and the
# code of a diagnostic.
PROSE = re.compile(
    r"^#.*$|(?:\[`?(?P<text>[\w./-]+\.md|[\w./-]+/[\w./-]+)`?)?\]\((?P<target>[^)\s]+)\)|(?<!\[)`(?P<name>[\w./-]+\.md(?:#[\w-]+)?)`|`[^`]*`|\b(?P<code>PCL\d{4})\b",
    re.MULTILINE,
)


def title(text, path):
    """The title of a page; one of the reference is named after its file as well."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    if not found:
        sys.exit(f"{path} has no title")
    return found[1].replace("`", "")


def page_of(path):
    """The place of a file in the book."""
    if path == "README.md":
        return "index.md"
    short = path.removeprefix("docs/").replace("tests/spec/", "reference/")
    return posixpath.join(posixpath.dirname(short), posixpath.basename(short).replace("README.md", "index.md")).lower()


class Book:
    def __init__(self, source):
        self.source = source
        self.pages = {"README.md": "index.md"}
        # The pages of folders, which lead to those of their files.
        self.folders = {}
        self.pictures = set()

    def add(self, path):
        self.pages[path] = page_of(path)
        if path.endswith("/README.md"):
            self.folders[posixpath.dirname(path)] = page_of(path)

    def link(self, path, target):
        """The target of a link in a file, as a link in the book."""
        if re.match(r"[a-z]+:|#", target) and not target.startswith("crate::"):
            return target
        if target.startswith("crate::"):
            return "https://docs.rs/pcl-library/latest/pcl/?search=" + target.split("::")[-1]
        file, hash_, anchor = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if not (ROOT / file).exists():
            sys.exit(f"{path}: there is no {file}")
        if file in self.pages or file in self.folders:
            to = self.pages.get(file) or self.folders[file]
        elif file.endswith((".svg", ".png")):
            self.pictures.add(file)
            to = file.removeprefix("docs/")
        else:
            return FILES + file + hash_ + anchor
        return posixpath.relpath(to, posixpath.dirname(self.pages[path]) or ".") + hash_ + anchor

    def translated(self, path, text):
        """The text of a file as a page: links lead to pages, and blocks have a language only."""
        parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
        for at, part in enumerate(parts):
            if at % 2:
                parts[at] = self.block(part, path)
            else:
                parts[at] = PROSE.sub(lambda found: self.linked(path, found), part)
        text = "".join(parts)
        if path.startswith("tests/spec/") and path != "tests/spec/README.md":
            heading, rest = text.split("\n", 1)
            legend = "*The comments behind the programs are [marks](../index.md): they say what `pcl` reports.*"
            text = f"{heading}\n\n{legend}\n{rest}"
        return text

    def linked(self, path, found):
        """A part of the prose of a file with its link."""
        target, name, code = found["target"], found["name"], found["code"]
        if target:
            text, link = found["text"], self.link(path, target)
            if text:
                # Readers of the book have no files: a page is called by its title.
                file = posixpath.normpath(posixpath.join(posixpath.dirname(path), target.partition("#")[0]))
                name = title((ROOT / file).read_text(), file) if file in self.pages else text
                return f"[{name}]({link})"
            return f"]({link})"
        folder = posixpath.dirname(self.pages[path]) or "."
        if code:
            return f"[{code}]({posixpath.relpath(f'codes/{code}.md', folder)})"
        if name:
            file, hash_, anchor = name.partition("#")
            if file in self.pages and file != path:
                return f"[`{name}`]({posixpath.relpath(self.pages[file], folder)}{hash_}{anchor})"
        return found[0]

    @staticmethod
    def block(text, path):
        """A fenced block. The words after its language become a caption."""
        first, rest = text.split("\n", 1)
        indent, info = first[: first.index("`")], first.strip(" `")
        language, _, more = info.partition(" ")
        if path == "docs/guide.md":
            # Rust hides the lines that begin with `# `; mdBook would offer to run the others.
            language = "rust,noplayground" if language in ("", "no_run") else language
        caption = " ".join(word.removeprefix("file=") for word in more.split())
        caption = f"{indent}*{caption}*\n\n" if caption else ""
        return f"{caption}{indent}```{language}\n{rest}"

    def write(self, page, text):
        place = self.source / page
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def copy(self, path):
        text = (ROOT / path).read_text()
        self.write(self.pages[path], self.translated(path, text))
        return title(text, path)


def codes(pcl):
    """The pages about codes: number, name and text of each."""
    said = subprocess.run([pcl, "explain", "--all"], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^## (PCL\d{4}) (\S+)$", said, flags=re.MULTILINE)
    for number, name, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        # The functions follow the last code.
        yield number, name, re.split(r"^# ", text, flags=re.MULTILINE)[0]


def captioned(text):
    """The page of a code whose blocks have captions: names of files, flags of the command. Other codes are links."""
    text = re.sub(r"(?<=\()PCL\d{4}(?=\))", r"[\g<0>](\g<0>.md)", text)
    several = " file=" in text

    def fence(found):
        language, words = found[1], (found[2] or "").split()
        captions = [f"`{file}`" for word in words if (file := word.removeprefix("file=")) != word]
        captions += [f"`--{word.replace('=', ' ', 1)}`" for word in words if "=" in word and not word.startswith("file=")]
        if "no-final-newline" in words:
            captions.append("Without a newline at the end")
        if several and language == "pcl" and not captions:
            captions.append("`main.pp`")
        return f"{', '.join(captions)}:\n\n```{language}" if captions else f"```{language}"

    return re.sub(r"^```(\w+)(?: (.*))?$", fence, text, flags=re.MULTILINE)


def files_of(entry):
    """The files of an entry of a part, by folder."""
    folder = ROOT / entry
    if not folder.is_dir():
        return {"": [entry]}
    found = {"": [f"{entry}/README.md"]}
    for inner in sorted(it for it in folder.iterdir() if it.is_dir()):
        found[inner.name] = sorted(str(it.relative_to(ROOT)) for it in inner.glob("*.md"))
    return found


def write_pages(source, pcl):
    book = Book(source)
    for entries in PARTS.values():
        for entry in entries:
            for folder, files in files_of(entry).items():
                if folder:
                    book.folders[f"{entry}/{folder}"] = f"reference/{folder}/index.md"
                for file in files:
                    book.add(file)
    summary = ["# Summary", "", "[pcl](index.md)"]
    book.copy("README.md")
    for part, entries in PARTS.items():
        summary += ["", f"# {part}", ""]
        for entry in entries:
            for folder, files in files_of(entry).items():
                if folder:
                    # A folder has a page of its own, which lists what is in it.
                    page = f"reference/{folder}/index.md"
                    listed = []
                    for file in files:
                        name = title((ROOT / file).read_text(), file)
                        listed.append(f"- [{name}]({posixpath.basename(file)})")
                    book.write(page, f"# {folder.capitalize()}\n\n" + "\n".join(listed) + "\n")
                    summary.append(f"  - [{folder.capitalize()}]({page})")
                for file in files:
                    name = book.copy(file)
                    summary.append(f"{'    ' if folder else ''}- [{name}]({book.pages[file]})")
    summary += ["", "# Codes", "", "- [All codes](codes/index.md)"]
    listed = ["# All codes", "", "`pcl explain CODE` prints these pages too."]
    bands = list(BANDS.items())
    for number, name, text in codes(pcl):
        while bands and bands[0][0] <= int(number.removeprefix("PCL")):
            listed += ["", f"## {bands.pop(0)[1]}", "", "| code | name | meaning |", "|---|---|---|"]
        book.write(f"codes/{number}.md", f"# {number} {name}\n{captioned(text)}")
        first = text.strip().split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        listed.append(f"| [{number}]({number}.md) | `{name}` | {first} |")
        summary.append(f"  - [{number} {name}](codes/{number}.md)")
    book.write("codes/index.md", "\n".join(listed) + "\n")
    book.write("SUMMARY.md", "\n".join(summary) + "\n")
    for picture in book.pictures:
        place = source / picture.removeprefix("docs/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / picture, place)


def main():
    mdbook, pcl, out = (os.path.abspath(word) for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ["book.toml", "pcl.js", "pcl.css"]:
            shutil.copy(HERE / name, folder / name)
        write_pages(folder / "src", pcl)
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([mdbook, "build", folder, "--dest-dir", out], check=True)


main()
