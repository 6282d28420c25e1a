"""The programs of the conformance suite that are run twice, the second time with another text."""

import dataclasses
import functools
import os
import pathlib
import re
import subprocess

from answers import ENGINE_TESTS
from programs import PROJECT, STACK, VERSIONS, package_block

MODULE = "github.com/pulumi/pulumi/pkg/v3"
TESTDATA = "testing/pulumi-test-language/tests/testdata"
# These need hosts of policies.
LEFT_OUT = ("policy-",)
# The package of components that the suite expects of each language, and its version.
COMPONENTS, COMPONENTS_VERSION = "conformance-component", "22.0.0"
# What the suite says in Go.
FLAGS = {
    "l2-target-up-skipped-create-output": ["--target", "**simple:index:Resource::target"],
    "l2-target-up-with-new-dependency": ["--target", "**targetOnly**"],
}


@dataclasses.dataclass
class Text:
    """A program as the suite has it."""

    directory: pathlib.Path
    test: str
    values: dict = dataclasses.field(default_factory=dict)

    def files(self):
        texts = {path.name: path.read_text() for path in self.directory.glob("*.pp")}
        found = {name: self.adapt(text) for name, text in texts.items()}
        if any(f'"{COMPONENTS}:' in text for text in texts.values()):
            found["components.pp"] = package_block(COMPONENTS, COMPONENTS_VERSION)
            found["Pulumi.yaml"] = (
                f"name: {PROJECT}\nruntime: pcl\npackages:\n  {COMPONENTS}: ./{COMPONENTS}\n"
            )
            place = ENGINE_TESTS / "providers"
            for path in (place / COMPONENTS).rglob("*.*"):
                found[os.fspath(path.relative_to(place))] = path.read_text()
        return found

    def adapt(self, text):
        """The text with its packages, which the suite hands over otherwise, and the names of our
        project and stack."""
        names = sorted(
            set(re.findall(r'resource "?\w+"? +"(?:pulumi:providers:)?(\w+)', text))
            & VERSIONS.keys()
        )
        blocks = [package_block(name, VERSIONS[name]) for name in names]
        text = text.replace(f"urn:pulumi:test::{self.test}::", f"urn:pulumi:{STACK}::{PROJECT}::")
        return "".join(blocks) + text

    def text(self):
        return "\n".join(self.files().values())


@dataclasses.dataclass
class Runs:
    """A pair of runs; the form is that of a generated pair."""

    name: str
    before: Text
    after: Text
    flags: list
    kind: str = "conformance"
    edits: tuple = ()


@functools.cache
def testdata():
    command = ["go", "list", "-m", "-f", "{{.Dir}}", MODULE]
    done = subprocess.run(command, cwd=ENGINE_TESTS, capture_output=True, text=True, check=True)
    return pathlib.Path(done.stdout.strip()) / TESTDATA


def pairs():
    """All programs with several runs."""
    found = []
    for first in sorted(testdata().glob("*/0")):
        test = first.parent.name
        if not test.startswith(LEFT_OUT):
            texts = [Text(first.parent / number, test) for number in ("0", "1")]
            found.append(Runs(f"conformance-{test}", *texts, FLAGS.get(test, [])))
    return found
