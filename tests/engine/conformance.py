#!/usr/bin/env python3
"""Runs Pulumi's conformance suite against the language host.

    python3 tests/engine/conformance.py --host target/release/pulumi-language-pcl --engine DIRECTORY

The engine is what build.sh makes. Names of tests after the options select some of them; they may
have wildcards. For every test that fails, one line has its messages. The tests that have to pass
are listed in conformance.json, or in the file that `--floor` names, as the suite of another version
needs; the exit status is 1 if one of them fails, or if another one passes, which `--write` adds to
the list.

A test generates a project, runs it against the suite's own engine and providers, and examines the
stack. It then converts the project back to PCL, for which a converter is needed: as both are PCL,
ours copies the files. What the suite calls snapshots is not compared.

tests/generated/judge.py runs the suite against the hosts of other languages with what is here.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import fnmatch
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import time
import typing

import grpc
from pulumi.runtime.proto import converter_pb2, converter_pb2_grpc
from pulumi.runtime.proto.testing import language_pb2

from engine import HERE, Child, Trouble, isolated, program
from web import Web

FLOOR = HERE / "conformance.json"
# The packages of components that the suite expects of each language.
PROVIDERS = HERE / "providers"
# These are about hosts that run policies.
LEFT_OUT = ["policy-*"]
# These need packages of components in the host's language.
NEED_PROVIDERS = ["provider-*"]
# A host that hangs or crashes this often is tried no more.
SESSIONS = 8
# What is said of a host that has ended.
LOST = re.compile("Socket closed|[Cc]onnection re(fused|set)")
# Messages are as large as the engine accepts them.
LIMITS = [(f"grpc.max_{way}_message_length", -1) for way in ("receive", "send")]


class Copier(converter_pb2_grpc.ConverterServicer):
    """The converter from PCL to PCL."""

    def ConvertProgram(self, request, context):
        shutil.copytree(request.source_directory, request.target_directory, dirs_exist_ok=True)
        return converter_pb2.ConvertProgramResponse()


def serve_copier():
    """A running copier, and its address."""
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(), options=LIMITS)
    converter_pb2_grpc.add_ConverterServicer_to_server(Copier(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, f"127.0.0.1:{port}"


def method(channel, name):
    """A method of the suite. The package's own stubs for it cannot be imported."""
    return channel.unary_unary(
        f"/pulumirpc.testing.LanguageTest/{name}",
        request_serializer=lambda request: request.SerializeToString(),
        response_deserializer=getattr(language_pb2, f"{name}Response").FromString,
    )


@dataclasses.dataclass
class Host:
    """A language host, and what the suite needs to know about it."""

    # The address of the engine is its last argument.
    command: list
    language: str = "pcl"
    # The directory and the version of the language's core SDK, if it has one.
    core_sdk: str = ""
    core_version: str = ""
    # The address of what converts projects back to PCL; without it, none is converted back.
    converter: str = ""
    # The directory of the packages of components in the host's language, if there are any.
    providers: str = ""
    # Variables for the host and the programs that it starts.
    environment: dict = dataclasses.field(default_factory=dict)
    # True if the host is started again when it crashes, which tests at the same time do not survive.
    is_restarted: bool = False
    # What the host has to say about a test that is over, which comes before the complaints.
    remarks: typing.Callable = list


class Session:
    """A running suite with a running host."""

    def __init__(self, suite, host, place, environment):
        place.mkdir()
        self.host = host
        environment = isolated(place) | environment | host.environment
        # What would be compared is written instead.
        environment["PULUMI_ACCEPT"] = "true"
        self.children = []
        self.start("suite", [suite], place, environment)
        try:
            engine = self.children[0].announced(r"(\S+:\d+)")
            self.start("host", [*host.command, engine], place, environment)
            port = self.children[1].announced(r"(\d+)\n")
            self.channel = grpc.insecure_channel(engine, options=LIMITS)
            request = language_pb2.PrepareLanguageTestsRequest(
                language_plugin_name=host.language,
                language_plugin_target=f"127.0.0.1:{port}",
                snapshot_directory=os.fspath(place / "snapshots"),
                temporary_directory=os.fspath(place / "programs"),
                core_sdk_directory=host.core_sdk,
                core_sdk_version=host.core_version,
                providers_directory=host.providers,
                converter_plugin_target=host.converter,
            )
            prepare = method(self.channel, "PrepareLanguageTests")
            self.token = prepare(request, timeout=60).token
        except grpc.RpcError as error:
            log = self.children[-1].log()
            self.stop()
            raise Trouble(f"the suite does not start: {error.details()}\n{log}") from error
        except Trouble:
            self.stop()
            raise

    def start(self, name, command, place, environment):
        self.children.append(Child(name, command, place, environment))

    def names(self):
        request = language_pb2.GetLanguageTestsRequest()
        return sorted(method(self.channel, "GetLanguageTests")(request, timeout=60).tests)

    def run(self, name, timeout):
        """Runs a test. Returns what is wrong, or nothing, and whether the session is as good as
        new."""
        request = language_pb2.RunLanguageTestRequest(
            token=self.token, test=name, skip_convert_tests=not self.host.converter
        )
        try:
            response = method(self.channel, "RunLanguageTest")(request, timeout=timeout)
            complaints = [] if response.success else [*response.messages]
            complaints += [] if response.success else [response.stdout, response.stderr]
            is_over = True
        except grpc.RpcError as error:
            is_over = error.code() != grpc.StatusCode.DEADLINE_EXCEEDED
            complaints = [error.details() if is_over else f"not done after {timeout:g} s"]
        remarks = self.host.remarks()
        complaints = remarks + complaints if complaints else []
        ended = [child for child in self.children if child.has_ended()]
        complaints += [f"{child.describe_end()}\n{child.log()}" for child in ended]
        return [text for text in complaints if text], is_over and not ended

    def stop(self):
        for child in reversed(self.children):
            child.measure()
            child.stop()


class Sessions:
    """The session that tests run in, and those that came to grief before it."""

    def __init__(self, make):
        self.make = make
        self.all = []
        self.current = None
        self.lock = threading.Lock()

    def take(self):
        with self.lock:
            if not self.current and len(self.all) == SESSIONS:
                raise Trouble(f"the host failed {SESSIONS} times; the other tests are not run")
            if not self.current:
                self.current = self.make(len(self.all))
                self.all.append(self.current)
            return self.current

    def abandon(self, session):
        """Starts a new session with the next test. Other tests may still run in the old one."""
        with self.lock:
            if self.current is session:
                self.current = None

    def stop(self):
        for session in self.all:
            session.stop()


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def run(sessions, names, jobs, timeout, report):
    """Runs tests; those that lost the host are run again, one by one. Returns the complaints about
    each."""
    found, lost = {}, []

    def one(name, is_last=False):
        start = time.monotonic()
        session = sessions.take()
        found[name], is_good = session.run(name, timeout)
        if not is_good:
            sessions.abandon(session)
        is_lost = session.host.is_restarted and any(map(LOST.search, found[name]))
        if is_lost and not is_last:
            lost.append(name)
        else:
            report(name, found[name], time.monotonic() - start)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(one, name) for name in names]:
            future.result()
    for name in lost:
        one(name, is_last=True)
    return found


class Floor:
    """The tests that have to pass, as a list in a file of JSON."""

    def __init__(self, path):
        self.path = path
        self.listed = set(json.loads(path.read_text()))

    def required(self, _):
        return self.listed

    def write(self, found):
        passed = {name for name, complaints in found.items() if not complaints}
        names = self.listed.difference(found) | passed
        self.path.write_text(json.dumps(sorted(names), indent=2) + "\n")


def compare(required, found):
    """The tests that had to pass and do not, and those that pass and are not listed."""
    passed = {name for name, complaints in found.items() if not complaints}
    return sorted(required & found.keys() - passed), sorted(passed - required)


def one_line(texts, limit=2000):
    """Complaints in one line, without the places in the suite that they come from."""
    texts = [re.sub(r"\s*Error Trace:(\s+\S+:\d+)+", "", text) for text in texts]
    return " | ".join(" ".join(text.split()) for text in texts)[:limit]


def summary(sessions, found, left_out, seconds):
    failed = sum(1 for complaints in found.values() if complaints)
    text = f"{len(found)} tests in {seconds:.1f} s: {len(found) - failed} passed, {failed} failed"
    text += f"; {left_out} left out"
    hosts = [session.children[1] for session in sessions.all]
    processor, peak = sum(host.seconds for host in hosts), max(host.peak for host in hosts)
    return f"{text}\nhost: {processor:.2f} s of processor time, {peak / 2**20:.1f} MiB at the peak"


def judge(options, host, expected):
    """Runs the tests of the suite that the options choose. Returns the complaints about each, and
    the exit status."""
    engine = pathlib.Path(options.engine).resolve()
    suite = program(engine / "pulumi-test-language")
    required, start = set(), time.monotonic()

    def report(name, complaints, seconds):
        # In one piece, as tests end at the same time.
        if complaints:
            text = "\n".join(complaints) if options.verbose else one_line(complaints)
            verdict = "failed" if name in required else "fails as before"
            print(f"{verdict}: {name}: {text}\n", end="", flush=True)
        elif options.verbose:
            print(f"passed: {name} ({seconds:.1f} s)\n", end="", flush=True)

    with scratch(options.keep) as place:
        web = Web(engine / "web", place)
        sessions = Sessions(
            lambda number: Session(suite, host, place / f"{number}", web.environment)
        )
        try:
            names = sessions.take().names()
            unknown = expected.listed.difference(names)
            unknown |= {test for test in options.tests if not fnmatch.filter(names, test)}
            if unknown:
                raise Trouble(f"the suite does not have {', '.join(sorted(unknown))}")
            if options.list:
                print("\n".join(names))
                return {}, 0
            chosen = [name for name in names if not options.tests or matches(name, options.tests)]
            left_out = LEFT_OUT + options.skip + ([] if host.providers else NEED_PROVIDERS)
            chosen = [name for name in chosen if not matches(name, left_out)]
            required |= expected.required(chosen)
            found = run(sessions, chosen, options.jobs, options.timeout, report)
        finally:
            sessions.stop()
            web.stop()
    print(summary(sessions, found, len(names) - len(found), time.monotonic() - start))
    if options.write:
        expected.write(found)
        return found, 0
    return found, conclude(*compare(required, found))


@contextlib.contextmanager
def scratch(keep):
    """A directory for all that is written: a temporary one, or a new one that is kept."""
    if keep:
        keep.mkdir(parents=True)
        yield keep.resolve()
    else:
        with tempfile.TemporaryDirectory(prefix="pcl-conformance-") as place:
            yield pathlib.Path(place)


def conclude(failed, risen):
    if failed:
        print(f"must pass, and do not: {', '.join(failed)}")
    if risen:
        print(f"pass, and are not listed (record them with --write): {', '.join(risen)}")
    return 1 if failed or risen else 0


def add_arguments(parser):
    """Adds the options that all hosts share."""
    parser.add_argument("tests", nargs="*", help="the tests to run; all without one")
    parser.add_argument("--engine", default=os.environ.get("PCL_ENGINE_DIR"), help="its directory")
    parser.add_argument("--skip", action="append", default=[], help="a test to leave out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at once")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for a test")
    parser.add_argument("--write", action="store_true", help="record what passes")
    parser.add_argument("--list", action="store_true", help="print the names, and run nothing")
    parser.add_argument("--verbose", action="store_true", help="complaints in full, and passes")
    parser.add_argument("--keep", type=pathlib.Path, help="a new directory for what is written")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--host", default=os.environ.get("PCL_HOST_BINARY"), help="the host")
    parser.add_argument("--floor", type=pathlib.Path, default=FLOOR, help="what must pass")
    parser.add_argument(
        "--providers", default=PROVIDERS, help="the packages of components; empty for none"
    )
    add_arguments(parser)
    options = parser.parse_args()
    if not options.host or not options.engine:
        parser.error("--host and --engine are needed, or PCL_HOST_BINARY and PCL_ENGINE_DIR")
    return options


def main():
    options = arguments()
    converter, address = serve_copier()
    try:
        providers = os.fspath(options.providers)
        host = Host([program(options.host)], converter=address, providers=providers)
        return judge(options, host, Floor(options.floor))[1]
    finally:
        converter.stop(None)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        sys.exit(f"conformance: {trouble}")
