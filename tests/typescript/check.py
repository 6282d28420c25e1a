#!/usr/bin/env python3
"""Translates programs of the corpus to TypeScript and compiles all of them in one run of `tsc`.

    python3 tests/typescript/check.py PCL SHARED MODULES [--count N] [--sdks DIR]

PCL is the command, SHARED the directory with `corpus`, and MODULES a directory of packages that
`npm ci` installed for one of the lists beside this script. The programs are those that Pulumi's own
binder accepts and whose packages are installed; with --count, as many of them, spread over all.
With --sdks, they are the conformance programs instead, and DIR has the SDKs of their packages as
Pulumi generates them (`tests/engine/sdk`), by version.

Every program has to compile under `--strict`, to look as Prettier formats it, and to follow ESLint's
recommended rules. What does not is in `differences.json` with the reason; an entry that is none any
more fails as well.
"""

import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

SETTINGS = {
    "compilerOptions": {
        "strict": True,
        "noEmit": True,
        "target": "es2022",
        "module": "nodenext",
        "moduleResolution": "nodenext",
        "types": ["node"],
        "skipLibCheck": True,
        "noFallthroughCasesInSwitch": True,
        "noImplicitReturns": True,
    },
    "include": ["*/*.ts"],
}


# A resource is declared whether or not something else needs it.
LINTS = """
import js from "@eslint/js";
import typescript from "typescript-eslint";

export default typescript.config(js.configs.recommended, ...typescript.configs.recommendedTypeChecked, {
  languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
  rules: { "@typescript-eslint/no-unused-vars": "off" },
});
"""


def accepted(corpus, name):
    """The programs of a set that Pulumi's binder accepts, with their packages."""
    with gzip.open(corpus / "expected" / f"{name}.jsonl.gz", "rt") as lines:
        for line in lines:
            line = json.loads(line)
            if line["status"] == "ok":
                yield line


def installed(modules):
    """The names of the packages of Pulumi that are there, as schemas call them."""
    names = set()
    for scope in ("@pulumi", "@pulumiverse"):
        for path in (modules / "node_modules" / scope).glob("*"):
            names.add(path.name)
    return names


def chosen(corpus, modules, count):
    there = installed(modules)
    programs = []
    lines = [*accepted(corpus, "examples"), *accepted(corpus, "examples-azure-native")]
    for line in lines:
        packages = [package.rsplit("@", 1)[0] for package in line.get("packages", [])]
        # What Pulumi's binder lists is empty for some programs: the directory has the name.
        packages.append(re.sub(r"-\d.*", "", line["program"].split("/")[1]))
        if there.issuperset(packages):
            programs.append(line)
    programs.sort(key=lambda line: line["program"])
    if count is None or count >= len(programs):
        return programs
    return [programs[at * len(programs) // count] for at in range(count)]


def convert(pcl, corpus, line, out):
    program = corpus / "programs" / line["program"]
    if not program.is_dir():
        program = program.with_name(program.name + ".pp")
    command = [pcl, "convert", "--to", "typescript", program, "--out", out, "--name", "corpus", "--quiet"]
    command += ["--allow-incomplete"]
    for schemas in line["schemas"]:
        command += ["--schema-dir", corpus / schemas]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stdout + done.stderr


def link(out, sdks, complaints):
    """Makes the SDKs of a program's packages available to it, each in its version."""
    manifest = json.loads((out / "package.json").read_text())
    for name, version in manifest["dependencies"].items():
        if name == "@pulumi/pulumi":
            continue
        sdk = sdks / version / name
        if not sdk.is_dir():
            complaints.append(f"there is no SDK of {name} {version}")
            continue
        place = out / "node_modules" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(sdk.resolve())


def prepare(sdks, modules):
    """Makes the installed packages available to the SDKs, and the SDKs to each other."""
    place = sdks / "node_modules"
    shutil.rmtree(place, ignore_errors=True)
    own = [path for path in sdks.glob("*/@*/*")]
    for path in [*(modules / "node_modules").glob("[!@]*"), *(modules / "node_modules").glob("@*/*"), *own]:
        scope = path.parent.name if path.parent.name.startswith("@") else ""
        target = place / scope / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.symlink_to(path.resolve())


def tool(modules, name):
    return modules / "node_modules" / ".bin" / name


def compile_all(modules, work):
    """The errors of `tsc` by program."""
    # The 1,100 programs of azure-native take more memory than Node.js allows without being asked.
    done = subprocess.run(
        [tool(modules, "tsc"), "-p", work],
        cwd=work,
        env=os.environ | {"NODE_OPTIONS": "--max-old-space-size=12288"},
        capture_output=True,
        text=True,
    )
    errors = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        found = re.match(r"([^/(\s]+)/(\S+\(\d+,\d+\): error .*)", line)
        if found and (work / found[1] / "index.ts").exists():
            errors[found[1]].append(found[2])
        elif found:
            sys.exit(f"tsc complains about a package: {line}")
    if done.returncode != 0 and not errors:
        sys.exit(f"tsc fails: {done.stdout}{done.stderr}")
    return errors


def unformatted(modules, work):
    """The files that Prettier would change, by program."""
    files = sorted(str(path.relative_to(work)) for path in work.glob("*/*.ts"))
    done = subprocess.run(
        [tool(modules, "prettier"), "--no-config", "--list-different", *files],
        cwd=work,
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"prettier fails: {done.stderr}")
    changed = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        program, _, file = line.partition("/")
        changed[program].append(f"{file} is not formatted as Prettier does")
    return changed


def linted(modules, work):
    """What ESLint's recommended rules, those about types included, say of the programs."""
    (work / "eslint.config.mjs").write_text(LINTS)
    done = subprocess.run(
        [tool(modules, "eslint"), "--format", "json", "*/*.ts"],
        cwd=work,
        env=os.environ | {"NODE_OPTIONS": "--max-old-space-size=12288"},
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"eslint fails: {done.stderr}")
    found = collections.defaultdict(list)
    for file in json.loads(done.stdout):
        path = pathlib.Path(file["filePath"]).relative_to(work)
        for lint in file["messages"]:
            place = f"{path.name}({lint.get('line', 0)})"
            found[path.parts[0]].append(f"{place}: {lint['ruleId']}: {lint['message']}")
    return found


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("pcl", type=pathlib.Path)
    arguments.add_argument("shared", type=pathlib.Path)
    arguments.add_argument("modules", type=pathlib.Path)
    arguments.add_argument("--count", type=int)
    arguments.add_argument("--sdks", type=pathlib.Path)
    arguments = arguments.parse_args()
    corpus, modules = arguments.shared / "corpus", arguments.modules.resolve()
    pcl = arguments.pcl.resolve()

    if arguments.sdks:
        programs = list(accepted(corpus, "conformance"))
    else:
        programs = chosen(corpus, modules, arguments.count)
    if not programs:
        sys.exit("there are no programs")
    known = json.loads((HERE / "differences.json").read_text())
    complaints = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work).resolve()
        (work / "tsconfig.json").write_text(json.dumps(SETTINGS))
        (work / "node_modules").symlink_to(modules / "node_modules")
        sdks = arguments.sdks and arguments.sdks.resolve()
        if sdks:
            prepare(sdks, modules)
        places = {line["program"]: line["program"].replace("/", "__") for line in programs}

        def one(line):
            program = line["program"]
            out = work / places[program]
            failed = convert(pcl, corpus, line, out)
            if failed is not None:
                complaints[program].append(f"pcl convert: {failed.strip()}")
            elif sdks:
                link(out, sdks, complaints[program])

        with concurrent.futures.ThreadPoolExecutor() as threads:
            list(threads.map(one, programs))
        by_place = {place: program for program, place in places.items()}
        for found in (compile_all(modules, work), unformatted(modules, work), linted(modules, work)):
            for place, errors in found.items():
                complaints[by_place[place]] += errors

    groups = collections.defaultdict(lambda: [0, 0])
    wrong = []
    for line in programs:
        program, errors = line["program"], complaints[line["program"]]
        # All programs of the conformance suite are one group, those of a provider another.
        group = "conformance" if sdks else program.split("/")[1]
        groups[group][0] += 1
        groups[group][1] += not errors
        if errors and program not in known:
            wrong.append("\n  ".join([program, *errors]))
        if not errors and program in known:
            wrong.append(f"{program} is no difference any more: {known[program]}")
    for group, (count, clean) in sorted(groups.items()):
        print(f"{group:24} {clean:4} of {count:4} programs compile")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
