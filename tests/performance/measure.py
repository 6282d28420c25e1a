#!/usr/bin/env python3
"""Measures `pcl` and prints the tables of the section Programs of docs/performance.md.

    python3 tests/performance/measure.py [--reference PATH] [--write] [--pcl PATH] [--quick]

Each time is the best of five series. Every series runs an empty C program too, as often and in
between: its time is printed above the table, and a machine on which it is slow is busy. --reference
is a program that is called with a directory of schemas and the directory of a program, and binds it
with Pulumi's binder; reference/main.go beside this file is one. Without it, the figures that were
recorded with it are shown. --write replaces the tables in docs/performance.md and draws
docs/performance.svg.

The rows about azure-native need the shared corpus, `../shared`, and are left out without it.
"""

import argparse
import gzip
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

import chart
import programs
from machine import Machine, built

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = ROOT.parent / "shared"
DOCUMENT = ROOT / "docs/performance.md"
RECORDED = pathlib.Path(__file__).resolve().parent / "reference.json"
MARKS = "<!-- Written by tests/performance/measure.py. -->", "<!-- End. -->"
SERIES = 5
SIZES = 8, 800, 8000, 80_000
CHECK = ["./pcl", "check", "--quiet", "--schema-dir", "schemas"]


class Measurement:
    """What is measured, on one machine."""

    def __init__(self, machine, quick):
        self.machine = machine
        self.quick = quick
        self.empty = []

    def best(self, command, times, before=lambda: None):
        """The shortest time of five series, and the most memory, in bytes."""
        runs = []
        for _ in range(1 if self.quick else SERIES):
            self.empty += self.machine.run([self.machine.empty], times=min(times, 10))
            # What has to be done before each run is done before a series of one.
            before()
            runs += self.machine.run(command, times=times)
        wrong = [run.status for run in runs if run.status not in (0, 1)]
        if wrong:
            raise SystemExit(f"{command}: status {wrong[0]}")
        return min(run.seconds for run in runs), max(run.kib for run in runs) * 1024

    def start(self):
        """What `pcl version` takes longer than an empty program, in seconds."""
        seconds, _ = self.best(["./pcl", "version"], 40)
        return seconds - min(run.seconds for run in self.empty)

    def nodes(self):
        """Time, memory and instructions of a check, by the number of nodes."""
        found = {}
        for count in SIZES:
            command = [*CHECK, "-j", "1", f"nodes-{count}"]
            seconds, memory = self.best(command, 4 if count == 80_000 else 20)
            found[count] = seconds, memory, self.machine.instructions(command)
        return found

    def reference(self, path):
        """The time and memory of the reference, by the number of nodes."""
        found = {}
        for count in SIZES:
            command = [path, "schemas", f"nodes-{count}"]
            times = 1 if count > 8000 else 3
            # One core, like ours.
            runs = self.machine.run(command, times, environment={"GOMAXPROCS": "1"})
            if any(run.status for run in runs):
                raise SystemExit(f"{path}: status {[run.status for run in runs]}")
            kib = max(run.kib for run in runs)
            found[count] = round(min(run.seconds for run in runs), 4), kib * 1024
        return found

    def edit(self):
        """The time of typing a character into 10,000 lines and checking them again, in seconds."""
        command = ["./in-process", "edit", "schemas", "nodes-1856", "40"]
        command = [os.fspath(self.machine.place / command[0]), *command[1:]]
        runs = [
            subprocess.run(command, cwd=self.machine.place, check=True, stdout=subprocess.PIPE)
            for _ in range(1 if self.quick else SERIES)
        ]
        return min(float(run.stdout.split()[0]) for run in runs) / 1e3


def parse_speed(quick):
    """How many times as fast as hcl-edit files are parsed, with fresh and with reused memory."""
    command = ["cargo", "bench", "--quiet", "--locked", "-p", "pcl-syntax"]
    generator = SHARED / "check/concat.py"
    if generator.exists():
        file = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / "pcl-performance-20-mb.pp"
        subprocess.run([sys.executable, generator, file, "20"], check=True, stdout=subprocess.PIPE)
        command += ["--", os.fspath(file)]
    # The settings with which the C library keeps memory for the next file.
    kept = {"TRIM_THRESHOLD_": 10**9, "MMAP_THRESHOLD_": 10**9, "TOP_PAD_": 2 * 10**8}
    kept = {f"MALLOC_{name}": str(value) for name, value in kept.items()}
    found = []
    for environment in ({}, kept):
        ratios = []
        for _ in range(1 if quick else 3):
            output = subprocess.run(
                command, cwd=ROOT, env=os.environ | environment, check=True,
                stdout=subprocess.PIPE, text=True,
            ).stdout  # fmt: skip
            ours, theirs = (
                float(re.search(rf"^{name} +([0-9.]+) ms", output, re.MULTILINE)[1])
                for name in ("lex, parse, tree", "hcl-edit")
            )
            ratios.append(theirs / ours)
        found.append(max(ratios))
    return found


def azure_native(measurement):
    """The programs over the largest known schema: those that one run checks, and a first run."""
    machine = measurement.machine
    schemas = sorted((SHARED / "corpus/schemas/providers").glob("azure-native-*.json.gz"))
    if not schemas:
        return None
    name = schemas[0].name.removesuffix(".json.gz")
    place = machine.place / "azure"
    place.mkdir()
    with gzip.open(schemas[0]) as packed:
        (place / f"{name}.json").write_bytes(packed.read())
    # The index of a file that changed less than two seconds ago is not kept.
    time.sleep(2.5)
    directory = SHARED / "corpus/programs/examples" / name
    files = sorted(directory.glob("*.pp"))
    check = ["./pcl", "check", "--quiet", "--schema-dir", "azure"]
    one, two = (measurement.best([*check, "-j", jobs, *files], 4)[0] for jobs in "12")
    instructions = machine.instructions([*check, "-j", "1", *files])

    def forget():
        for index in (machine.place / "cache").rglob("*.index"):
            index.unlink()

    cold = min(
        measurement.best([*check, "-j", "1", files[0]], 1, forget)[0] for _ in range(3)
    )
    return len(files), one, two, instructions, cold


def seconds(value):
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.{1 if value < 0.1 else 0}f} ms"


def megabytes(value):
    return f"{value / 1e6:,.0f} MB"


def tables(figures):
    """The text between the marks of the document."""
    text = wrapped(
        f"Measured on {figures['machine']}, where an empty C program takes "
        f"{seconds(figures['empty'])}, started the same way."
    )
    recorded = " (recorded earlier)" if figures["reference_is_recorded"] else ""
    text += [
        "",
        f"| nodes | time | memory | instructions | Pulumi's binder{recorded} | factor |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for count, (time_, memory, instructions) in figures["nodes"].items():
        theirs, factor = "", ""
        if count in figures["reference"]:
            their_time, their_memory = figures["reference"][count]
            theirs = f"{seconds(their_time)}, {megabytes(their_memory)}"
            factor = f"{their_time / time_:.0f} ×"
        text.append(
            f"| {count:,} | {seconds(time_)} | {megabytes(memory)} | {instructions / 1e6:,.1f} M "
            f"| {theirs} | {factor} |"
        )
    nodes = figures["nodes"]
    rows = [
        ("`pcl version`, beyond the empty program", f"+{figures['start'] * 1e3:.2f} ms", "+0.3 ms"),
        (
            "time of 80,000 nodes over that of 8,000",
            f"{nodes[80_000][0] / nodes[8000][0]:.1f}",
            "11",
        ),
        ("typing a character into 10,000 lines", seconds(figures["edit"]), "3 ms"),
        (
            "speed of parsing over `hcl-edit`, memory fresh, reused",
            " ×, ".join(f"{ratio:.1f}" for ratio in figures["parse"]) + " ×",
            "14 ×, 18 ×",
        ),
    ]
    if figures["azure"]:
        count, one, two, instructions, cold = figures["azure"]
        rows += [
            (f"{count:,} programs of azure-native, one thread", seconds(one), "0.10 s"),
            ("instructions for each of them", f"{instructions / count / 1e3:.0f} k", ""),
            ("the same with two threads, times as fast", f"{one / two:.1f} ×", "1.9 ×"),
            ("one of them, without an index of the schema", seconds(cold), "25 ms"),
        ]
    text += ["", "| what | measured | goal |", "|---|---:|---:|"]
    return text + [f"| {' | '.join(row)} |" for row in rows]


def wrapped(text, width=100):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def machine_name():
    """The processor and the number of its cores that are here."""
    info = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    name = found[1] if found else platform.machine()
    return f"{os.cpu_count()} cores of {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pcl", help="the binary, a release build; built if it is not given")
    parser.add_argument("--in-process", help="the program of that name; built if it is not given")
    parser.add_argument("--reference", help="a program that binds with Pulumi's binder")
    parser.add_argument("--write", action="store_true", help="change the document and the chart")
    parser.add_argument("--quick", action="store_true", help="one series, to try it out")
    arguments = parser.parse_args()
    binaries = {
        "pcl": arguments.pcl or built("--package", "pulumi-pcl", "--bin", "pcl"),
        "in-process": arguments.in_process or built("--package", "pcl-performance"),
    }
    with Machine() as machine:
        for name, path in binaries.items():
            (machine.place / name).symlink_to(pathlib.Path(path).resolve())
        programs.write(machine.place / "schemas/random-4.21.1.json", programs.SCHEMA.read_text())
        for count in (*SIZES, 1856):
            programs.write(machine.place / f"nodes-{count}/main.pp", programs.nodes(count))
        measurement = Measurement(machine, arguments.quick)
        figures = {
            "machine": machine_name(),
            "start": measurement.start(),
            "nodes": measurement.nodes(),
            "edit": measurement.edit(),
            "azure": azure_native(measurement),
            "parse": parse_speed(arguments.quick),
            "reference_is_recorded": not arguments.reference,
        }
        if arguments.reference:
            reference = measurement.reference(pathlib.Path(arguments.reference).resolve())
            if arguments.write:
                RECORDED.write_text(json.dumps(reference) + "\n")
        else:
            reference = {int(size): of for size, of in json.loads(RECORDED.read_text()).items()}
        figures["reference"] = reference
        figures["empty"] = min(run.seconds for run in measurement.empty)
    text = "\n".join(tables(figures))
    print(text)
    if arguments.write:
        document = DOCUMENT.read_text()
        start, end = (document.index(mark) for mark in MARKS)
        DOCUMENT.write_text(f"{document[:start]}{MARKS[0]}\n\n{text}\n\n{document[end:]}")
        ours = {count: (of[0], of[1]) for count, of in figures["nodes"].items()}
        (ROOT / "docs/performance.svg").write_text(chart.draw(ours, figures["reference"]))


if __name__ == "__main__":
    main()
