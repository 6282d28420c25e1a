"""The same programs give the same JSON from the command and from the package."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pcl
from conftest import ROOT

NEEDED = 300

# The command names its flags where the library names settings, in the help of these.
OTHER_HELP = {
    "invalid-schema-member",
    "no-program-files",
    "undefined-variable",
    "unknown-function",
    "unknown-package",
    "unknown-property",
}


def without_help(document: str) -> Any:
    parsed = json.loads(document)
    for program in parsed["programs"]:
        for diagnostic in program["diagnostics"]:
            if diagnostic["name"] in OTHER_HELP:
                del diagnostic["help"]
    return parsed


def test_the_command_and_the_package_print_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    binary = os.environ["PCL_BINARY"]
    sets = json.loads(Path("bindings/programs.json").read_text())
    assert sum(len(each["programs"]) for each in sets) >= NEEDED
    if not Path("../shared/corpus").exists():
        assert not os.environ.get("PCL_REQUIRE_SHARED"), "the shared corpus is required"
        sets = [each for each in sets if not each["schemas"][0].startswith("../")]
    compared = equal = 0
    for each in sets:
        schemas = [flag for schema in each["schemas"] for flag in ("--schema-dir", schema)]
        command = [binary, "check", "--isolated", "--output-format", "json", "--quiet", *schemas]
        environment = {**os.environ, "PULUMI_HOME": "/nonexistent"}
        workspace = pcl.Workspace(
            schema_dirs=each["schemas"], isolated=True, pulumi_home="/nonexistent"
        )
        for program in each["programs"]:
            # A run of its own: of several programs that use a component, the command reports it
            # once.
            ran = subprocess.run([*command, program], env=environment, stdout=subprocess.PIPE)
            expected, found = ran.stdout.decode(), workspace.check(program).to_json()
            compared += 1
            equal += expected == found
            if expected != found:
                assert without_help(found) == without_help(expected), program
    print(f"{compared} programs, {equal} of them byte for byte")
    assert equal >= compared * 0.9
