#!/usr/bin/env python3
"""Takes programs from the real `pulumi` command back to PCL: `up`, `pulumi stack export`,
`pcl import`, `up` again, which must change nothing.

    PCL_BINARY=target/debug/pcl PCL_HOST_BINARY=target/debug/pulumi-language-pcl \\
        PCL_ENGINE_DIR=$(tests/engine/build.sh CACHE) python3 tests/engine/round_trip.py

Each program goes both ways: the imported program replaces it in its own stack, and a second stack,
which is empty, takes the resources over with the option `import`.

The states after the first `up` are recorded in `tests/import/exported`, for which `cargo test`
evaluates the imported programs. A state that is not the recorded one fails the test;
PCL_RECORD_STATES=1 records it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from engine import HERE, Home

HOST = os.environ.get("PCL_HOST_BINARY")
ENGINE = os.environ.get("PCL_ENGINE_DIR")
PCL = os.environ.get("PCL_BINARY")
PASSPHRASE = "correct-horse-7731"
SECRET = "open-sesame-4096"
TIMEOUT = 120
EXPORTED = HERE.parent / "import/exported"
RECORDS = bool(os.environ.get("PCL_RECORD_STATES"))

SHELF = 'package {\n  baseProviderName    = "shelf"\n  baseProviderVersion = "0.1.0"\n}\n'
SIMPLE = 'package {\n  baseProviderName    = "simple"\n  baseProviderVersion = "2.0.0"\n}\n'
REMOTE = 'package {\n  baseProviderName    = "component"\n  baseProviderVersion = "13.3.7"\n}\n'


def book(label, text, more="", options=""):
    """A book, whose path is known to the program alone."""
    options = f"  options {{\n{options}\n  }}\n" if options else ""
    path = f'  path = "${{cwd()}}/{label}.txt"\n'
    return f'resource "{label}" "shelf:index:Book" {{\n{path}  text = {text}\n{more}{options}}}\n'


def simple(label, value, options=""):
    options = f"  options {{\n{options}\n  }}\n" if options else ""
    return f'resource "{label}" "simple:index:Resource" {{\n  value = {value}\n{options}}}\n'


CONFIG = 'config "password" "string" {\n  secret = true\n}\n'
FLOOR = {"floor": "component/floor"}

# The text of each program, or its directory in `programs`; its configuration; whether resources
# can be taken over by a second stack. The provider `simple` cannot read what it has made.
PROGRAMS = {
    "one": (SHELF + book("a", '"x"'), {}, True),
    "two": (SHELF + book("a", '"x"') + book("b", '"y"'), {}, True),
    "reference to an output": (SHELF + book("a", '"x"') + book("b", "a.text"), {}, True),
    "reference to an id": (SHELF + book("a", '"x"') + book("b", "a.id"), {}, True),
    "chain of ids": (SHELF + book("a", '"x"') + book("b", "a.id") + book("c", "b.id"), {}, True),
    "dependsOn": (SHELF + book("a", '"x"') + book("b", '"y"', options="dependsOn = [a]"), {}, True),
    "protect": (SHELF + book("a", '"x"', options="protect = true"), {}, True),
    "retainOnDelete": (SHELF + book("a", '"x"', options="retainOnDelete = true"), {}, True),
    "ignoreChanges": (SHELF + book("a", '"x"', options="ignoreChanges = [text]"), {}, True),
    "deletedWith": (SHELF + book("a", '"x"') + book("b", '"y"', options="deletedWith = a"), {}, True),
    "parent": (SHELF + book("a", '"x"') + book("b", '"y"', options="parent = a"), {}, True),
    "grandparent": (
        SHELF
        + book("a", '"x"')
        + book("b", '"y"', options="parent = a")
        + book("c", '"z"', options="parent = b\ndependsOn = [a]"),
        {},
        True,
    ),
    "timeouts": (SHELF + book("a", '"x"', options='customTimeouts = { create = "5m" }'), {}, True),
    "escapes": (SHELF + book("a", r'"a\"b\\c\n$${x} %%{y} é 🦁"'), {}, True),
    "logical name": (SHELF + book("a", '"x"', more='  __logicalName = "my book"\n'), {}, True),
    "names with dashes": (SHELF + book("my-book", '"x"') + book("other-book", "my-book.id"), {}, True),
    "number": (SHELF + book("a", '"x"', more="  delay = 0.5\n"), {}, False),
    "secret": (SHELF + CONFIG + book("a", "password"), {"password": SECRET}, False),
    "secret in a text": (SHELF + CONFIG + book("a", '"is ${password}"'), {"password": SECRET}, False),
    "secret outputs": (SHELF + book("a", '"x"', options="additionalSecretOutputs = [delay]"), {}, False),
    "function": (SHELF + book("a", 'secret("x")'), {}, False),
    "sourceless component": (
        'component "c" {\n  token = "my:index:Site"\n  size = 3\n}\n'
        + SHELF
        + book("a", '"x"', options="parent = c"),
        {},
        True,
    ),
    "explicit provider": (
        SHELF + 'resource "p" "pulumi:providers:shelf" {}\n' + book("a", '"x"', options="provider = p"),
        {},
        False,
    ),
    "true and false": (SIMPLE + simple("a", "true") + simple("b", "false"), {}, False),
    "simple dependencies": (
        SIMPLE + simple("a", "true") + simple("b", "a.value", "dependsOn = [a]"),
        {},
        False,
    ),
    "range of a number": (SIMPLE + simple("a", "true", "range = 3"), {}, False),
    "range of a map": (SIMPLE + simple("a", "range.value", "range = { x = true, y = false }"), {}, False),
    "two packages": (SHELF + SIMPLE + book("a", '"x"') + simple("b", "true"), {}, False),
    "component with a program": ("component", {}, True),
    "component of a provider": ("remote", {}, False),
    "library": ("library", {"password": SECRET}, False),
    "ranges": (
        "ranges",
        {"count": "2", "names": '["a", "b"]', "wanted": '{"x": true}', "last": "true"},
        False,
    ),
}


def lasting(text, directory):
    """A state without what every run has otherwise: times, the place, and the ids of providers."""
    text = text.replace(str(directory), "/program")
    for resource in json.loads(text)["deployment"]["resources"]:
        if resource["type"].startswith("pulumi:providers:"):
            text = text.replace(resource["id"], resource["urn"].rpartition("::")[2])
    state = json.loads(text)
    for name in ("manifest", "secrets_providers"):
        del state["deployment"][name]
    for resource in state["deployment"]["resources"]:
        for name in ("created", "modified"):
            resource.pop(name, None)
    return state


def in_order(document):
    """A document whose resources, if it is a state, are sorted: several are made at once."""
    deployment = document.get("deployment", {})
    if "resources" in deployment:
        deployment["resources"].sort(key=lambda resource: resource["urn"])
    return document


def setUpModule():
    if not HOST or not ENGINE or not PCL:
        raise unittest.SkipTest("PCL_BINARY, PCL_HOST_BINARY and PCL_ENGINE_DIR are not set")


class RoundTrip(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="pcl-round-trip-")
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name).resolve()
        cls.home = Home(cls.place, ENGINE, HOST, PASSPHRASE)
        cls.schemas = cls.place / "schemas"
        cls.schemas.mkdir()

    def pulumi(self, directory, *arguments, status=0):
        process = self.home.start(directory, *arguments)
        output, _ = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, status, f"pulumi {arguments}:\n{output}")
        return output

    def schema(self, name, version):
        path = self.schemas / f"{name}-{version}.json"
        if not path.exists():
            path.write_text(self.pulumi(self.place, "package", "get-schema", f"{name}@{version}"))
            self.hold(EXPORTED / "schemas" / path.name, json.loads(path.read_text()))

    def hold(self, path, document):
        """Compares a document with the recorded one, or records it."""
        if RECORDS:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{json.dumps(document, indent=2, ensure_ascii=False)}\n")
        self.assertEqual(in_order(json.loads(path.read_text())), in_order(document), path.name)

    def exported(self, directory):
        """The state of a stack with its secrets in plain text."""
        file = directory / "plain.json"
        self.pulumi(directory, "stack", "export", "--show-secrets", "--file", file)
        text = file.read_text()
        file.unlink()
        return text

    def pcl(self, *arguments):
        command = [PCL, "import", *arguments, "--schema-dir", self.schemas]
        return subprocess.run(command, env=self.home.environment, capture_output=True, text=True)

    def imported(self, directory, *flags):
        """Replaces the program in a directory by one for the state of its stack."""
        state = directory / "state.json"
        self.pulumi(directory, "stack", "export", "--file", state)
        out = directory / "imported"
        run = self.pcl(state, "--out", out, *flags)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (out / "main.pp").read_text()
        self.assertNotIn(SECRET, text + run.stdout + run.stderr)
        check = [PCL, "check", "--schema-dir", self.schemas, out]
        checked = subprocess.run(check, env=self.home.environment, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, f"{checked.stdout}\n{text}")
        return out, run.stderr, text

    def secrets(self, directory, told):
        """The values of the variables that the user has to set, by name."""
        wanted = re.findall(r"config set --secret (\S+) +# (\S+) of (.*)", told)
        resources = json.loads(self.exported(directory))["deployment"]["resources"]
        inputs = {resource["urn"]: resource.get("inputs", {}) for resource in resources}
        return {name: json.loads(inputs[urn][path]["plaintext"]) for name, path, urn in wanted}

    def set_up(self, name, text, config):
        directory = self.place / re.sub(r"\W", "-", name)
        if text in os.listdir(HERE / "programs"):
            shutil.copytree(HERE / "programs" / text, directory)
        else:
            directory.mkdir()
            (directory / "Pulumi.yaml").write_text(f"name: {directory.name}\nruntime: pcl\n")
            (directory / "main.pp").write_text(text)
        self.pulumi(directory, "stack", "init", "dev")
        for key, value in config.items():
            flags = ["--secret"] if value == SECRET else []
            self.pulumi(directory, "config", "set", *flags, key, "--", value)
        return directory

    def replace(self, directory, out, values):
        for path in directory.glob("*.pp"):
            path.unlink()
        shutil.move(out / "main.pp", directory / "main.pp")
        out.rmdir()
        for key, value in values.items():
            self.pulumi(directory, "config", "set", "--secret", key, "--", str(value))


def test_of(name, text, config, can_take_over):
    def test(self):
        for package in (("shelf", "0.1.0"), ("simple", "2.0.0"), ("component", "13.3.7")):
            self.schema(*package)
        directory = self.set_up(name, text, config)
        self.pulumi(directory, "up", "--yes", "--skip-preview")
        state = lasting(self.exported(directory), directory)
        self.hold(EXPORTED / f"{directory.name}.json", state)

        # A second stack takes the resources over.
        if can_take_over:
            out, told, program = self.imported(directory, "--adopt")
            other = directory.with_name(directory.name + "-other")
            other.mkdir()
            shutil.copy(directory / "Pulumi.yaml", other)
            self.pulumi(other, "stack", "init", "other")
            self.replace(other, out, self.secrets(directory, told))
            up = self.pulumi(other, "up", "--yes", "--skip-preview")
            self.assertNotRegex(up, r"\+ +\d+ created.*Book", program)
            self.assertRegex(up, r"= +\d+ imported", program)
            self.pulumi(other, "up", "--yes", "--skip-preview", "--expect-no-changes")

        # The imported program takes the place of the program.
        for flags in ([], ["--fold"]):
            out, told, program = self.imported(directory, *flags)
            self.replace(directory, out, self.secrets(directory, told))
            try:
                self.pulumi(directory, "up", "--yes", "--skip-preview", "--diff", "--expect-no-changes")
            except AssertionError as error:
                raise AssertionError(f"{error}\n{program}") from None

    return test


for number, (name, (text, config, can_take_over)) in enumerate(PROGRAMS.items()):
    slug = re.sub(r"\W", "_", name)
    setattr(RoundTrip, f"test_{number:02}_{slug}", test_of(name, text, config, can_take_over))


if __name__ == "__main__":
    unittest.main()
