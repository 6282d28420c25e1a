#!/usr/bin/env python3
"""Checks the types of programs in Python: mypy and pyright, both in strict mode, with the SDKs of
providers as they are published.

    python3 tests/python/type_check.py PCL SHARED ENVIRONMENT [--count N | --write]
        [--control CONVERT]

PCL is the command, SHARED the directory with `corpus`, and ENVIRONMENT what
`type_check/requirements.txt` or `type_check/more/requirements.txt` is installed into. The programs
are the documentation examples that Pulumi's own binder accepts, of the packages that are installed;
with --count, so many of them.

Programs with errors are in `type_check.json` by the reason; an entry that is none any more fails as
well. With --control, the same programs are translated by Pulumi's generator (`convert-programs` of
`tests/engine`). The numbers of programs without errors are compared with those in
`type_check.json`; --write records them.
"""

import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import check

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "type_check.json"
SYNTAX = "syntax"
CHECKERS = ("mypy", "pyright")


def module(line):
    """The name of the module that a program becomes."""
    name = line["program"].partition("/")[2]
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def package(line):
    """The name of the SDK that a documentation example is about."""
    folder = line["program"].split("/")[1]
    return re.split(r"-(?=[0-9])", folder)[0].replace("-", "_")


def translated(pcl, corpus, programs, flat):
    """Writes programs as modules into a directory."""

    def one(line):
        with tempfile.TemporaryDirectory() as out:
            complaints = check.convert(pcl, corpus, line, pathlib.Path(out) / "project")
            if complaints:
                sys.exit(f"{line['program']}: {complaints[0]}")
            shutil.copy(
                pathlib.Path(out) / "project" / "__main__.py", flat / f"{module(line)}.py"
            )

    with concurrent.futures.ThreadPoolExecutor() as threads:
        list(threads.map(one, programs))


def by_pulumi(generator, corpus, programs, flat):
    """Writes programs as modules into a directory, as Pulumi's generator translates them."""
    lines = [f"{corpus / 'programs' / line['program']}.pp\t{module(line)}" for line in programs]
    with tempfile.TemporaryDirectory() as out:
        words = [generator, corpus / "schemas/providers", out]
        done = subprocess.run(words, input="\n".join(lines), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"convert-programs fails: {done.stderr}")
        for project in pathlib.Path(out).iterdir():
            shutil.copy(project / "__main__.py", flat / f"{project.name}.py")


def mypy(environment, flat):
    """The errors of mypy, by module."""
    cache = environment / "mypy-cache"
    words = [environment / "bin/mypy", "--strict", "--no-error-summary", "--cache-dir", cache]
    words += ["--hide-error-context", "--no-color-output", "."]
    done = subprocess.run(words, cwd=flat, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"mypy fails: {done.stdout}{done.stderr}")
    errors = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        name, _, rest = line.partition(".py:")
        if " error: " in rest:
            errors[name].append(f"mypy: {rest}")
    return errors


def pyright(environment, flat):
    """The errors of pyright, by module."""
    settings = {"typeCheckingMode": "strict"}
    settings |= {"venvPath": str(environment.parent), "venv": environment.name}
    (flat / "pyrightconfig.json").write_text(json.dumps(settings))
    inside = {"PYRIGHT_PYTHON_CACHE_DIR": str(environment / "pyright")}
    words = [environment / "bin/pyright", "--outputjson", "."]
    done = subprocess.run(
        words, cwd=flat, capture_output=True, text=True, env=os.environ | inside
    )
    if done.returncode not in (0, 1):
        sys.exit(f"pyright fails: {done.stdout}{done.stderr}")
    errors = collections.defaultdict(list)
    for each in json.loads(done.stdout)["generalDiagnostics"]:
        line, name = each["range"]["start"]["line"] + 1, pathlib.Path(each["file"]).stem
        errors[name].append(f"pyright: {line}: {each['message']}")
    return errors


def checked(environment, flat):
    """The errors in the modules of a directory, by kind and module. A module that does not parse
    is removed: mypy would look at no other one."""
    errors = {SYNTAX: {}}
    for path in flat.glob("*.py"):
        try:
            ast.parse(path.read_text())
        except SyntaxError as error:
            errors[SYNTAX][path.stem] = [f"does not parse: {error}"]
            path.unlink()
    errors["mypy"] = mypy(environment, flat)
    errors["pyright"] = pyright(environment, flat)
    return errors


def reached(programs, flat, errors):
    """The number of programs that parse, and that each checker accepts."""
    there = {path.stem for path in flat.glob("*.py")}
    figures = {"programs": len(programs), SYNTAX: len(there)}
    for checker in CHECKERS:
        figures[checker] = len(there - errors[checker].keys())
    return figures


def unexpected(programs, errors, known):
    """The errors that are not listed, and the entries that have none."""
    reasons = {program: reason for reason, all in known.items() for program in all}
    wrong = []
    for line in programs:
        each = [error for kind in errors.values() for error in kind.get(module(line), [])]
        if each and line["program"] not in reasons:
            wrong.append("\n  ".join([line["program"], *each]))
        if not each and line["program"] in reasons:
            wrong.append(f"{line['program']} has no errors any more")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pcl", type=pathlib.Path)
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("environment", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--control", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.write and arguments.count is not None:
        parser.error("--write records the figures of all programs")
    corpus, pcl = arguments.shared.resolve() / "corpus", arguments.pcl.resolve()
    environment = arguments.environment.resolve()
    installed = next(environment.glob("lib/python3*/site-packages"))
    programs = [line for name in check.EXAMPLES for line in check.accepted(corpus, name)]
    prefixes = ("pulumi_", "pulumiverse_")
    has_sdk = lambda name: any((installed / (prefix + name)).is_dir() for prefix in prefixes)
    programs = [line for line in programs if has_sdk(package(line))]
    if arguments.count is not None and arguments.count < len(programs):
        count = arguments.count
        programs = [programs[at * len(programs) // count] for at in range(count)]
    if not programs:
        sys.exit("there are no programs")
    record = json.loads(RECORD.read_text())
    with tempfile.TemporaryDirectory() as work:
        flat = pathlib.Path(work).resolve()
        if arguments.control is None:
            translated(pcl, corpus, programs, flat)
        else:
            by_pulumi(arguments.control.resolve(), corpus, programs, flat)
        errors = checked(environment, flat)
        figures = reached(programs, flat, errors)
    print(json.dumps(figures))
    wrong = []
    if arguments.control is None:
        wrong = unexpected(programs, errors, record["differences"])
    generator = "pcl" if arguments.control is None else "pulumi"
    if arguments.write:
        record[generator] = figures
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
    elif arguments.count is None and record.get(generator) != figures:
        wrong.append(f"{RECORD.name} has {record.get(generator)}; --write records the new figures")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
