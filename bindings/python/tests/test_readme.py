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


@pytest.mark.parametrize(
    ("program", "output"),
    [
        ("a = 1.50\nb = 1e3\nc = true\n", "const a = 1.5\nconst b = 1000\nconst c = true\n"),
        ("a = 12345678901234567890.5\n", "const a = 12345678901234567890.5\n"),
        ("a = <<E\n${1 + 2}\nE\n", "const a = [(1 + 2), \"\\n\"].join('')\n"),
        (
            'resource a "zoo:index:Cage" {\n  bars  = 1\n  label = "${1 + 2}"\n}\n',
            "const a = new Resource('zoo::Cage', {"
            " bars: 1, label: pcl.convert((1 + 2), 'string') })\n",
        ),
    ],
)
def test_the_generator_keeps_values(tmp_path: Path, program: str, output: str) -> None:
    ran = generate(tmp_path, program)
    assert (ran.stdout, ran.stderr) == (output, "")


@pytest.mark.parametrize("option", ["protect = true", "range   = 2"])
def test_the_generator_drops_no_options(tmp_path: Path, option: str) -> None:
    options = f"  options {{\n    {option}\n  }}\n"
    ran = generate(tmp_path, f'resource a "zoo:index:Cage" {{\n  bars = 1\n{options}}}\n')
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "main.pp:1:1: there is no JavaScript for\nresource a" in ran.stderr


def test_the_generator_drops_no_expansion(tmp_path: Path) -> None:
    ran = generate(tmp_path, "a = max([1, 2]...)\n")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "main.pp:1:5: there is no JavaScript for `max([1, 2]...)`" in ran.stderr


def generate(directory: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Runs the generator on a program."""
    (directory / "main.pp").write_text(program)
    command = [sys.executable, "generator.py", str(directory), "schemas"]
    return subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True)


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
