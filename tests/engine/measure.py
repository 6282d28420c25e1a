#!/usr/bin/env python3
"""Measures the language host and prints the table of the section Language host of
docs/performance.md.

    python3 tests/engine/measure.py --host target/release/pulumi-language-pcl --engine DIRECTORY

Each figure is the best of five. Processor time is that of all hosts that a command starts, which is
two for a preview and for an update, and memory is the peak of the larger one. --write replaces the
table in the document. A C compiler is needed.
"""

import argparse
import os
import pathlib
import platform
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from engine import HERE, Home, Trouble, program

DOCUMENT = HERE.parent.parent / "docs/performance.md"
MARKS = "<!-- Written by tests/engine/measure.py. -->", "<!-- End. -->"
SIZES = 1, 100, 1000
PACKAGE = 'package {\n  baseProviderName = "simple"\n  baseProviderVersion = "2.0.0"\n}\n'
MIB = 2**20
# Pulumi's own host, v3.259.0, measured in the same way on two cores: seconds and MiB, the best of
# several runs. Its program is not published as a module, and so not built here.
REFERENCE = {
    "start": (0.028, None),
    1: (0.05, 39),
    100: (0.09, 43),
    1000: (0.48, 71),
    "update": (0.6, 69),
    "suite": (11.6, 76),
}


class Hosts:
    """A stand-in for the host that takes down what each process costs."""

    def __init__(self, host, place):
        self.path, self.usage = place / "measured-host", place / "usage"
        definitions = {"PROGRAM": host, "USAGE": self.usage}
        flags = [f'-D{name}="{path}"' for name, path in definitions.items()]
        subprocess.run(["cc", "-O2", *flags, HERE / "usage.c", "-o", self.path], check=True)

    def cost(self, command):
        """The processor time and the peak memory of the hosts that a command starts."""
        self.usage.unlink(missing_ok=True)
        command()
        lines = [line.split() for line in self.usage.read_text().splitlines()]
        processor = sum(int(microseconds) for microseconds, _ in lines) / 1e6
        return processor, max(int(kib) for _, kib in lines) / 1024


def best(costs):
    """The shortest time and the least memory."""
    times, memories = zip(*costs)
    return min(times), min(memories)


def start_to_port(host, times):
    """The seconds until a host prints its port, the shortest and the median."""
    with socket.create_server(("127.0.0.1", 0)) as engine:
        address = "127.0.0.1:{}".format(engine.getsockname()[1])
        found = []
        for _ in range(times):
            start = time.perf_counter()
            process = subprocess.Popen([host, address], stdout=subprocess.PIPE)
            process.stdout.readline()
            found.append(time.perf_counter() - start)
            process.terminate()
            process.wait()
            process.stdout.close()
    return min(found), statistics.median(found)


class Stack:
    """A stack of a number of resources."""

    def __init__(self, home, count):
        self.home, self.place = home, home.place / f"resources-{count}"
        self.place.mkdir()
        (self.place / "Pulumi.yaml").write_text(f"name: resources-{count}\nruntime: pcl\n")
        resource = 'resource "r{}" "simple:index:Resource" {{\n  value = true\n}}\n'
        resources = "".join(resource.format(number) for number in range(count))
        (self.place / "main.pp").write_text(PACKAGE + resources)
        self.pulumi("stack", "init", "dev")

    def pulumi(self, *arguments):
        process = self.home.start(self.place, *arguments)
        output, _ = process.communicate(timeout=600)
        if process.returncode:
            raise Trouble(f"pulumi {arguments}:\n{output}")


def suite(options):
    """The processor time and peak memory of a host in the conformance suite."""
    command = [sys.executable, HERE / "conformance.py", "--skip", "l2-large-string"]
    command += ["--engine", options.engine, "--host", options.host]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r"^host: ([0-9.]+) s .*, ([0-9.]+) MiB", output, re.MULTILINE)
    if not found:
        raise Trouble(output)
    return float(found[1]), float(found[2])


def measure(options):
    """The figures by the keys of REFERENCE."""
    host, times = program(options.host), 1 if options.quick else 5
    found = {"start": (start_to_port(host, 4 * times)[0], None)}
    with tempfile.TemporaryDirectory(prefix="pcl-host-performance-") as place:
        hosts = Hosts(host, pathlib.Path(place))
        home = Home(place, options.engine, hosts.path, "passphrase")
        for count in SIZES:
            stack = Stack(home, count)
            previews = [hosts.cost(lambda: stack.pulumi("preview")) for _ in range(times)]
            found[count] = best(previews)
        up = ["up", "--yes", "--skip-preview"]
        stack.pulumi(*up)
        updates = [hosts.cost(lambda: stack.pulumi(*up)) for _ in range(times)]
        found["update"] = best(updates)
    if not options.quick:
        found["suite"] = suite(options)
    return found


def cell(figure):
    seconds, mib = figure
    time_ = f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1e3:.{seconds < 0.1:d}f} ms"
    return time_ if mib is None else f"{time_}, {mib:.0f} MiB"


def table(found):
    names = {
        "start": "start to port, elapsed time",
        1: "preview of 1 resource",
        100: "preview of 100 resources",
        1000: "preview of 1,000 resources",
        "update": "update that changes nothing, 1,000 resources",
        "suite": "conformance suite without `l2-large-string`",
    }
    heading = ["processor time, peak memory", "`pcl`", "Pulumi's own host", "factor"]
    lines = [f"| {' | '.join(heading)} |", "|---|---:|---:|---:|"]
    for key, figure in found.items():
        factor = REFERENCE[key][0] / figure[0]
        row = [names[key], cell(figure), cell(REFERENCE[key]), f"{factor:.{factor < 10:d}f} ×"]
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def machine_name():
    info = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return f"{os.cpu_count()} cores of {found[1] if found else platform.machine()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--host", default=os.environ.get("PCL_HOST_BINARY"), help="a release build")
    parser.add_argument("--engine", default=os.environ.get("PCL_ENGINE_DIR"), help="its directory")
    parser.add_argument("--write", action="store_true", help="change the document")
    parser.add_argument("--quick", action="store_true", help="one run of each, to try it out")
    options = parser.parse_args()
    if not options.host or not options.engine:
        parser.error("--host and --engine are needed, or PCL_HOST_BINARY and PCL_ENGINE_DIR")
    text = f"Measured on {machine_name()}:\n\n{table(measure(options))}"
    print(text)
    if options.write:
        before, mark, rest = DOCUMENT.read_text().partition(MARKS[0])
        after = rest[rest.index(MARKS[1]) :]
        DOCUMENT.write_text(f"{before}{mark}\n\n{text}\n\n{after}")


if __name__ == "__main__":
    try:
        main()
    except Trouble as trouble:
        sys.exit(f"measure: {trouble}")
