"""Previews and values."""

import json

import pytest

import pcl

TEXT = """
config size int {
  default = 3
}
config password string {
  secret = true
}
resource cage "zoo:index:Cage" {
  bars = size * 2
  code = password
}
animal = invoke("zoo:index:getAnimal", { name = "Leo" })
output label {
  value = cage.label
}
output secret {
  value = "${password}!"
}
output legs {
  value = animal.legs
}
"""


@pytest.fixture
def program(zoo: bytes) -> pcl.Program:
    return pcl.check({"main.pp": TEXT}, schemas=[zoo]).raise_for_errors().program


def test_previews(program: pcl.Program) -> None:
    preview = program.preview(
        project="shop",
        stack="prod",
        config={"size": "5"},
        secrets={"shop:password": "hunter2"},
        mock={"invokes": {"zoo:index:getAnimal": {"result": {"legs": 4}}}},
    )
    assert preview.valid and preview.diagnostics == ()
    stack, cage = preview.resources
    assert (stack.kind, stack.parent, stack.source) == ("stack", None, None)
    assert (cage.kind, cage.name, cage.parent) == ("resource", "cage", stack.urn)
    assert cage.inputs == {"bars": 10, "code": {"$secret": True}}
    assert cage.source is not None and cage.source.line == 8
    assert [call.arguments for call in preview.calls] == [{"name": "Leo"}]
    assert preview.outputs["secret"] == {"$secret": True}
    assert "hunter2" not in repr(preview) + json.dumps([it.outputs for it in preview.resources])


def test_a_program_in_memory_reads_the_files_beside_it() -> None:
    files: dict[str, str | bytes] = {
        "main.pp": """component web "./web" {
  name = readFile("name.txt")
}
output code {
  value = filebase64("./data/code.bin")
}
output place {
  value = [cwd(), rootDirectory()]
}
output own {
  value = length(readFile("web/main.pp")) > 0
}
output site {
  value = fileArchive("data")
}
""",
        "web/main.pp": "config name string {}\noutput greeting {\n  value = name\n}\n",
        "name.txt": "Leo",
        "data/code.bin": b"\xff\x00",
    }
    program = pcl.check(files).raise_for_errors().program
    preview = program.preview()
    assert preview.diagnostics == ()
    assert preview.outputs["code"] == "/wA="
    assert preview.outputs["place"] == ["/", "/"]
    assert preview.outputs["own"] is True
    (web,) = (it for it in preview.resources if it.kind == "component")
    assert web.inputs == {"name": "Leo"}
    assert program.eval('readFile("/name.txt")') == "Leo"
    with pytest.raises(pcl.ProgramError, match="none.txt"):
        program.eval('readFile("none.txt")')
    for path in ["/etc/hostname", "../../etc/hostname"]:
        with pytest.raises(pcl.ProgramError):
            program.eval(f'readFile("{path}")')


def test_a_fixed_program_in_memory_reads_what_was_fixed() -> None:
    files = {"main.pp": 'size = 1;\ntext = readFile("main.pp")\n', "a.txt": "a"}
    program = pcl.Workspace().fix(files).program
    assert program.eval("text") == 'size = 1\ntext = readFile("main.pp")\n'
    assert program.eval('readFile("a.txt")') == "a"


def test_a_preview_of_a_program_with_errors() -> None:
    preview = pcl.check({"main.pp": "a = nix\n"}).program.preview()
    assert (preview.valid, preview.outputs) == (False, {})
    assert [it.name for it in preview.diagnostics] == ["undefined-variable"]


def test_values(program: pcl.Program) -> None:
    assert program.eval("[size, 0.5, true, null]") == [3, 0.5, True, None]
    assert program.eval("size", config={"size": "7"}) == 7
    secret = program.eval('"${password}!"', secrets={"password": "hunter2"})
    assert secret == {"$secret": True}


def test_values_that_are_not_there(program: pcl.Program) -> None:
    with pytest.raises(pcl.ProgramError) as raised:
        program.eval("nix")
    assert [it.name for it in raised.value.diagnostics] == ["undefined-variable"]
    with pytest.raises(pcl.ProgramError) as raised:
        program.eval("1 +")
    assert raised.value.diagnostics


def test_secrets_are_in_no_message(program: pcl.Program) -> None:
    with pytest.raises(pcl.ProgramError) as raised:
        program.eval("size", config={"size": "five"}, secrets={"password": "hunter2"})
    assert raised.value.diagnostics and "hunter2" not in str(raised.value)
    with pytest.raises(pcl.ProgramError) as raised:
        program.eval("password / 2", secrets={"password": "hunter2"})
    assert "hunter2" not in str(raised.value)
