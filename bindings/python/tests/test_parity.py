"""The same programs give the same JSON from the command and from the package."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pcl
from conftest import ROOT
from pcl._record import Tables
from pcl.previews import Preview

NEEDED = 300

# The advice of the package, and that of the command in its place, which has flags instead of
# settings. The package for JavaScript is compared by the same table.
ADVICE = json.loads((ROOT / "bindings/advice.json").read_text())


def in_words_of_the_command(document: str) -> Any:
    parsed = json.loads(document)
    for program in parsed["programs"]:
        for diagnostic in program["diagnostics"]:
            for advice in ADVICE:
                help: str = diagnostic["help"] or ""
                if "code" not in advice:
                    # Words inside of a help.
                    diagnostic["help"] = help.replace(advice["library"], advice["command"]) or None
                    continue
                before, _, after = advice["library"].partition("{}")
                is_of = advice["code"] == diagnostic["name"]
                if is_of and help.startswith(before) and help.endswith(after):
                    word = help[len(before) : len(help) - len(after)]
                    diagnostic["help"] = advice["command"].replace("{}", word)
    return parsed


def run(command: str, *arguments: str) -> str:
    """The output of the command."""
    ran = subprocess.run(
        [os.environ["PCL_BINARY"], command, *arguments],
        env={**os.environ, "PULUMI_HOME": "/nonexistent"},
        stdout=subprocess.PIPE,
    )
    return ran.stdout.decode()


def test_the_command_and_the_package_print_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sets = json.loads(Path("bindings/programs.json").read_text())
    assert sum(len(each["programs"]) for each in sets) >= NEEDED
    if not Path("../shared/corpus").exists():
        assert not os.environ.get("PCL_REQUIRE_SHARED"), "the shared corpus is required"
        sets = [each for each in sets if not each["schemas"][0].startswith("../")]
    compared = equal = 0
    for each in sets:
        schemas = [flag for schema in each["schemas"] for flag in ("--schema-dir", schema)]
        flags = ["--isolated", "--output-format", "json", "--quiet", *schemas]
        workspace = pcl.Workspace(
            schema_dirs=each["schemas"], isolated=True, pulumi_home="/nonexistent"
        )
        for program in each["programs"]:
            # A run of its own: of several programs that use a component, the command reports it
            # once.
            expected, found = run("check", *flags, program), workspace.check(program).to_json()
            compared += 1
            equal += expected == found
            if expected != found:
                assert in_words_of_the_command(found) == json.loads(expected), program
    print(f"{compared} programs, {equal} of them byte for byte")
    assert equal >= compared * 0.9


def test_models_and_previews_are_those_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    schemas = ["--schema-dir", "corpus/schemas"]
    workspace = pcl.Workspace(
        schema_dirs=["corpus/schemas"], isolated=True, pulumi_home="/nonexistent"
    )
    previews = 0
    for path in sorted(Path("corpus/valid").iterdir()):
        program = workspace.check(path).program
        flags = ["--isolated", "--output-format", "json", *schemas, str(path)]
        assert program.document.to_json() == run("dump", "bound", "--full", *flags), path
        expected = Preview._read(Tables(), json.loads(run("preview", *flags)))
        assert program.preview() == expected, path
        previews += bool(expected.resources)
    assert previews > 30
