"""Previews and values."""

import _thread
import json
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

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


STACK = """encryptionsalt: v1:iRtGRf3dxS4=:v1:w83Zb1fKIl/NGu2M:k0u4YXk5NVmACC2cn7MY5kFPT+PTTQ==
config:
  shop:name: web
  size: 3
  shop:token:
    secure: v1:bohoxIg7jqwLSG2N:q6y94a2UMsG06YmWEKAPPxPFgAJ5zvmB0dc=
"""
PROJECT = "name: shop\nruntime: pcl\nconfig:\n  zone: { default: north }\n  size: 1\n"
CONFIGURED = """
config name string {}
config size int {}
config zone string {}
config token string {}
output all {
  value = "${name}-${size}-${zone}"
}
output token {
  value = token
}
output length {
  value = length(token)
}
"""
FILES = {"main.pp": CONFIGURED, "Pulumi.yaml": PROJECT, "Pulumi.prod.yaml": STACK}


@pytest.fixture(params=["memory", "disk"])
def configured(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> pcl.Program:
    """A program with a project and the configuration of a stack."""
    monkeypatch.delenv("PULUMI_CONFIG_PASSPHRASE", raising=False)
    monkeypatch.delenv("PULUMI_CONFIG_PASSPHRASE_FILE", raising=False)
    if request.param == "memory":
        return pcl.check(FILES).program
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return pcl.check(tmp_path, isolated=True).program


def test_the_configuration_is_that_of_the_stack(
    configured: pcl.Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "correct horse")
    preview = configured.preview(stack="prod")
    assert preview.diagnostics == () and preview.project == "shop"
    assert preview.outputs["all"] == "web-3-north"
    assert preview.outputs["token"] == preview.outputs["length"] == {"$secret": True}
    assert "top secret" not in repr(preview) + json.dumps(preview.outputs)
    assert configured.eval("token", stack="prod") == {"$secret": True}
    assert configured.eval("size", stack="prod", config={"size": "7"}) == 7
    assert configured.eval("size") == 1
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "wrong")
    with pytest.raises(pcl.SettingsError, match="passphrase is not that of the stack"):
        configured.preview(stack="prod")


def test_what_is_encrypted_stays_so_without_a_passphrase(configured: pcl.Program) -> None:
    preview = configured.preview(stack="prod")
    (found,) = preview.diagnostics
    assert (found.severity, found.name) == ("warning", "encrypted-config")
    assert "token" in found.message
    assert preview.outputs["token"] == {"$secret": True}
    # A value in the place of a secret is one too.
    for preview in [
        configured.preview(stack="prod", config={"token": "abc"}),
        configured.preview(stack="prod", secrets={"shop:token": "abc"}),
    ]:
        assert preview.valid and preview.outputs["token"] == {"$secret": True}
        assert "abc" not in repr(preview) + json.dumps(preview.outputs)
    named = configured.preview(stack="prod", project="store", secrets={"token": "abc"})
    assert (named.project, named.outputs["all"]) == ("store", "web-3-north")


def test_files_of_the_configuration(tmp_path: Path) -> None:
    more = {**FILES, "other.yaml": "config:\n  size: 9\n", "bad.yaml": "config:\n  a: 1\n  a: 2\n"}
    program = pcl.check(more).program
    assert program.eval("size", config_file="other.yaml") == 9
    with pytest.raises(pcl.SettingsError, match="^bad.yaml:3:3: "):
        program.preview(config_file="bad.yaml")
    with pytest.raises(pcl.SettingsError, match="there is no file `none.yaml`"):
        program.preview(config_file="none.yaml")
    (tmp_path / "main.pp").write_text("config size int {}\n")
    other = tmp_path / "other.yaml"
    other.write_text("config:\n  size: 9\n")
    program = pcl.check(tmp_path, isolated=True).program
    assert program.eval("size", config_file=other) == 9
    assert program.preview(config_file=other).project == tmp_path.name
    with pytest.raises(pcl.SettingsError, match="cannot read `/no/such/file`"):
        program.preview(config_file="/no/such/file")


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


# A check tries what it knows: the number is configuration.
LONG = """
config count int {}
items = range(count)
total = [for a in items : length([for b in items : [for c in items : a + b + c][0]])]
output total {
  value = length(total)
}
"""

LARGE = {"count": "1000"}


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts count, also where a shell has its processes in the background ignore them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("how", ["preview", "eval"])
def test_an_interrupt_ends_an_evaluation(how: str) -> None:
    program = pcl.check({"main.pp": LONG}).raise_for_errors().program
    timer = threading.Timer(0.3, _thread.interrupt_main)
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        program.preview(config=LARGE) if how == "preview" else program.eval("total", config=LARGE)
    # To its end, it would take hours, or until it has taken all of its steps.
    assert time.monotonic() - start < 20
    assert pcl.check({"main.pp": "a = 1\n"}).program.eval("a") == 1


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_ends_a_check_of_several_programs() -> None:
    asked = []

    def load(request: pcl.PackageRequest) -> None:
        asked.append(request.name)
        if len(asked) == 1:
            _thread.interrupt_main()
        time.sleep(0.1)

    text = 'resource a "{}:index:A" {{\n}}\n'
    programs = [{"main.pp": text.format(f"p{number}")} for number in range(200)]
    with pytest.raises(KeyboardInterrupt):
        pcl.Workspace(loader=load, jobs=1).check(*programs)
    assert 0 < len(asked) < 100
