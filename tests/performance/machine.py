"""Running programs on this machine: their times, their peak memory, their instructions."""

import collections
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

Run = collections.namedtuple("Run", "seconds processor kib status")


class Missing(Exception):
    """A tool that is not on this machine."""


def compiled(source, name, place):
    """The path of a C program that is compiled to a directory."""
    if not shutil.which("cc"):
        raise Missing("there is no C compiler")
    path = pathlib.Path(place) / name
    subprocess.run(["cc", "-O2", "-x", "c", "-", "-o", path], input=source, text=True, check=True)
    return path


class Machine:
    """A working directory with the programs that measure.

    Commands run in this directory with no environment but the places of the cache and of Pulumi's
    home, so that neither the machine nor the length of paths has a part in the figures.
    """

    ENVIRONMENT = {"PCL_CACHE_DIR": "cache", "PULUMI_HOME": "pulumi"}

    def __init__(self):
        self._place = tempfile.TemporaryDirectory(prefix="pcl-performance-")
        self.place = pathlib.Path(self._place.name)
        self._run = compiled((HERE / "run.c").read_text(), "run", self.place)
        self.empty = compiled("int main(void) { return 0; }", "empty", self.place)
        # Neither a configuration file nor a repository above the directory counts.
        (self.place / "pcl.toml").write_text("")
        (self.place / ".git").mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._place.cleanup()

    def run(self, command, times=1, repeatable=False, environment=None):
        """Runs a command a number of times. If `repeatable`, its memory is the same every time:
        the system gives it no large pages and loads it where it always does."""
        words = [self._run, str(times), "0" if repeatable else "1", *command]
        output = subprocess.run(
            [os.fspath(word) for word in words],
            cwd=self.place,
            env=self.ENVIRONMENT | (environment or {}),
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        runs = []
        for line in output.splitlines():
            nanoseconds, microseconds, kib, status = map(int, line.split())
            runs.append(Run(nanoseconds / 1e9, microseconds / 1e6, kib, status))
        return runs

    def instructions(self, command, only=None):
        """The instructions of a command, counted by callgrind: all, or those of one function."""
        words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        words += [f"--toggle-collect={only}"] if only else []
        done = subprocess.run(
            [os.fspath(word) for word in [shutil.which(words[0]), *words[1:], *command]],
            cwd=self.place,
            env=self.ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        found = re.search(r"Collected : (\d+)", done.stderr)
        if not found or done.returncode > 1:
            raise SystemExit(f"{command}: status {done.returncode}\n{done.stderr}")
        return int(found[1])


def built(*target):
    """The path of a target, built as it is published."""
    command = ["cargo", "build", "--profile", "dist", "--locked", "--message-format=json", *target]
    output = subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = map(json.loads, output.splitlines())
    paths = [message["executable"] for message in messages if message.get("executable")]
    return pathlib.Path(paths[-1])


def versions():
    """What instruction counts depend on besides `pcl`."""
    if not shutil.which("valgrind"):
        raise Missing("there is no valgrind")
    rustc = subprocess.run(["rustc", "--version"], stdout=subprocess.PIPE, text=True).stdout
    valgrind = subprocess.run(["valgrind", "--version"], stdout=subprocess.PIPE, text=True).stdout
    return {
        "machine": platform.machine(),
        "rustc": " ".join(rustc.split()[1:2]),
        "libc": " ".join(platform.libc_ver()),
        "valgrind": valgrind.strip().removeprefix("valgrind-"),
    }
