#!/usr/bin/env python3
"""Converts the manifests of Kubernetes that come with `kubectl` to PCL, one file at a time and all
files at once, with the schema of the corpus.

    python3 tests/convert/manifests.py PCL SHARED

The module `k8s.io/kubectl` is fetched by Go. The exit status is 1 if a file is refused, or if a
resource is not of the type that its kind has.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import yaml

MODULE = "k8s.io/kubectl@v0.34.1"
CRD = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition"
CUSTOM = "kubernetes:apiextensions.k8s.io:CustomResource"

# Kinds that the tests of kubectl make up.
MADE_UP = {"ApplySet", "Widget"}


def module():
    """The directory of the module."""
    command = ["go", "mod", "download", "-json", MODULE]
    fetched = subprocess.run(command, capture_output=True, text=True, check=True)
    return pathlib.Path(json.loads(fetched.stdout)["Dir"])


def objects(text):
    """The objects of a file, those of lists among them."""
    for document in yaml.safe_load_all(text):
        if document and document["kind"].endswith("List"):
            yield from document["items"]
        elif document:
            yield document


def expected(text):
    """The types of the resources that a file becomes."""
    for each in objects(text):
        version, kind = each["apiVersion"], each["kind"]
        if kind in MADE_UP:
            yield CUSTOM
        elif kind == "CustomResourceDefinition":
            yield CRD
        else:
            yield f"kubernetes:{version if '/' in version else f'core/{version}'}:{kind}"


class Converter:
    def __init__(self, pcl, shared):
        schemas = shared / "corpus/schemas/providers"
        self.command = [pcl, "convert", "--from", "kubernetes", "--schema-dir", schemas]
        self.command += ["--isolated", "--output-format", "concise"]

    def complaints(self, paths):
        """The faults of the program that files become."""
        ran = subprocess.run([*self.command, *paths], capture_output=True, text=True)
        if ran.returncode != 0:
            yield from ran.stderr.splitlines()
            return
        found = re.findall(r'^resource [\w-]+ "(.*)" \{', ran.stdout, re.M)
        types = [each for path in paths for each in expected(path.read_text())]
        if found != types:
            yield f"expected {types}, found {found}"


def main():
    here = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here.add_argument("pcl")
    here.add_argument("shared", type=pathlib.Path)
    options = here.parse_args()
    converter = Converter(options.pcl, options.shared.resolve())
    directory = module() / "testdata"
    paths = [path for path in sorted(directory.rglob("*.yaml")) if "kind:" in path.read_text()]
    runs = [[path] for path in paths]
    # Several of them describe the same object; those of one directory do not.
    runs.append(sorted(directory.glob("*.yaml")))
    wrong = 0
    for run in runs:
        complaints = list(converter.complaints(run))
        wrong += bool(complaints)
        names = " ".join(str(path.relative_to(directory)) for path in run)
        for line in complaints:
            print(f"{names}: {line}")
    print(f"{len(runs) - wrong} of {len(runs)} conversions of {len(paths)} files are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
