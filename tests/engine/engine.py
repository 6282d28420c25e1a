"""The programs under test, and an environment for them that has nothing of the user's."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


class Trouble(Exception):
    """The tests cannot run."""


def program(path):
    path = pathlib.Path(path).resolve()
    if not os.access(path, os.X_OK):
        raise Trouble(f"{path} is not a program")
    return path


def isolated(place):
    """The environment of programs that keep everything below a directory and use no network."""
    place = pathlib.Path(place)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PULUMI_")}
    directories = {"HOME": "home", "PULUMI_HOME": "pulumi", "TMPDIR": "tmp"}
    directories = {name: place / directory for name, directory in directories.items()}
    for directory in directories.values():
        directory.mkdir(parents=True, exist_ok=True)
    return kept | {name: os.fspath(path) for name, path in directories.items()} | {
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK": "true",
        # The engine would look for every plugin on the network, which takes seconds where there is
        # none.
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        # The indexes of schemas.
        "PCL_CACHE_DIR": os.fspath(place / "cache"),
    }  # fmt: skip


class Home:
    """An isolated environment with the command, the host and plugins."""

    def __init__(self, place, engine, host, passphrase):
        self.place, engine = pathlib.Path(place), pathlib.Path(engine)
        stacks, binaries = self.place / "stacks", self.place / "bin"
        stacks.mkdir()
        binaries.mkdir()
        self.environment = isolated(self.place / "isolated") | {
            "PULUMI_BACKEND_URL": f"file://{stacks}",
            "PULUMI_CONFIG_PASSPHRASE": passphrase,
        }
        self.environment["PATH"] = f"{binaries}:{self.environment['PATH']}"
        (binaries / "pulumi").symlink_to(program(engine / "pulumi"))
        (binaries / "pulumi-language-pcl").symlink_to(program(host))
        # One program serves both, by its name.
        for plugin in (self.plugin("simple", "2.0.0"), self.plugin("component", "13.3.7")):
            plugin.symlink_to(program(engine / "pulumi-resource-simple"))
        shelf = self.plugin("shelf", "0.1.0")
        shelf.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{HERE / 'shelf.py'}' \"$@\"\n")
        shelf.chmod(0o755)

    def plugin(self, name, version):
        """The path of the program of a plugin."""
        home = pathlib.Path(self.environment["PULUMI_HOME"])
        path = home / f"plugins/resource-{name}-v{version}/pulumi-resource-{name}"
        path.parent.mkdir(parents=True)
        return path

    def start(self, directory, *arguments):
        """A running `pulumi`, whose output is one stream."""
        return subprocess.Popen(
            ["pulumi", "--non-interactive", "--color", "never", *arguments],
            cwd=directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


class Child:
    """A running program, whose output is kept in files."""

    def __init__(self, name, command, place, environment):
        self.name = name
        self.output = pathlib.Path(place) / f"{name}.out"
        self.errors = pathlib.Path(place) / f"{name}.err"
        self.seconds, self.peak = 0.0, 0
        with open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=environment,
                # A group of its own, to stop with all that it starts.
                start_new_session=True,
            )

    def announced(self, pattern, timeout=60):
        """What the program prints first, when it matches a pattern."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            status = self.process.poll()
            if found := re.match(pattern, self.output.read_text(errors="replace")):
                return found[1]
            if status is not None:
                raise Trouble(f"{self.describe_end()}\n{self.log()}")
            time.sleep(0.01)
        raise Trouble(f"the {self.name} does not say where it listens\n{self.log()}")

    def has_ended(self):
        return self.process.poll() is not None

    def describe_end(self):
        return f"the {self.name} ended with status {self.process.poll()}"

    def log(self, limit=4000):
        """The end of what the program wrote to standard error."""
        return self.errors.read_text(errors="replace")[-limit:]

    def measure(self):
        """Takes down the processor time in seconds and the peak memory in bytes, up to now."""
        if self.has_ended():
            return
        process = pathlib.Path("/proc", str(self.process.pid))
        self.peak = 1024 * int(re.search(r"VmHWM:\s*(\d+)", (process / "status").read_text())[1])
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        self.seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self.has_ended():
                break
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                continue
