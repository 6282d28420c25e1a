#!/usr/bin/env python3
"""Holds the instructions and the peak memory of `pcl` in some workloads to recorded figures.

    python3 tests/performance/figures.py            # compare, with a release build
    python3 tests/performance/figures.py --write    # record

Instructions are counted by callgrind, which shows programs a processor with the same features and
caches everywhere. They depend on the compiler and a little on the C library; the file tells with
which versions it was recorded. Memory is the peak of the resident set. It is measured without large
pages and without random addresses, either of which makes it vary by more than the tolerance.
"""

import argparse
import collections
import pathlib
import shutil
import statistics
import sys
import time

import programs
from machine import Machine, Missing, built, versions

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "figures.tsv"
# Each measure with its unit and the change in percent that passes. The same binary took 5.8 % less
# memory on one machine than on another, since pages of files count as far as they are cached.
TOLERANCES = [("instructions", "", 2), ("memory", " KiB", 10)]

Figures = collections.namedtuple("Figures", "instructions memory")


class Workload:
    """A command, what it needs before each run, and the function that counts if not all does."""

    def __init__(self, name, command, before=lambda place: None, function=None):
        self.name = name
        self.command = command
        self.before = before
        self.function = function


def without_index(place):
    shutil.rmtree(place / "cache", ignore_errors=True)


def unfixed(place):
    shutil.rmtree(place / "fixed", ignore_errors=True)
    shutil.copytree(place / "mistakes-800", place / "fixed")


SCHEMAS = ["--schema-dir", "schemas"]
CHECK = ["./pcl", "check", "-j", "1", *SCHEMAS]
DUMP = ["./pcl", "dump", "bound", "--full", "--output-format", "json", *SCHEMAS]
WORKLOADS = [
    Workload("version", ["./pcl", "version"]),
    Workload("nodes-8", [*CHECK, "--quiet", "nodes-8"]),
    Workload("nodes-800", [*CHECK, "--quiet", "nodes-800"]),
    Workload("nodes-8000", [*CHECK, "--quiet", "nodes-8000"]),
    Workload("mistakes-8000", [*CHECK, "mistakes-8000"]),
    Workload("mistakes-8000-json", [*CHECK, "--output-format", "json", "mistakes-8000"]),
    Workload("garbage", [*CHECK, "garbage"]),
    Workload("fix", [*CHECK, "--fix", "--unsafe-fixes", "fixed"], before=unfixed),
    Workload("many-programs", [*CHECK, "-r", "many"]),
    Workload("schema-cold", [*CHECK, "large"], before=without_index),
    Workload("schema-indexed", [*CHECK, "large"]),
    Workload("format", ["./pcl", "fmt", "--check", "untidy-8000"]),
    Workload("state-check", ["./pcl", "state", "check", "--quiet", "state.json"]),
    Workload("state-list", ["./pcl", "state", "ls", "state.json"]),
    Workload("import", ["./pcl", "import", *SCHEMAS, "state.json"]),
    Workload("document", [*DUMP, "nodes-800"]),
    Workload(
        "document-read",
        ["./in-process", "read", "schemas", "nodes-8000"],
        function="*::read_document",
    ),
    Workload("lower", ["./in-process", "lower", "schemas", "nodes-800"], function="*::lower"),
    Workload(
        "evaluate",
        ["./in-process", "evaluate", "schemas", "expressions"],
        function="*::run_evaluation",
    ),
    Workload("serve", ["./in-process", "serve", "schemas", "nodes-8000"], function="*::handle"),
    Workload(
        "complete",
        ["./in-process", "complete", "schemas", "nodes-8000"],
        function="*::complete",
    ),
]


def prepare(place):
    """Writes the inputs of all workloads."""
    for count in (8, 800, 8000):
        programs.write(place / f"nodes-{count}/main.pp", programs.nodes(count))
    for count in (800, 8000):
        programs.write(place / f"mistakes-{count}/main.pp", programs.mistakes(count))
    programs.write(place / "garbage/main.pp", programs.garbage(100_000))
    programs.write(place / "untidy-8000/main.pp", programs.untidy(8000))
    programs.write(place / "state.json", programs.state(10_000))
    programs.write(place / "expressions/main.pp", programs.expressions(20_000))
    for number in range(200):
        text = programs.mistakes(64) if number % 10 == 0 else programs.nodes(64)
        programs.write(place / f"many/{number}/main.pp", text)
    programs.write(place / "schemas/random-4.21.1.json", programs.SCHEMA.read_text())
    programs.write(place / "schemas/large-1.0.0.json", programs.large_schema(5020, 1800))
    programs.write(place / "large/main.pp", programs.of_large_schema(20, 1800))
    # The index of a file that changed less than two seconds ago is not kept.
    time.sleep(2.5)


def measure(pcl, in_process):
    """The figures of all workloads, by name."""
    found = {}
    with Machine() as machine:
        prepare(machine.place)
        # Both have the same path everywhere.
        for name, binary in (("pcl", pcl), ("in-process", in_process)):
            (machine.place / name).symlink_to(pathlib.Path(binary).resolve())
        for workload in WORKLOADS:
            kib = []
            # An uneven number, for the median. All are equal where addresses are not random.
            for _ in range(5):
                workload.before(machine.place)
                (run,) = machine.run(workload.command, repeatable=True)
                if run.status not in (0, 1):
                    raise SystemExit(f"{workload.name}: status {run.status}")
                kib.append(run.kib)
            workload.before(machine.place)
            instructions = machine.instructions(workload.command, workload.function)
            found[workload.name] = Figures(instructions, statistics.median(kib))
    return found


def compare(recorded, measured):
    """What differs by more than the tolerance, a line each."""
    lines = []
    for name in sorted(recorded.keys() - measured.keys()):
        lines.append(f"{name}: has figures, but there is no such workload")
    for name, figures in measured.items():
        if name not in recorded:
            lines.append(f"{name}: has no figures")
            continue
        for measure, unit, percent in TOLERANCES:
            before, now = (getattr(of, measure) for of in (recorded[name], figures))
            change = (now - before) / before * 100
            if abs(change) > percent:
                verb = "rose" if change > 0 else "fell"
                lines.append(
                    f"{name}: {measure} {verb} by {abs(change):.1f} %, from {before:,} to {now:,}"
                    f"{unit} (tolerance {percent} %)"
                )
    return lines


def read(text):
    """The figures in the text of the file, and the versions that they were recorded with."""
    found, recorded_with = {}, {}
    for line in text.splitlines():
        if line.startswith("# ") and ": " in line:
            name, version = line[2:].split(": ", 1)
            recorded_with[name] = version
        elif line and not line.startswith(("#", "workload\t")):
            name, instructions, kib = line.split("\t")
            found[name] = Figures(int(instructions), int(kib))
    return found, recorded_with


def written(figures, recorded_with):
    """The text of the file."""
    lines = [f"# {name}: {version}" for name, version in recorded_with.items()]
    lines.append("workload\tinstructions\tmemory")
    lines += [f"{name}\t{of.instructions}\t{of.memory}" for name, of in figures.items()]
    return "\n".join(lines) + "\n"


def report(lines, recorded_with, here):
    """What a person reads when figures have changed."""
    text = ["Figures have changed:", *(f"  {line}" for line in lines), ""]
    other = [
        f"{name} {version} (recorded with {recorded_with.get(name)})"
        for name, version in here.items()
        if version != recorded_with.get(name)
    ]
    if other:
        text += ["Part of it may be due to this machine: " + ", ".join(other) + ".", ""]
    return "\n".join(
        text
        + [
            "If a rise is not worth its price, undo it. Otherwise record the figures, and give",
            "the reason of each rise in the body of the commit. Record falls too, so that the",
            "next rise is noticed:",
            "",
            "    python3 tests/performance/figures.py --write",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pcl", help="the binary, a release build; built if it is not given")
    parser.add_argument("--in-process", help="the program of that name; built if it is not given")
    parser.add_argument("--write", action="store_true", help="record the figures")
    arguments = parser.parse_args()
    try:
        here = versions()
        recorded, recorded_with = read(FIGURES.read_text()) if FIGURES.exists() else ({}, {})
        if not arguments.write and here["machine"] != recorded_with.get("machine"):
            print(f"skipped: the figures are those of {recorded_with.get('machine')}")
            return 0
        pcl = arguments.pcl or built("--package", "pulumi-pcl", "--bin", "pcl")
        in_process = arguments.in_process or built("--package", "pcl-performance")
        measured = measure(pcl, in_process)
    except Missing as missing:
        print(f"skipped: {missing}")
        return 0
    print(f"{'instructions':>14}{'memory, KiB':>13}  workload")
    for name, of in measured.items():
        print(f"{of.instructions:14,}{of.memory:13,}  {name}")
    lines = compare(recorded, measured)
    if arguments.write:
        FIGURES.write_text(written(measured, here))
        print("\n".join(["", *lines, f"recorded in {FIGURES}"]))
        return 0
    if lines:
        print("\n" + report(lines, recorded_with, here))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
