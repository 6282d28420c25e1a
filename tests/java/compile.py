#!/usr/bin/env python3
"""Compiles programs in Java: the documentation examples, with the SDKs that Pulumi's generator
writes. The compiler has to accept each without a warning.

    python3 tests/java/compile.py PCL SHARED JARS GENERATOR [--count N] [--package NAME]

PCL is the command, SHARED the directory with `corpus`, JARS what `pom.xml` here asks for, and
GENERATOR the command of `tests/engine/sdk`. With --count, so many of the examples, spread over all;
with --package, those of one package. Of azure-native, which has twice as many as all others, some
are taken. The compiler reads as much of an SDK as a program reaches.

Programs that `pcl` has errors for are counted and not compiled. Those that do not compile are in
`differences.json` with the reason; an entry that is none any more fails as well.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(os.fspath(HERE.parent / "generated"))

from reached import reached  # noqa: E402

# Of so many examples of azure-native, one is taken.
STEP = 8
# Packed schemas of this size, in bytes, are large.
LARGE = 1 << 20
# The complaints about a program that are shown.
SHOWN = 5
POM = "{http://maven.apache.org/POM/4.0.0}"


def chosen(corpus, count, package):
    """The examples, each with its file."""
    place = corpus / "programs"
    names = [str(path.relative_to(place))[:-3] for path in sorted(place.glob("examples/*/*.pp"))]
    many = [name for name in names if "/azure-native-" in name]
    names = [name for name in names if name not in many] + many[::STEP]
    names = [name for name in names if not package or f"/{package}-" in name]
    if count is not None and count < len(names):
        names = [names[at * len(names) // count] for at in range(count)]
    return {name: place / f"{name}.pp" for name in names}


def converted(pcl, programs, schemas, work):
    """Writes the projects of programs below a directory, and returns their records."""
    for path in schemas.glob("*.json.gz"):
        (work / "schemas" / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    lines = [
        json.dumps({"id": name, "files": {"main.pp": path.read_text()}, "name": "example"})
        for name, path in programs.items()
    ]
    command = [pcl, "convert", "--batch", "-", "--to", "java", "--schema-dir", work / "schemas"]
    command += ["--isolated", "--compat", "pulumi"]
    text = "\n".join(lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    if len(records) != len(programs):
        sys.exit(f"pcl convert fails: {done.stderr}")
    for record in records:
        for path, text in record["files"].items():
            file = work / "projects" / record["id"] / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return records


def packages(project):
    """The names and versions of the packages that a project needs."""
    pom = xml.etree.ElementTree.parse(project / "pom.xml").getroot()
    for found in pom.iterfind(f"{POM}dependencies/{POM}dependency"):
        name, version = (found.findtext(POM + key) for key in ("artifactId", "version"))
        if name != "pulumi":
            yield name, version


class Sdks:
    """The SDKs of schemas. Each is written when a program needs it; of a package that Pulumi's
    generator is busy with for minutes, what programs reach."""

    def __init__(self, generator, schemas, programs, out):
        self.generator, self.schemas, self.programs = generator, schemas, programs
        self.out, self.made = out, {}

    def schema(self, name, version):
        """The file of a schema."""
        path = self.schemas / f"{name}-{version}.json.gz"
        if not path.exists() or path.stat().st_size < LARGE:
            return path
        schema = reached(json.loads(gzip.decompress(path.read_bytes())), self.programs)
        (self.out / "schemas").mkdir(exist_ok=True)
        small = self.out / "schemas" / path.name
        small.write_bytes(gzip.compress(json.dumps(schema).encode(), 1))
        return small

    def of(self, name, version):
        """The directory of an SDK, or why there is none."""
        key = (name, version)
        if key not in self.made:
            out = self.out / f"{name}-{version}"
            command = [self.generator, "--java", self.schema(name, version), out]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            # The version of a schema may be missing.
            places = list(out.glob(f"*/{name}"))
            refused = f"there is no SDK of {name}: {done.stdout}{done.stderr}"
            self.made[key] = (places[0], None) if places else (None, refused)
        return self.made[key]


def compiled(jars, requests, work):
    """What the compiler says of projects, by id."""
    path = (jars / "classpath.txt").read_text().strip()
    runner = work / "runner"
    sources = sorted(HERE.glob("*.java"))
    command = ["javac", "-nowarn", "-proc:none", "-cp", path, "-d", runner, *sources]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    command = ["java", f"-Djars={path}", "-cp", f"{runner}:{path}", "Programs", "compile"]
    text = "\n".join(map(json.dumps, requests))
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True)
    answers = map(json.loads, done.stdout.splitlines())
    return {answer["id"]: answer["problems"] for answer in answers}


def judged(arguments, work):
    """The complaints about each program that has no errors."""
    corpus = arguments.shared.resolve() / "corpus"
    schemas = corpus / "schemas/providers"
    programs = chosen(corpus, arguments.count, arguments.package)
    for directory in ("schemas", "projects", "sdks"):
        (work / directory).mkdir()
    texts = "".join(path.read_text() for path in programs.values())
    sdks = Sdks(arguments.generator.resolve(), schemas, texts, work / "sdks")
    complaints, requests = {}, []
    for record in converted(arguments.pcl.resolve(), programs, schemas, work):
        project = work / "projects" / record["id"]
        if record["severity"] == "fatal":
            complaints[record["id"]] = [str(record["diagnostics"])]
        if not record["files"]:
            continue
        found = [sdks.of(*package) for package in packages(project)]
        complaints[record["id"]] = [refused for _, refused in found if refused]
        places = [str(place) for place, _ in found if place]
        requests.append({"id": record["id"], "directory": str(project), "sdks": places})
    for program, problems in compiled(arguments.jars.resolve(), requests, work).items():
        complaints[program] += problems
    return complaints


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("pcl", "shared", "jars", "generator"):
        arguments.add_argument(name, type=pathlib.Path)
    arguments.add_argument("--count", type=int)
    arguments.add_argument("--package")
    arguments = arguments.parse_args()
    known = json.loads((HERE / "differences.json").read_text())
    with tempfile.TemporaryDirectory() as work:
        complaints = judged(arguments, pathlib.Path(work).resolve())
    wrong = []
    for program, each in complaints.items():
        if each and program not in known:
            wrong.append("\n  ".join([program, *each[:SHOWN]]))
        if not each and program in known:
            wrong.append(f"{program} is no difference any more: {known[program]}")
    clean = sum(not each for each in complaints.values())
    print(f"javac accepts {clean} of {len(complaints)} programs without errors of their own")
    if wrong:
        sys.exit("\n".join([*wrong, f"{len(wrong)} programs"]))


if __name__ == "__main__":
    main()
