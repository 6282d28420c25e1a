#!/usr/bin/env python3
"""Translates programs of the corpora to Python: each has to parse, to look as `ruff format` formats
it, and to have no diagnostic of the default rules of `ruff check`.

    python3 tests/python/check.py PCL SHARED ENVIRONMENT [--count N]

PCL is the command, SHARED the directory with `corpus`, and ENVIRONMENT what `requirements.txt` is
installed into. The programs are those that Pulumi's own binder accepts: the conformance programs
and the documentation examples; with --count, so many of the examples, spread over all.

What does not is in `differences.json` with the reason; an entry that is none any more fails as
well.
"""

import argparse
import ast
import collections
import concurrent.futures
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CONFORMANCE = ("conformance", "conformance-274")
EXAMPLES = ("examples", "examples-azure-native")
# A project is checked in its own directory, where this is found out.
OWN = 'lint.isort.known-first-party=["components"]'


def accepted(corpus, name):
    """The programs of a set that Pulumi's binder accepts."""
    for expected in ("expected-274", "expected"):
        path = corpus / expected / f"{name}.jsonl.gz"
        if path.exists():
            with gzip.open(path, "rt") as lines:
                lines = map(json.loads, lines)
                return [line for line in lines if line["status"] == "ok"]
    return []


def chosen(corpus, count):
    programs = [line for name in CONFORMANCE for line in accepted(corpus, name)]
    examples = [line for name in EXAMPLES for line in accepted(corpus, name)]
    examples.sort(key=lambda line: line["program"])
    if count is not None and count < len(examples):
        examples = [examples[at * len(examples) // count] for at in range(count)]
    return programs + examples


def convert(pcl, corpus, line, out):
    """The complaints about the conversion of a program, and about the syntax of its modules."""
    program = corpus / "programs" / line["program"]
    if not program.is_dir():
        program = program.with_name(program.name + ".pp")
    command = [pcl, "convert", "--to", "python", program, "--out", out, "--name", "corpus"]
    command += ["--quiet", "--isolated", "--compat", "pulumi", "--allow-incomplete"]
    for schemas in line["schemas"]:
        command += ["--schema-dir", corpus / schemas]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return [f"pcl convert: {(done.stdout + done.stderr).strip()}"]
    complaints = []
    for path in out.rglob("*.py"):
        try:
            ast.parse(path.read_text())
        except SyntaxError as error:
            complaints.append(f"{path.relative_to(out)} does not parse: {error}")
    return complaints


def linted(ruff, work):
    """What `ruff` says of the projects in a directory, by project."""
    found = collections.defaultdict(list)
    words = [ruff, "format", "--isolated", "--check", "--output-format", "concise", "."]
    done = subprocess.run(words, cwd=work, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"ruff format fails: {done.stderr}")
    for line in done.stdout.splitlines():
        if "would be reformatted" in line and "/" in line:
            project, _, rest = line.partition("/")
            found[project].append(rest)
    words = [ruff, "check", "--isolated", "--config", OWN, "--output-format", "json", "."]
    done = subprocess.run(words, cwd=work, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"ruff check fails: {done.stderr}")
    for each in json.loads(done.stdout):
        path = pathlib.Path(each["filename"]).relative_to(work)
        place = f"{'/'.join(path.parts[1:])}:{each['location']['row']}"
        found[path.parts[0]].append(f"{place}: {each['code']} {each['message']}")
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("pcl", type=pathlib.Path)
    arguments.add_argument("shared", type=pathlib.Path)
    arguments.add_argument("environment", type=pathlib.Path)
    arguments.add_argument("--count", type=int)
    arguments = arguments.parse_args()
    corpus, pcl = arguments.shared.resolve() / "corpus", arguments.pcl.resolve()
    programs = chosen(corpus, arguments.count)
    if not programs:
        sys.exit("there are no programs")
    known = json.loads((HERE / "differences.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work).resolve()
        places = {line["program"]: line["program"].replace("/", "__") for line in programs}

        def one(line):
            return convert(pcl, corpus, line, work / places[line["program"]])

        with concurrent.futures.ThreadPoolExecutor() as threads:
            found = list(threads.map(one, programs))
        complaints = {line["program"]: each for line, each in zip(programs, found)}
        by_place = {place: program for program, place in places.items()}
        for place, each in linted(arguments.environment.resolve() / "bin/ruff", work).items():
            complaints[by_place[place]] += each
    wrong = []
    for program, each in complaints.items():
        if each and program not in known:
            wrong.append("\n  ".join([program, *each]))
        if not each and program in known:
            wrong.append(f"{program} is no difference any more: {known[program]}")
    clean = sum(not each for each in complaints.values())
    print(f"{clean} of {len(complaints)} programs are as ruff wants them")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
