#!/usr/bin/env python3
"""Previews programs in Pulumi YAML with Pulumi's own host and providers that are made of schemas,
converts them to PCL, and compares what `pcl preview` says of the converted programs.

    PCL_ENGINE_DIR=... python3 tests/generated/from_yaml.py --hosts DIRECTORY --shared ../shared
        [--pcl target/release/pcl] [--count N] [--seed N]

The hosts are what build.sh makes. The programs are the examples in Pulumi YAML of the schemas of the
corpus: N of each package. Those that Pulumi's host refuses are left out. Three differences are the
languages': PCL adds defaults of schemas, makes texts of numbers and bools where the schema expects
texts, and keeps secret what the schema says is secret inside of an input.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import re
import sys
import tempfile

from preview import Judge, compare, resources, steps


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

    visit(json.loads(gzip.decompress(schema.read_bytes())))
    return list(found)


def defaults(schema):
    """The names of the properties of a schema that have a default, with the default."""
    found = set()

    def visit(value):
        if isinstance(value, dict):
            for name, each in value.items():
                if isinstance(each, dict) and "default" in each:
                    found.add((name, str(each["default"])))
                visit(each)
        elif isinstance(value, list):
            for each in value:
                visit(each)

    visit(json.loads(gzip.decompress(schema.read_bytes())))
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
        added = pcl.keys() - yaml.keys()
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
    def verdict(self, text, schemas, known, name):
        """`refused`, or the differences of a program."""
        project = self.place / name
        project.mkdir()
        has_name = re.search(r"^name:", text, re.M)
        head = "" if has_name else "name: proj\n"
        head += "" if re.search(r"^runtime:", text, re.M) else "runtime: yaml\n"
        (project / "Pulumi.yaml").write_text(head + text)
        self.provide_packages(text, schemas)
        stacks = self.place / f"{name}-stacks"
        stacks.mkdir()
        self.environment["PULUMI_BACKEND_URL"] = f"file://{stacks}"
        self.run("pulumi", "--non-interactive", "stack", "init", "dev", cwd=project)
        preview = ["pulumi", "--non-interactive", "preview", "--json", "--show-secrets"]
        ran = self.run(*preview, cwd=project)
        try:
            found = json.loads(ran.stdout)
        except ValueError:
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
        pcl, yaml = resources(json.loads(expected.stdout)), steps(found)
        for key in pcl.keys() & yaml.keys():
            if alike(pcl[key][0], yaml[key][0], known):
                pcl[key] = (yaml[key][0], pcl[key][1])
        return list(compare(pcl, yaml))

    def provide_packages(self, text, schemas):
        """Declares the packages that a program names, and makes providers of their schemas."""
        declarations = self.place / "declarations"
        (declarations / "sdks").mkdir(parents=True, exist_ok=True)
        for name in re.findall(r"(?:type|function): *[\"']?(?:pulumi:providers:)?([\w-]+)", text):
            (declarations / f"sdks/{name}.yaml").write_text(f"name: {name}\n")
        self.provide(declarations, schemas)


def main():
    here = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here.add_argument("--hosts", type=pathlib.Path, required=True)
    here.add_argument("--shared", type=pathlib.Path, required=True)
    here.add_argument("--pcl", default="target/release/pcl")
    here.add_argument("--count", type=int, default=5)
    here.add_argument("--seed", type=int, default=1)
    options = here.parse_args()
    schemas = options.shared.resolve() / "corpus/schemas/providers"
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        judge = EntranceJudge(options, pathlib.Path(place))
        for path in sorted(schemas.glob("*.json.gz")):
            texts = examples(path)
            chosen = random.Random(options.seed).sample(texts, min(options.count, len(texts)))
            known = defaults(path)
            for at, text in enumerate(chosen):
                name = f"{path.name.partition('.')[0]}-{at}"
                verdict = judge.verdict(text, schemas, known, name)
                if verdict == "refused":
                    counts["refused"] += 1
                elif verdict:
                    counts["different"] += 1
                    print(name, *verdict, "", text, sep="\n", flush=True)
                else:
                    counts["same"] += 1
    print(dict(counts))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
