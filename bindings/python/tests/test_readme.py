"""The examples of the README do what it says."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import mypy.api
import pytest

PACKAGE = Path(__file__).resolve().parents[1]
README = (PACKAGE / "README.md").read_text()
EXAMPLES = PACKAGE / "examples"


def test_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    result = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False)
    assert result.attempted > 30 and result.failed == 0


@pytest.mark.parametrize("name", ["inventory", "generator"])
def test_examples(name: str) -> None:
    _, _, code = (EXAMPLES / f"{name}.py").read_text().partition('"""\n\n')
    assert f"```python\n{code}```" in README
    shown = re.search(rf"\$ python {name}\.py (.*)\n((?:.|\n)*?)```", README)
    assert shown is not None
    command = [sys.executable, f"{name}.py", *shown[1].split()]
    ran = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == (shown[2], "")


def test_sessions_have_types(tmp_path: Path) -> None:
    examples = doctest.DocTestParser().get_examples(README)
    script = tmp_path / "readme.py"
    script.write_text("".join(example.source for example in examples))
    shown, errors, _ = mypy.api.run(["--strict", "--cache-dir", str(tmp_path), str(script)])
    assert (shown, errors) == ("Success: no issues found in 1 source file\n", "")


def test_the_generator_is_short() -> None:
    lines = (EXAMPLES / "generator.py").read_text().splitlines()
    start = lines.index("def js(it: e.Expression | None) -> str:")
    assert len([line for line in lines[start:] if line]) <= 20
