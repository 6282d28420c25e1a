#!/usr/bin/env python3
"""Converts the examples in Pulumi YAML of the corpus to PCL and back to YAML, and compares the
programs.

    python3 tests/convert/yaml_back.py PCL SHARED [--count N] [--seed N] [--jobs N] [--show]

An example that is refused with a diagnostic, such as one with a name that nothing declares, is
counted and left out. Two programs are the same up to defaults: defaults, constants and secrets of
schemas, which PCL looks up and Pulumi YAML does not; names that PCL cannot have; the forms of tokens
and calls; texts that are numbers where the schema expects numbers and the other way around; sections
without entries. The exit status is 1 if fewer than 97 % are the same, if more than half is refused,
or if the command fails in another way.
"""

import argparse
import collections
import concurrent.futures
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "generated"))

from from_yaml import defaults, examples  # noqa: E402

# The sections of a program, which are all that Pulumi YAML reads of it.
SECTIONS = {"config", "configuration", "outputs", "pulumi", "resources", "variables"}

# How PCL spells names.
NAME = re.compile(r"[^\w]")


class Loader(yaml.CSafeLoader):
    """Reads as Pulumi YAML does: `on` is a text, and so are times of the day and dates."""


PLAIN = ("bool", "float", "int", "timestamp")
Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(PLAIN)]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}
for kind, pattern, first in (
    ("bool", "^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("int", "^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)$", "-+0123456789"),
    ("float", "^[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+.0123456789"),
):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(pattern), list(first))


def token(text):
    """A token in its shortest form; Pulumi YAML takes it in any case."""
    parts = text.lower().split(":")
    if len(parts) == 3:
        parts[1] = parts[1].split("/")[0]
        if parts[1] in ("index", ""):
            del parts[1]
    return ":".join(parts)


def same_form(value):
    """A value in one form of all that mean the same."""
    if isinstance(value, dict):
        entries = {key: same_form(each) for key, each in value.items()}
        if len(entries) == 1:
            [(key, inner)] = entries.items()
            if isinstance(key, str) and key.lower() == "fn::invoke" and isinstance(inner, dict):
                return call(inner)
            if isinstance(key, str) and re.fullmatch(r"fn::[^:]+:.+", key):
                return call({"function": key.removeprefix("fn::"), "arguments": inner})
        return {str(key): each for key, each in entries.items() if each is not None}
    if isinstance(value, list):
        return [same_form(each) for each in value]
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return f"{value:.15g}"
    if isinstance(value, str):
        number = re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", value)
        return f"{float(value):.15g}" if number else re.sub(r"\$\{([^}]*)\}", reference, value)
    return None if value is None else str(value)


def reference(match):
    """A reference in one form of all that mean the same."""
    path = re.sub(r'\["([^"]*)"\]', r".\1", match[1]).lstrip(".")
    name, *steps = path.split(".") if "[" not in path else [path]
    return "${" + ".".join([NAME.sub("_", name), *steps]) + "}"


def call(invoke):
    """A call of a function of a package."""
    fields = {key.lower(): value for key, value in invoke.items() if value not in (None, {})}
    fields["function"] = token(fields.get("function", ""))
    return {"fn::invoke": fields}


def program(text):
    """A program in one form of all that mean the same."""
    root = same_form(yaml.load(text, Loader=Loader)) or {}
    root = {key: value for key, value in root.items() if key in SECTIONS and value != {}}
    config = {**root.pop("configuration", {}), **root.pop("config", {})}
    if config:
        root["config"] = config
    for key, resource in root.get("resources", {}).items():
        if isinstance(resource, dict):
            resource.setdefault("name", key)
            resource["type"] = token(str(resource.get("type", "")))
            for key in ("properties", "options"):
                if resource.get(key) in ({}, None):
                    resource.pop(key, None)
    for section in ("resources", "variables"):
        if section in root:
            root[section] = {NAME.sub("_", key): each for key, each in root[section].items()}
    return root


def differences(first, second, known, place=""):
    """The places in which two values differ. `known` are the defaults of the schema."""
    if isinstance(second, dict) and second.keys() == {"fn::secret"} and first != second:
        if not (isinstance(first, dict) and first.keys() == {"fn::secret"}):
            second = second["fn::secret"]
    if isinstance(first, dict) and isinstance(second, dict):
        added = second.keys() - first.keys()
        second = {
            key: each
            for key, each in second.items()
            if key not in added or not isinstance(each, str) or (key, each) not in known
        }
        for key in sorted(first.keys() | second.keys()):
            yield from differences(first.get(key), second.get(key), known, f"{place}.{key}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for at, pair in enumerate(zip(first, second)):
            yield from differences(*pair, known, f"{place}[{at}]")
    elif first != second:
        yield f"{place}: {first!r} became {second!r}"


class Examples:
    def __init__(self, pcl, schemas, place):
        self.command = [pcl, "convert", "--schema-dir", schemas, "--isolated"]
        self.command += ["--output-format", "concise"]
        self.place = place

    def verdict(self, example):
        """The name, the state and the differences of an example."""
        name, text, known = example
        source, back = self.place / name, self.place / f"{name}-back"
        source.mkdir()
        head = "" if re.search(r"^name:", text, re.M) else "name: proj\n"
        head += "" if re.search(r"^runtime:", text, re.M) else "runtime: yaml\n"
        (source / "Pulumi.yaml").write_text(head + text)
        words = ["--from", "yaml", source, "--to", "yaml", "--out", back]
        ran = subprocess.run([*self.command, *words], capture_output=True, text=True)
        said = (ran.stdout + ran.stderr).replace(f"{self.place}/", "")
        if not back.exists():
            is_refused = ran.returncode == 1 and "error[PCL" in said
            return name, "refused" if is_refused else "failed", said.splitlines()
        texts = [path for path in (back / "Main.yaml", back / "Pulumi.yaml") if path.exists()]
        trees = [program(each) for each in (head + text, texts[0].read_text())]
        found = list(differences(*trees, known))
        if ran.returncode != 0:
            return name, "incomplete", said.splitlines() + found
        return name, "different" if found else "same", found


def main():
    here = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here.add_argument("pcl")
    here.add_argument("shared", type=pathlib.Path)
    here.add_argument("--count", type=int, help="the number of examples of each package")
    here.add_argument("--seed", type=int, default=1)
    here.add_argument("--jobs", type=int, default=2)
    here.add_argument("--show", action="store_true", help="print what is refused")
    options = here.parse_args()
    schemas = options.shared.resolve() / "corpus/schemas/providers"
    chosen = []
    for path in sorted(schemas.glob("*.json.gz")):
        schema = json.loads(gzip.decompress(path.read_bytes()))
        texts = list(enumerate(examples(schema)))
        if options.count is not None:
            count = min(options.count, len(texts))
            texts = sorted(random.Random(options.seed).sample(texts, count))
        bools = {"True": "true", "False": "false"}
        known = {(name, bools.get(text) or same_form(text)) for name, text in defaults(schema)}
        package = path.name.removesuffix(".json.gz")
        chosen += [(f"{package}-{at}", text, known) for at, text in texts]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        judge = Examples(options.pcl, schemas, pathlib.Path(place))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name, state, lines in pool.map(judge.verdict, chosen):
                counts[state] += 1
                if state != "same" and (state != "refused" or options.show):
                    print(f"{name}: {state}", *lines[:8], sep="\n  ", flush=True)
    converted = sum(counts.values()) - counts["refused"]
    share = counts["same"] / max(converted, 1)
    print(f"{dict(counts)}; {share:.2%} of {converted} come back the same")
    return 0 if share >= 0.97 and converted > counts["refused"] and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
