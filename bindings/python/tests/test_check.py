"""Checks, settings, fixes, layout, explanations."""

import json
import threading
import time
from pathlib import Path
from typing import get_args

import pytest

import pcl
from conftest import ROOT


def test_a_diagnostic_has_everything() -> None:
    report = pcl.check({"main.pp": 'a = 1\nb = "é${lenght([a])}"\n'})
    assert not report.valid
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.name) == ("PCL0601", "unknown-function")
    assert (diagnostic.severity, diagnostic.is_error) == ("error", True)
    start, end = diagnostic.range.start, diagnostic.range.end
    assert (start.byte, start.line, start.column) == (15, 2, 9)
    assert (end.byte, end.line, end.column) == (21, 2, 15)
    (fix,) = diagnostic.fixes
    assert [(edit.file, edit.range, edit.text) for edit in fix.edits] == [
        ("main.pp", diagnostic.range, "length")
    ]
    assert diagnostic.url.endswith("PCL0601.html")
    assert diagnostic == report.program.diagnostics[0]
    with pytest.raises(AttributeError):
        diagnostic.code = "PCL0602"  # type: ignore[misc]


def test_labels_and_notes() -> None:
    (diagnostic,) = pcl.check({"main.pp": "a = 1\na = 2\n"}).diagnostics
    assert [label.range.start.line for label in diagnostic.labels] == [1]
    assert diagnostic.labels[0].message


def test_several_programs_are_in_order(tmp_path: Path) -> None:
    paths = []
    for number in range(20):
        path = tmp_path / f"p{number}"
        path.mkdir()
        (path / "main.pp").write_text(f"a = {number}\n" if number % 3 else "a = nix\n")
        paths.append(path)
    report = pcl.check(*paths, jobs=4)
    assert [program.path for program in report] == [str(path) for path in paths]
    assert [program.valid for program in report] == [number % 3 != 0 for number in range(20)]
    document = json.loads(report.to_json())
    assert document["summary"] == {"programs": 20, "errors": 7, "warnings": 0}
    assert sorted(pcl.find_programs(tmp_path)) == sorted(map(str, paths))
    several = [tmp_path / "p1", tmp_path / "p2", tmp_path]
    assert sorted(pcl.find_programs(*several)) == sorted(map(str, paths))
    with pytest.raises(ValueError):
        report.program


def test_components_are_no_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "main.pp").write_text('component c "./inner" {\n}\n')
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/main.pp").write_text("output one {\n  value = 1\n}\n")
    report = pcl.check(*pcl.find_programs(tmp_path))
    assert [it.path for it in report] == [str(tmp_path), str(tmp_path / "inner")]
    assert [it.path for it in report.roots] == [str(tmp_path)]
    assert [it.directory for it in report.roots[0].components] == [report.programs[1].path]
    monkeypatch.chdir(tmp_path)
    assert [it.path for it in pcl.check(".", tmp_path / "inner").roots] == ["."]
    assert [it.path for it in pcl.check("inner").roots] == ["inner"]


def test_a_path_that_is_not_there_is_a_diagnostic(tmp_path: Path) -> None:
    report = pcl.check(tmp_path / "nothing")
    assert [diagnostic.name for diagnostic in report.diagnostics] == ["unreadable-source"]


def test_every_format() -> None:
    report = pcl.check({"main.pp": "a = nix\n"})
    formats: tuple[pcl.Format, ...] = get_args(pcl.Format)
    for format in formats:
        assert "nix" in report.render(format), format
    with pytest.raises(pcl.PclError, match="unknown format `yaml`"):
        report.render("yaml")  # type: ignore[arg-type]


def test_texts_know_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.pp").write_text("b = nix\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/main.pp").write_text("")
    (tmp_path / "Pulumi.yaml").write_text("name: x\npcl:\n  unknown: 1\n")
    monkeypatch.chdir(tmp_path)
    assert pcl.check({"main.pp": "a = 1\n"}).valid
    component = 'component c "./inner" {\n  size = 1\n}\n'
    (diagnostic,) = pcl.check({"main.pp": component}).diagnostics
    assert diagnostic.message == "there is no directory `inner`"
    inner = "config size int {}\noutput twice {\n  value = size * 2\n}\n"
    program = pcl.check({"main.pp": component, "./inner/main.pp": inner}).program
    assert program.diagnostics == ()
    assert [it.directory for it in program.components] == ["inner"]
    read = 'a = readFile("other.pp")\noutput b {\n  value = a\n}\n'
    preview = pcl.check({"main.pp": read}).program.preview()
    assert not preview.valid


@pytest.mark.parametrize("path", ["/main.pp", "../main.pp", "a/../main.pp"])
def test_texts_have_relative_paths(path: str) -> None:
    with pytest.raises(ValueError):
        pcl.check({path: "a = 1\n"})


def test_bytes_that_are_no_text() -> None:
    (diagnostic,) = pcl.check({"main.pp": b'a = "\xff"\n'}).diagnostics
    assert diagnostic.range.start.byte == 5


def test_settings() -> None:
    files = {"main.pp": 'resource a "nix:index:Nix" {\n}\n'}
    assert not pcl.check(files).valid
    assert pcl.check(files, settings={"missing-schema": "ignore"}).diagnostics == ()
    assert pcl.check(files, settings={"missing_schema": "warn"}).valid
    unused = {"main.pp": "a = 1\n"}
    (warning,) = pcl.check(unused, settings={"select": ["unused"]}).diagnostics
    assert (warning.severity, warning.is_error) == ("warning", False)
    levels = {"levels": {warning.code: "error"}}
    assert not pcl.check(unused, settings=levels).valid
    with pytest.raises(pcl.SettingsError, match="did you mean `missing-schema`"):
        pcl.check(files, settings={"missing-schemas": "warn"})


def test_configuration_files(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('resource a "nix:index:Nix" {\n}\n')
    (tmp_path / "pcl.toml").write_text('missing-schema = "ignore"\n')
    assert pcl.check(tmp_path).valid
    assert not pcl.check(tmp_path, isolated=True).valid
    assert not pcl.check(tmp_path, settings={"missing-schema": "error"}).valid
    (tmp_path / "pcl.toml").write_text('missing-schemas = "ignore"\n')
    with pytest.raises(pcl.SettingsError) as raised:
        pcl.check(tmp_path)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.file == str(tmp_path / "pcl.toml")


def test_fixes(tmp_path: Path) -> None:
    file = tmp_path / "main.pp"
    file.write_text("size = lenght([1]);\n")
    workspace = pcl.Workspace()
    safe = workspace.fix(tmp_path)
    assert safe.files == {str(file): "size = lenght([1])\n"}
    assert not safe.program.valid
    unsafe = workspace.fix(tmp_path, unsafe=True)
    assert file.read_text() == "size = lenght([1]);\n"
    unsafe.write()
    assert file.read_text() == "size = length([1])\n"
    assert sorted(unsafe.fixed) == ["lex-semicolon", "unknown-function"]
    assert workspace.fix(tmp_path).files == {}


def test_conversions(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: pcl\n")
    (tmp_path / "main.pp").write_text("output size {\n  value = [1, 2]\n}\n")
    workspace = pcl.Workspace()
    converted = workspace.convert(tmp_path, "typescript")
    assert "name: shop\n" in converted.files["Pulumi.yaml"]
    assert converted.program.diagnostics == ()
    named = workspace.convert(tmp_path, "python", name="other", python_toolchain="uv")
    assert "name: other\n" in named.files["Pulumi.yaml"]
    assert "pyproject.toml" in named.files
    assert named.program.document.main.find("size") is not None


def test_what_a_language_cannot_express_is_a_diagnostic() -> None:
    source = "config size int {}\noutput total {\n  value = size + 1\n}\n"
    converted = pcl.Workspace().convert({"main.pp": source}, "yaml")
    assert [it.code for it in converted.program.diagnostics] == ["PCL1201"]
    broken = pcl.Workspace().convert({"main.pp": "a = b\n"}, "yaml")
    assert broken.files == {} and not broken.program.valid
    with pytest.raises(pcl.PclError, match="unknown language `cobol`"):
        pcl.Workspace().convert({"main.pp": ""}, "cobol")  # type: ignore[arg-type]


def test_a_file_that_changed_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "main.pp"
    file.write_text("a = 1;\n")
    fixed = pcl.Workspace().fix(tmp_path)
    file.write_text("a = 2;\n")
    with pytest.raises(OSError):
        fixed.write()
    assert file.read_text() == "a = 2;\n"


def test_layout() -> None:
    assert pcl.format("a=[1,\n2 ]\n") == "a = [1,\n  2]\n"
    with pytest.raises(pcl.ProgramError) as raised:
        pcl.format("a = \nb = nix\n")
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.range.start.line == 1
    assert str(raised.value).splitlines()[1] == str(diagnostic)


def test_explanations() -> None:
    assert pcl.explain("dependsOn").startswith("# The option `dependsOn`")
    with pytest.raises(pcl.UnknownTopicError, match="did you mean `element`"):
        pcl.explain("elemnt")


def test_the_interpreter_runs_on() -> None:
    files = {"main.pp": "".join(f"v{n} = [for x in [1, 2] : x + {n}]\n" for n in range(4000))}
    workspace = pcl.Workspace()
    done = threading.Event()
    turns = 0

    def work() -> None:
        workspace.check(files)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 5


def test_threads_share_a_workspace() -> None:
    workspace = pcl.Workspace(schema_dirs=[ROOT / "corpus/schemas"], isolated=True)
    program = ROOT / "corpus/valid/webserver"
    expected = workspace.check(program).to_json()
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(workspace.check(program).to_json()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_deep_programs_on_a_small_stack() -> None:
    program = {"main.pp": f"a = {'(' * 200}1{')' * 200}\n"}
    found: list[bool] = []
    threading.stack_size(256 << 10)
    thread = threading.Thread(target=lambda: found.append(pcl.check(program).valid))
    threading.stack_size(0)
    thread.start()
    thread.join()
    assert found == [True]
