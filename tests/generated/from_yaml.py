#!/usr/bin/env python3
"""Previews programs in Pulumi YAML with Pulumi's own host and providers that are made of schemas,
converts them to PCL, and compares what `pcl preview` says of the converted programs.

    PCL_ENGINE_DIR=... python3 tests/generated/from_yaml.py --hosts DIRECTORY --shared ../shared
        [--pcl target/release/pcl] [--count N] [--seed N]

The hosts are what build.sh makes. The programs are the examples in Pulumi YAML that the schemas of
the corpus have: N of each package. Each is judged with what it reaches of the schemas. Those that
Pulumi's host refuses are left out. The exit status is 1 if fewer than 99 % of the others register
the same. Three differences are the languages': PCL adds defaults of schemas, makes texts of numbers
and bools where the schema expects texts, and keeps secret what the schema says is secret inside of
an input.
"""

import argparse
import collections
import concurrent.futures
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

from preview import Judge, compare, resources, steps
from reached import reached


def examples(schema):
    """The examples in Pulumi YAML that the descriptions of a schema have, each once."""
    found = {}

    def visit(value):
        if isinstance(value, dict):
            for each in value.values():
                visit(each)
        elif isinstance(value, list):
            for each in value:
                visit(each)
        elif isinstance(value, str):
            found.update(dict.fromkeys(re.findall(r"```yaml\n(.*?)```", value, re.S)))

    visit(schema)
    return list(found)


def defaults(schema):
    """The names of the properties of a schema that have a default or are a constant, with that."""
    found = set()

    def visit(value):
        if isinstance(value, dict):
            for name, each in value.items():
                if isinstance(each, dict):
                    for key in ("const", "default"):
                        if isinstance(each.get(key), (bool, int, float, str)):
                            found.add((name, str(each[key])))
                visit(each)
        elif isinstance(value, list):
            for each in value:
                visit(each)

    visit(schema)
    return found


def alike(pcl, yaml, known):
    """Returns true if two values differ only as the languages do."""
    if isinstance(pcl, dict) and pcl.keys() == {"secret"}:
        pcl = pcl["secret"]
    if isinstance(yaml, dict) and yaml.keys() == {"secret"}:
        yaml = yaml["secret"]
    if "?" in (pcl, yaml):
        return True
    if isinstance(pcl, dict) and isinstance(yaml, dict):
        # What is not known may be nothing.
        added = {name for name in pcl.keys() - yaml.keys() if pcl[name] != "?"}
        return (
            not yaml.keys() - pcl.keys()
            and all((name, str(pcl[name])) in known for name in added)
            and all(alike(pcl[name], yaml[name], known) for name in yaml)
        )
    if isinstance(pcl, list) and isinstance(yaml, list):
        return len(pcl) == len(yaml) and all(alike(*pair, known) for pair in zip(pcl, yaml))
    if isinstance(pcl, str) and isinstance(yaml, (bool, int, float)):
        return pcl == (json.dumps(yaml) if isinstance(yaml, bool) else f"{yaml:g}") or pcl == str(yaml)
    return pcl == yaml


class EntranceJudge(Judge):
    def __init__(self, options, place, schemas):
        super().__init__(options, place)
        self.schemas = schemas
        for file in schemas:
            # The last one of several versions counts.
            name = re.match(r"(.*?)-\d", file)[1]
            self.add_provider(name, f"$SCHEMAS/{file}.json")
        self.stacks = place / "stacks"
        self.stacks.mkdir()
        self.empty = place / "empty"
        self.empty.mkdir()
        (self.empty / "Pulumi.yaml").write_text("name: proj\nruntime: yaml\n")
        self.init(self.empty, self.stacks)

    def init(self, project, stacks):
        words = ["pulumi", "--non-interactive", "stack", "init", "dev"]
        backend = {"PULUMI_BACKEND_URL": f"file://{stacks}"}
        self.run(*words, cwd=project, environment=backend)

    def stack(self, project, stacks, has_name):
        """Makes an empty stack for a project: it is that of another one, if the names are equal."""
        if has_name:
            stacks.mkdir()
            self.init(project, stacks)
        else:
            shutil.copytree(self.stacks, stacks)
            shutil.copy(self.empty / "Pulumi.dev.yaml", project)

    def verdict(self, example):
        """The example with `refused`, or the differences of the programs."""
        return example, self.differences_of(*example)

    def reduced(self, name, text):
        """A directory with what a program reaches of the schemas."""
        directory = self.place / f"{name}-schemas"
        directory.mkdir()
        for file, schema in self.schemas.items():
            if f"{schema['name']}:" in text:
                (directory / f"{file}.json").write_text(json.dumps(reached(schema, text)))
        return directory

    def differences_of(self, name, text, known):
        project = self.place / name
        project.mkdir()
        schemas = self.reduced(name, text)
        has_name = bool(re.search(r"^name:", text, re.M))
        head = "" if has_name else "name: proj\n"
        head += "" if re.search(r"^runtime:", text, re.M) else "runtime: yaml\n"
        (project / "Pulumi.yaml").write_text(head + text)
        stacks = self.place / f"{name}-stacks"
        self.stack(project, stacks, has_name)
        preview = ["pulumi", "--non-interactive", "preview", "--stack", "dev"]
        preview += ["--json", "--show-secrets"]
        places = {"PULUMI_BACKEND_URL": f"file://{stacks}", "SCHEMAS": os.fspath(schemas)}
        try:
            ran = self.run(*preview, cwd=project, environment=places)
            found = json.loads(ran.stdout)
        except (subprocess.TimeoutExpired, ValueError):
            return "refused"
        if ran.returncode != 0:
            return "refused"
        if any(each.get("severity") == "error" for each in found.get("diagnostics", [])):
            return "refused"
        program = self.place / f"{name}-pcl"
        places = ["--schema-dir", schemas, "--isolated"]
        words = ["--out", program, "--output-format", "concise"]
        converted = self.run(self.pcl, "convert", "--from", "yaml", project, *words, *places)
        if converted.returncode != 0:
            return [converted.stdout.strip()[-600:] or converted.stderr.strip()[-600:]]
        words = ["--output-format", "json", "--show-secrets"]
        expected = self.run(self.pcl, "preview", *words, *places, program)
        if expected.returncode != 0:
            return [expected.stderr.strip()[-600:] or expected.stdout.strip()[-600:]]
        # Each of the two is in a directory of its own.
        shown = expected.stdout.replace(f"{program}/", f"{project}/")
        pcl, yaml = resources(json.loads(shown)), steps(found)
        for key in pcl.keys() & yaml.keys():
            if alike(pcl[key][0], yaml[key][0], known):
                pcl[key] = (yaml[key][0], pcl[key][1])
        return list(compare(pcl, yaml))


def main():
    here = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here.add_argument("--hosts", type=pathlib.Path, required=True)
    here.add_argument("--shared", type=pathlib.Path, required=True)
    here.add_argument("--pcl", default="target/release/pcl")
    here.add_argument("--count", type=int, default=5)
    here.add_argument("--seed", type=int, default=1)
    here.add_argument("--jobs", type=int, default=2)
    options = here.parse_args()
    chosen, schemas = [], {}
    corpus = options.shared.resolve() / "corpus/schemas/providers"
    for path in sorted(corpus.glob("*.json.gz")):
        file = path.name.removesuffix(".json.gz")
        schemas[file] = schema = json.loads(gzip.decompress(path.read_bytes()))
        texts = examples(schema)
        sample = random.Random(options.seed).sample(texts, min(options.count, len(texts)))
        known = defaults(schema)
        chosen += [(f"{file}-{at}", text, known) for at, text in enumerate(sample)]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        judge = EntranceJudge(options, pathlib.Path(place).resolve(), schemas)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for (name, text, _), verdict in pool.map(judge.verdict, chosen):
                if verdict == "refused":
                    counts["refused"] += 1
                elif verdict:
                    counts["different"] += 1
                    print(name, *verdict, "", text, sep="\n", flush=True)
                else:
                    counts["same"] += 1
    accepted = counts["same"] + counts["different"]
    share = counts["same"] / max(accepted, 1)
    print(f"{dict(counts)}; {share:.2%} of {accepted} register the same")
    return 0 if share >= 0.99 else 1


if __name__ == "__main__":
    sys.exit(main())
