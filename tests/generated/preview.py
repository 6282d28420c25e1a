#!/usr/bin/env python3
"""Previews programs of the corpora as Pulumi YAML, with Pulumi's own host and providers that are
made of schemas, and compares what they would register with what `pcl preview` says.

    PCL_ENGINE_DIR=... python3 tests/generated/preview.py --hosts DIRECTORY --shared ../shared
        [--pcl target/release/pcl] [--every N]

The hosts are what build.sh makes. Programs are left out that the checker refuses, that need
configuration, and of which the conversion leaves something out with a warning. With `--every`, one
of N programs is tried. The programs that differ are listed, with the reasons, in yaml-preview.json;
one that is listed and does not differ fails as well.
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(os.fspath(HERE.parent / "engine"))

from engine import isolated, program  # noqa: E402

SIGNATURE = "4dabf18193072939515e22adb298388d"
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
# The sets of programs, with the directories of their schemas.
SETS = {"examples": "providers", "conformance": "conformance"}
TIMEOUT = 120


def programs(directory):
    """The programs in and below a directory, as directories or files."""
    files = sorted(directory.glob("*.pp"))
    if 0 < len(files) <= 40:
        yield directory
    elif files:
        yield from files
    for below in sorted(path for path in directory.iterdir() if path.is_dir()):
        yield from programs(below)


class Judge:
    def __init__(self, options, place):
        self.options, self.place = options, place
        self.pcl = program(options.pcl)
        self.mock = options.shared.resolve() / "check/hosts/front/schema/mock_provider.py"
        self.binaries = place / "bin"
        self.binaries.mkdir()
        engine = pathlib.Path(os.environ["PCL_ENGINE_DIR"])
        (self.binaries / "pulumi").symlink_to(program(engine / "pulumi"))
        (self.binaries / "pulumi-language-yaml").symlink_to(
            program(options.hosts / "pulumi-language-yaml")
        )
        self.environment = isolated(place / "isolated") | {"PULUMI_CONFIG_PASSPHRASE": "x"}
        self.environment["PATH"] = f"{self.binaries}:{self.environment['PATH']}"

    def run(self, *command, cwd=None, environment=None):
        return subprocess.run(
            [os.fspath(word) for word in command],
            cwd=cwd,
            env=self.environment | (environment or {}),
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )

    def differences(self, path, schemas, name):
        """The differences of a program, or None if it is left out."""
        project = self.place / name
        places = ["--schema-dir", schemas, "--isolated"]
        words = ["--output-format", "json", "--quiet", "--out", project, "--name", "proj"]
        converted = self.run(self.pcl, "convert", "--to", "yaml", *words, *places, path)
        if converted.returncode != 0:
            return None
        reports = json.loads(converted.stdout)["programs"]
        codes = {each["code"] for report in reports for each in report["diagnostics"]}
        if codes & {"PCL1201", "PCL1202"}:
            return None
        words = ["--output-format", "json", "--show-secrets"]
        expected = self.run(self.pcl, "preview", *words, *places, path)
        if expected.returncode != 0:
            return None
        self.provide(project, schemas)
        # Each project is called `proj`, so each has stacks of its own.
        stacks = self.place / f"{name}-stacks"
        stacks.mkdir()
        self.environment["PULUMI_BACKEND_URL"] = f"file://{stacks}"
        self.run("pulumi", "--non-interactive", "stack", "init", "dev", cwd=project)
        preview = ["pulumi", "--non-interactive", "preview", "--json", "--show-secrets"]
        found = self.run(*preview, cwd=project)
        try:
            found = json.loads(found.stdout)
        except ValueError:
            return [(found.stderr or found.stdout).strip()[-600:]]
        messages = [
            each["message"].strip()
            for each in found.get("diagnostics", [])
            if each.get("severity") == "error"
        ]
        return messages or list(compare(resources(json.loads(expected.stdout)), steps(found)))

    def provide(self, project, schemas):
        """Makes a provider of the schema of each package that a project uses."""
        for path in (project / "sdks").glob("*.yaml"):
            text = path.read_text()
            name = re.search(r'^name: "?([^"\n]+)', text, re.M)[1]
            version = re.search(r'^version: "?([^"\n]+)', text, re.M)
            exact = schemas / f"{name}-{version[1] if version else ''}.json.gz"
            files = [exact] if exact.exists() else sorted(schemas.glob(f"{name}-[0-9]*.json.gz"))
            if not files:
                continue
            schema = self.place / f"{files[-1].name}.json"
            if not schema.exists():
                schema.write_bytes(gzip.decompress(files[-1].read_bytes()))
            self.add_provider(name, schema)

    def add_provider(self, name, schema):
        """Makes a provider of a schema, whose path may have variables of the environment."""
        plugin = self.binaries / f"pulumi-resource-{name}"
        plugin.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{self.mock}' \"{schema}\" \"$@\"\n")
        plugin.chmod(0o755)


def resources(preview):
    """The inputs and parent of each resource of a preview of `pcl`."""
    found = {}
    for each in preview["resources"]:
        if not each["type"].startswith("pulumi:"):
            found[each["type"], each["name"]] = (plain(each["inputs"]), name_of(each["parent"]))
    return found


def steps(preview):
    """The same of a preview of Pulumi."""
    found = {}
    for step in preview.get("steps", []):
        state = step.get("newState") or {}
        if state and not state["type"].startswith("pulumi:"):
            name = name_of(state["urn"])
            inputs = plain(state.get("inputs", {}))
            found[state["type"], name] = (inputs, name_of(state.get("parent")))
    return found


def name_of(urn):
    return urn and urn.rpartition("::")[2]


def plain(value):
    """A value with one form of secrets and of what is not known."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if value == "[secret]":
        # The engine shows no secrets that a class or a provider made, in spite of `--show-secrets`.
        return {"secret": "?"}
    if isinstance(value, int) and abs(value) > 2**53:
        return float(value)
    if isinstance(value, str):
        return "?" if UNKNOWN in value else re.sub("urn:pulumi:dev::[^:]*::", "urn:", value)
    if not isinstance(value, dict):
        return value
    if "$output" in value:
        return plain(value["$output"].get("value", UNKNOWN))
    # What a resource or asset becomes on the way is the host's.
    if value.keys() & {"$unknown", "$resource", "$asset", "$archive"}:
        return "?"
    if "$secret" in value:
        return {"secret": plain(value["$secret"])}
    if value.keys() == {"$object"}:
        # The key of this object begins with a dollar sign.
        return {name: plain(each) for name, each in value["$object"].items() if each is not None}
    if SIGNATURE in value:
        if "plaintext" in value:
            return {"secret": plain(json.loads(value["plaintext"]))}
        return "?"
    return {name: plain(each) for name, each in value.items() if each is not None}


def same(one, other):
    """Returns true if two values are the same as far as both are known."""
    if "?" in (one, other):
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def compare(expected, found):
    for key in sorted(expected.keys() ^ found.keys()):
        yield f"{' '.join(key)} is only in {'pcl' if key in expected else 'YAML'}"
    for key in sorted(expected.keys() & found.keys()):
        for what, one, other in zip(("inputs", "parent"), expected[key], found[key]):
            # The stacks have different names.
            if what == "parent" and all(name and name.endswith("-dev") for name in (one, other)):
                continue
            if not same(one, other):
                texts = [json.dumps(each, sort_keys=True)[:600] for each in (one, other)]
                yield f"{' '.join(key)}: {what}\n    pcl:  {texts[0]}\n    YAML: {texts[1]}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--hosts", type=pathlib.Path, required=True)
    arguments.add_argument("--shared", type=pathlib.Path, required=True)
    arguments.add_argument("--pcl", type=pathlib.Path, default=os.environ.get("PCL_BINARY"))
    arguments.add_argument("--every", type=int, default=1)
    options = arguments.parse_args()
    corpus = options.shared.resolve() / "corpus"
    known = json.loads((HERE / "yaml-preview.json").read_text())
    judged, complaints, tried = 0, [], set()
    with tempfile.TemporaryDirectory() as place:
        judge = Judge(options, pathlib.Path(place).resolve())
        for name, schemas in SETS.items():
            directory = corpus / "programs" / name
            for path in list(programs(directory))[:: options.every]:
                identity = f"{name}/{path.relative_to(directory)}"
                project = re.sub(r"\W", "-", identity)
                found = judge.differences(path, corpus / "schemas" / schemas, project)
                if found is None:
                    continue
                judged += 1
                tried.add(identity)
                if found and identity not in known:
                    complaints.append("\n  ".join([identity, *found]))
                elif not found and identity in known:
                    complaints.append(f"{identity} does not differ any more")
    print(f"{judged} programs were previewed in YAML; {len(known.keys() & tried)} are known to differ")
    if judged == 0:
        sys.exit("no program was previewed")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
