#!/usr/bin/env python3
"""Runs Pulumi's conformance suite on the programs that `pcl convert` writes.

    python3 tests/generated/judge.py nodejs --engine DIRECTORY --hosts DIRECTORY --shared ../shared
        --modules node_modules --pcl target/release/pcl

The engine is what tests/engine/build.sh makes, and the hosts are what build.sh here makes. For each
test the host of the language runs what `pcl` wrote. The tests that have to pass are listed in
LANGUAGE.json, which `--write` records.

    nodejs  a thin host in the shared directory, which compiles the programs with `tsc` and runs
            them with the SDK in `--modules`, a directory that npm made
    python  the same host, with the interpreter `--python`, which has the packages that Pulumi's
            SDK needs; the SDK itself is beside the hosts
    go      the same host, which builds the programs; the SDK is in Go's cache of modules, and what
            it needs has to be there
    java    Pulumi's own host, behind a proxy in the shared directory; the SDK is in the jars that
            tests/java/pom.xml fetches
    yaml    Pulumi's own host, behind a proxy in the shared directory; with `--back CONVERTER`, each
            project is also converted to PCL again, and that is converted and run: `pulumi` is
            Pulumi's converter, and `pcl` is ours

With `--control` Pulumi's own generator writes the programs, which says what the suite, the hosts,
the SDKs and the way back are worth. Without a way back, the tests that fail are listed, with their
reasons, in known-LANGUAGE.txt, here, in the shared directory, or for Java in tests/engine.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(os.fspath(HERE.parent / "engine"))

from conformance import Floor, Host, add_arguments, judge, one_line, scratch  # noqa: E402
from engine import Child, Trouble, isolated, program  # noqa: E402

# Left out always: its 100 MiB take longer than all other tests, and 6 GB.
LARGE = "l2-large-string"

# The module of Pulumi's SDK for Go.
SDK = "github.com/pulumi/pulumi/sdk/v3"


class Known:
    """The tests that are known to fail, each on a line with the reason."""

    def __init__(self, path):
        self.path = path
        lines = [line for line in path.read_text().splitlines() if line]
        self.notes = [line for line in lines if line.startswith("#")]
        self.reasons = dict(line.split(None, 1) for line in lines if not line.startswith("#"))
        self.listed = set(self.reasons)

    def required(self, names):
        return set(names) - self.listed

    def write(self, found):
        reasons = {name: reason for name, reason in self.reasons.items() if name not in found}
        for name, complaints in found.items():
            if complaints:
                reasons[name] = self.reasons.get(name) or one_line(complaints[:1], 100)
        width = max(map(len, reasons), default=0)
        lines = [f"{name:{width}}  {reason}" for name, reason in sorted(reasons.items())]
        self.path.write_text("\n".join(self.notes + lines) + "\n")


def thin(options, language):
    """The command of the thin host for a language of ours."""
    command = [program(options.hosts / "thin-host"), "--language", options.language]
    command += ["--cache", os.fspath(options.cache.resolve())] if options.cache else []
    if not options.control:
        words = f"{program(options.pcl)} convert --to {language} {{source}} --out {{out}} --quiet"
        words += " --allow-incomplete"
        words += " --loader-address {loader} --name {name} --isolated --compat pulumi"
        if language == "go":
            words = f"{sys.executable} {HERE / 'local_sdks.py'} {{out}} {words}"
        command += ["--generator", words]
    return command


def python(options):
    """The thin host for Python."""
    # A link to an interpreter is what makes it that of a virtual environment.
    interpreter = os.path.abspath(options.python)
    return Host(
        [*thin(options, "python"), "--python", interpreter],
        "python",
        core_sdk=os.fspath((options.hosts / "python-sdk").resolve()),
        core_version=(options.hosts / "python-sdk.version").read_text().strip(),
    )


def golang(options):
    """The thin host for Go. What programs are built with is there: no module is fetched."""

    def ask(*words):
        command = ["go", *words]
        return subprocess.run(
            command, cwd=HERE.parent / "engine", capture_output=True, text=True, check=True
        ).stdout.split()

    place, version = ask("list", "-m", "-f", "{{.Dir}} {{.Version}}", SDK)
    # The session has a home of its own.
    names = ["GOCACHE", "GOMODCACHE"]
    kept = dict(zip(names, ask("env", *names), strict=True))
    return Host(
        thin(options, "go"),
        "go",
        core_sdk=place,
        core_version=version.removeprefix("v"),
        environment=kept | {"GOPROXY": "off", "GOSUMDB": "off"},
    )


def nodejs(options):
    """The thin host for Node.js."""
    modules = options.modules.resolve()
    sdk = modules / "@pulumi/pulumi"
    return Host(
        thin(options, "typescript"),
        "nodejs",
        core_sdk=os.fspath(sdk),
        core_version=json.loads((sdk / "package.json").read_text())["version"],
        environment={"PATH": f"{modules / 'node/bin'}:{os.environ['PATH']}"},
    )


def java(options):
    """Pulumi's host for Java, behind the proxy that answers in its place, with stand-ins for Maven
    and Gradle. It crashes in some tests, and is started again."""
    shared, cache = options.shared.resolve(), options.cache.resolve()
    front = shared / "check/hosts/front/java"
    jars = options.java.resolve() / "classpath.txt"
    version = re.search(r"/com/pulumi/pulumi/([^/]+)/", jars.read_text())[1]
    core = cache / f"core-{version}"
    core.mkdir(parents=True, exist_ok=True)
    (core / "core").write_text(f"com.pulumi:pulumi:{version}\n")
    pack = [sys.executable, HERE / "java_pack.py", front / "pack.py", cache]
    command = [sys.executable, HERE / "java_host.py", shared, "--restart", "ended"]
    command += ["--host", program(options.hosts / "pulumi-language-java")]
    command += ["--pack", shlex.join(map(os.fspath, pack))]
    if not options.control:
        words = shlex.quote(os.fspath(program(options.pcl)))
        command += ["--language", "java", "--dependencies", "given", "--pcl", words]
        command += ["--convert-args", "--allow-incomplete --compat pulumi"]
    path = f"{front / 'bin'}:{os.environ['PATH']}"
    return Host(
        command,
        "java",
        core_sdk=os.fspath(core),
        core_version=version,
        is_restarted=True,
        environment={"PATH": path, "JAVA_CLASSPATH_FILE": os.fspath(jars)},
    )


HOSTS = {"nodejs": nodejs, "python": python, "go": golang, "java": java}


class Log:
    """The calls that the proxy for YAML takes down: what the host said, and what could not be
    translated."""

    def __init__(self, path):
        self.path, self.seen = path, 0
        path.touch()

    def remarks(self):
        """The remarks since the last time."""
        lines = self.path.read_text().splitlines()
        calls = [json.loads(line) for line in lines[self.seen :]]
        self.seen = len(lines)
        return list(dict.fromkeys(text for call in calls for text in remarks(call)))


def remarks(call):
    for diagnostic in call.get("diagnostics", []):
        if diagnostic["code"] == "PCL1201":
            yield f"PCL1201: {diagnostic['message']}"
    if refused := re.search("Failed to generate YAML program: (.*)", call.get("error", "")):
        yield refused[1]
    said = re.sub(r"\x1b\[[0-9;]*m", "", call.get("said", ""))
    for text in re.split(r"\n\s*\n", said):
        if text.startswith(("Error:", "panic:")):
            yield text


def yaml(options, log):
    """Pulumi's host for YAML, behind the proxy that answers in its place. A host works in the
    directory of a project, and is of no use when that is gone: each project has a new one."""
    proxy = options.shared.resolve() / "check/hosts/front/front_host.py"
    command = [sys.executable, proxy, "--host", program(options.hosts / "pulumi-language-yaml")]
    command += ["--restart", "project", "--log", log.path]
    if not options.control:
        command += ["--language", "yaml", "--pcl", shlex.quote(os.fspath(program(options.pcl)))]
    return Host(command, "yaml", remarks=log.remarks)


@contextlib.contextmanager
def converter(options, place):
    """The address of the converter from YAML, if one is needed."""
    if not options.back:
        yield ""
        return
    if options.back == "pcl":
        # The name of the program says that it is the converter. It would end with an engine.
        executable = place / "pulumi-converter-pcl-yaml"
        executable.symlink_to(program(options.pcl).resolve())
        command = [executable]
    else:
        # It insists on the address of an engine, and does not use it.
        command = [program(options.hosts / "pulumi-converter-yaml"), "127.0.0.1:1"]
    child = Child("converter", command, place, isolated(place / "converter"))
    try:
        port = child.announced(r"(\d+)\n")
        yield f"127.0.0.1:{port}"
    finally:
        child.stop()


def list_failures(options, found):
    """Says which failures are ours: those of programs that Pulumi's generator has no trouble with,
    and in YAML those of programs that are converted without a warning that something is lost."""
    failed = {name: complaints for name, complaints in found.items() if complaints}
    groups = {}
    # The way back has faults of its own.
    if not options.back:
        groups["fail, and pass with Pulumi's generator"] = failed.keys() - known(options).listed
    if options.language == "yaml":
        silent = [name for name, complaints in failed.items() if "PCL1201" not in str(complaints)]
        groups["fail without PCL1201"] = silent
    for text, names in groups.items():
        if names:
            print(f"{text}: {', '.join(sorted(names))}")


def floor(options):
    """The file with the tests that have to pass."""
    ways = {None: "", "pulumi": "-back", "pcl": "-entrance"}
    return HERE / f"{options.language}{ways[options.back]}{'-control' * options.control}.json"


def known(options):
    places = {"yaml": HERE, "java": HERE.parent / "engine"}
    place = places.get(options.language, options.shared / "check/hosts/thin")
    return Known(place / f"known-{options.language}.txt")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("language", choices=["nodejs", "python", "go", "java", "yaml"])
    add_arguments(parser)
    environment = os.environ.get
    parser.add_argument("--pcl", default=environment("PCL_BINARY"), help="the command")
    parser.add_argument("--hosts", type=pathlib.Path, required=True, help="the hosts")
    parser.add_argument("--shared", type=pathlib.Path, required=True, help="the shared directory")
    parser.add_argument("--modules", type=pathlib.Path, help="`node_modules`, for nodejs")
    parser.add_argument("--python", help="the interpreter, for python")
    parser.add_argument("--java", type=pathlib.Path, help="the list of jars, for java")
    parser.add_argument("--cache", type=pathlib.Path, help="keeps compiled SDKs")
    parser.add_argument("--every", type=int, default=1, help="run one of so many listed tests")
    parser.add_argument("--control", action="store_true", help="run Pulumi's own generator")
    parser.add_argument("--back", choices=["pulumi", "pcl"], help="the way back to PCL, for yaml")
    options = parser.parse_intermixed_args()
    if options.language == "nodejs" and not options.modules:
        parser.error("--modules is needed")
    if options.language == "python" and not options.python:
        parser.error("--python is needed")
    if options.language == "java" and not (options.java and options.cache):
        parser.error("--java and --cache are needed")
    if options.back and options.language != "yaml":
        parser.error("--back is for yaml")
    if options.language == "yaml":
        # A new host for a project is the end of the one before it.
        options.jobs = 1
    options.skip.append(LARGE)
    return options


def main():
    options = arguments()
    expected = known(options) if options.control and not options.back else Floor(floor(options))
    if options.every > 1:
        options.tests = sorted(expected.listed)[:: options.every]
    with scratch(None) as place, converter(options, place) as address:
        if options.language == "yaml":
            host = yaml(options, Log(place / "log"))
        else:
            host = HOSTS[options.language](options)
        host.converter = address
        found, status = judge(options, host, expected)
        if not options.control:
            list_failures(options, found)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        sys.exit(f"judge: {trouble}")
