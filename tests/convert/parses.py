#!/usr/bin/env python3
"""The law of every target: the text of a conversion parses in its language, whatever the program.

    python3 tests/convert/parses.py PCL SHARED MODULES [--java JARS] [--java-layout] [--seed N]
        [--mutants N]

Converts the programs of the repository and those of the corpora in SHARED to all languages in one
batch, and programs with odd names and texts in them, from a seed. Python parses the texts in Python
and JSON, `gofmt`, which must not change the layout, those in Go, and `javac` those in Java. With
`--java-layout`, google-java-format must not change that of texts in Java either. The packages `typescript` and `js-yaml` in MODULES parse the others. A file
that the program does not make, such as `package.json` or `pom.xml`, is parsed as well. Where there
is no Go, or no directory of jars for Java (tests/java/pom.xml), its texts are left out, with a
word.
"""

import argparse
import ast
import collections
import gzip
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LANGUAGES = "go,java,json,python,typescript,yaml"

# Texts that mean something in one of the languages.
ODD = [
    "\\n", "\\\"", "\\\\", "*/", "/*", "//", "#", "'''", "\\\"\\\"\\\"", "`", "$${x}", "%%{x}", "{x}",
    "\\u2028", "\\u0000", "\\u001b", "\\ufeff", "é", "𝒳", "\\t", ": ", "- ", "&a", "*a", "!!str",
    "${pulumi.cwd}", "yes", "null", "0x10", "1e9", "~", "@", "|", ">", "%", "---", "...", "\\r",
]  # fmt: skip
# Words that a language reserves, or that generated programs use themselves.
NAMES = [
    "class", "def", "lambda", "import", "await", "yield", "delete", "new", "function", "pulumi",
    "config", "self", "None", "True", "print", "str", "arguments", "eval", "async", "package",
    "typeof", "void", "with", "exec", "nonlocal", "global", "enum", "interface", "args", "opts",
    "func", "range", "chan", "any", "len", "string", "err", "ctx", "fmt", "nil", "cfg", "component",
    "name", "type", "id", "urn", "resources", "variables", "outputs", "fn", "output", "apply",
    "final", "Output", "Map", "List", "String", "App", "stack", "var", "record", "getClass", "notify",
]  # fmt: skip


def repository():
    """The programs of the repository: those of the corpus, and the examples of the pages."""
    for kind in ("valid", "broken"):
        for directory in sorted((ROOT / "corpus" / kind).iterdir()):
            files = {}
            for path in sorted(directory.rglob("*.pp")):
                text = path.read_bytes().decode("utf-8", "replace")
                files[path.relative_to(directory).as_posix()] = text
            if files:
                yield f"corpus/{kind}/{directory.name}", files
    for page in sorted((ROOT / "tests/spec").rglob("*.md")):
        text = page.read_text()
        schemas = re.findall(r"```json file=schemas/\S+\n(.*?)```", text, re.S)
        for number, program in enumerate(re.findall(r"```pcl\n(.*?)```", text, re.S)):
            name = f"{page.relative_to(ROOT).as_posix()}#{number}"
            yield name, {"main.pp": program}, [json.loads(schema) for schema in schemas]


def corpora(shared):
    """The examples and conformance programs of the corpora."""
    programs = shared / "corpus" / "programs"
    for path in sorted(programs.glob("examples/*/*.pp")):
        if path.is_file():
            yield f"examples/{path.parent.name}/{path.stem}", {"main.pp": path.read_text()}
        else:
            files = {it.name: it.read_text() for it in sorted(path.glob("*.pp"))}
            yield f"examples/{path.parent.name}/{path.stem}", files


def mutant(files, randomness):
    """The program with odd texts in its strings, and other names for what it declares."""
    changed = {}
    renamed = {}
    for path, text in files.items():
        for name in re.findall(r"^(?:resource|config|output) \"?(\w+)\"?", text, re.M):
            if randomness.random() < 0.5:
                renamed[name] = randomness.choice(NAMES)
    for path, text in files.items():
        for old, new in renamed.items():
            text = re.sub(rf"(?<![.\w\"]){old}\b(?!\s*=[^=])", new, text)

        def string(match):
            if randomness.random() < 0.3 and ":" not in match.group(1):
                return f'"{match.group(1)}{randomness.choice(ODD)}"'
            return match.group(0)

        changed[path] = re.sub(r'(?<== )"([^"\\\n]*)"', string, text)
    return changed


def programs(shared, seed, mutants):
    """All programs as lines of a batch."""
    randomness = random.Random(seed)
    own = [program if len(program) == 3 else (*program, []) for program in repository()]
    found = own + [(*program, []) for program in corpora(shared)]
    chosen = [randomness.choice(found) for _ in range(mutants)]
    for number, (name, files, schemas) in enumerate(chosen):
        found.append((f"mutant {number} of {name}", mutant(files, randomness), schemas))
    for name, files, schemas in found:
        program = {"id": name, "files": files, "schemas": schemas, "name": "example"}
        yield json.dumps(program)


def is_python(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        return str(error)
    return None


def is_json(text):
    try:
        json.loads(text)
    except ValueError as error:
        return str(error)
    return None


def is_xml(text):
    try:
        xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError as error:
        return str(error)
    return None


def java(jars, with_layout):
    """The command that parses texts in Java with the compiler's parser, and checks the layout."""
    path = [(jars / f"{name}.txt").read_text() for name in ("formatter", "classpath")]
    parts = ["api", "code", "file", "parser", "tree", "util"]
    opened = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{it}=ALL-UNNAMED" for it in parts]
    command = ["java", *opened, "-cp", os.pathsep.join(path), HERE / "Parses.java"]
    return [*command, "--layout"] if with_layout else command


def parsed(command, texts, counts):
    """Gives texts to a program, which answers with those that do not parse."""
    done = subprocess.run(command, input="\n".join(texts).encode(), capture_output=True, check=True)
    counts["texts"] += len(texts)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pcl")
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("modules", type=pathlib.Path)
    parser.add_argument("--java", type=pathlib.Path, help="the jars that Java needs")
    parser.add_argument(
        "--java-layout", action="store_true", help="compare the layout with google-java-format's"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=3000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        unpack(arguments.shared / "corpus" / "schemas" / "providers", pathlib.Path(place))
        flags = ["--lenient", "--schema-dir", str(ROOT / "corpus/schemas"), "--schema-dir", place]
        command = [arguments.pcl, "convert", "--batch", "-", "--to", LANGUAGES, *flags]
        text = "\n".join(programs(arguments.shared, arguments.seed, arguments.mutants))
        done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    print(done.stderr.decode().strip())
    commands = {".ts": ["node", HERE / "parses.mjs", arguments.modules.resolve()]}
    commands[".yaml"] = commands[".ts"]
    if shutil.which("go"):
        commands[".go"] = ["go", "run", HERE / "parses.go"]
    if arguments.java:
        commands[".java"] = java(arguments.java, arguments.java_layout)
    check(done.stdout, commands)


def unpack(packed, place):
    """Unpacks the schemas of a directory."""
    for path in packed.glob("*.json.gz"):
        (place / path.stem).write_bytes(gzip.decompress(path.read_bytes()))


PARSERS = {".py": is_python, ".json": is_json, ".xml": is_xml}


def check(records, commands):
    """Parses the texts of all records. The commands, by the ends of paths, parse those that Python
    does not."""
    counts = collections.Counter()
    wrong, texts = [], collections.defaultdict(list)
    for line in records.splitlines():
        record = json.loads(line)
        counts[record["severity"]] += 1
        if record["severity"] == "fatal":
            wrong.append((record["id"], record["diagnostics"][0]["message"]))
        for path, text in record["files"].items():
            name, end = f"{record['id']}: {path}", pathlib.PurePosixPath(path).suffix
            if end in PARSERS:
                counts["texts"] += 1
                if problem := PARSERS[end](text):
                    wrong.append((name, problem))
            elif end in (".ts", ".yaml", ".go", ".java"):
                texts[end].append(json.dumps([name, text]))
    for end, found in texts.items():
        if end in commands:
            wrong += parsed(commands[end], found, counts)
        else:
            print(f"nothing here parses the {len(found)} texts in {end}")
    print(dict(sorted(counts.items())))
    for name, problem in wrong[:20]:
        print(f"{name}: {problem}", file=sys.stderr)
    if wrong or not counts["success"]:
        sys.exit(f"{len(wrong)} texts do not parse, or pcl failed")


if __name__ == "__main__":
    main()
