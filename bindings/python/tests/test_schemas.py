"""Schemas: documents, directories, loaders, and what is in them."""

from pathlib import Path

import pytest

import pcl
from conftest import ZOO

CAGE = {"main.pp": 'resource cage "zoo:index:Cage" {\n  bars = 1\n}\n'}
BOTH = {"main.pp": CAGE["main.pp"] + 'resource other "ark:index:Cage" {\n}\n'}


def test_documents(zoo: bytes) -> None:
    assert not pcl.check(CAGE).valid
    assert pcl.check(CAGE, schemas=[zoo]).valid
    assert pcl.check(CAGE, schemas=[zoo.decode()]).valid
    yaml = "name: zoo\nresources:\n  zoo:index:Cage: {}\n"
    (warning,) = pcl.check(CAGE, schemas=[yaml]).diagnostics
    assert "bars" in warning.message
    with pytest.raises(pcl.SchemaError):
        pcl.Workspace(schemas=[b"{"])
    with pytest.raises(TypeError):
        pcl.Workspace(schemas=zoo)  # type: ignore[arg-type]


def test_directories() -> None:
    assert pcl.check(CAGE, schema_dirs=[ZOO.parent]).valid
    assert pcl.check(CAGE, schema_dirs=[str(ZOO.parent)]).valid
    with pytest.raises(TypeError):
        pcl.Workspace(schema_dirs=str(ZOO.parent))
    with pytest.raises(pcl.SchemaError, match="cannot read the schema directory `nosuch`: No such"):
        pcl.check(CAGE, schema_dirs=[ZOO.parent, "nosuch"])


def test_the_plugins_of_pulumi(tmp_path: Path, zoo: bytes) -> None:
    schemas = tmp_path / "schemas"
    assert not pcl.check(CAGE, pulumi_home=tmp_path).valid
    schemas.mkdir()
    (schemas / "zoo-1.0.0.json").write_bytes(zoo)
    assert pcl.check(CAGE, schema_dirs=[schemas]).valid


def test_a_loader_is_asked_once_for_each_package(zoo: bytes) -> None:
    asked: list[pcl.PackageRequest] = []

    def load(request: pcl.PackageRequest) -> bytes | None:
        asked.append(request)
        return zoo if request.name == "zoo" else None

    workspace = pcl.Workspace(loader=load)
    assert workspace.check(CAGE).valid
    assert workspace.check(CAGE, CAGE).valid
    assert [(it.name, it.version, it.plugin) for it in asked] == [("zoo", None, "zoo")]
    (missing,) = workspace.check(BOTH).diagnostics
    assert missing.name == "unknown-package"


def test_a_loader_may_give_text(zoo: bytes) -> None:
    assert pcl.check(CAGE, loader=lambda _: zoo.decode()).valid
    with pytest.raises(TypeError):
        pcl.check(CAGE, loader=lambda _: 7)  # type: ignore[arg-type, return-value]
    (broken,) = pcl.check(CAGE, loader=lambda _: "{").diagnostics
    assert broken.is_error


def test_an_exception_of_a_loader_is_passed_on(zoo: bytes) -> None:
    class Offline(Exception):
        pass

    fails = True

    def load(request: pcl.PackageRequest) -> bytes:
        if fails:
            raise Offline(request.name)
        return zoo

    workspace = pcl.Workspace(loader=load)
    with pytest.raises(Offline, match="zoo") as raised:
        workspace.check(CAGE)
    assert raised.traceback[-1].name == "load"
    with pytest.raises(Offline):
        workspace.package("zoo")
    fails = False
    assert workspace.check(CAGE).valid


def test_a_loader_may_use_the_workspace(zoo: bytes) -> None:
    workspace: pcl.Workspace

    def load(request: pcl.PackageRequest) -> bytes:
        assert workspace.check({"main.pp": "a = 1\n"}).valid
        return zoo

    workspace = pcl.Workspace(loader=load)
    assert workspace.check(CAGE).valid


def test_packages(zoo: bytes) -> None:
    workspace = pcl.Workspace(schemas=[zoo])
    package = workspace.package("zoo@1.0.0")
    assert (package.name, package.version) == ("zoo", "1.0.0")
    assert package.description == "Animals and where they live."
    assert package.function_tokens == ("zoo:index:getAnimal",)
    assert (package.base, package.dependencies, package.config) == (None, (), ())
    with pytest.raises(pcl.SchemaError):
        workspace.package("zoo@2.0.0")
    with pytest.raises(pcl.SchemaError, match="did you mean `zoo`"):
        workspace.package("zo")


def test_members(zoo: bytes) -> None:
    workspace = pcl.Workspace(schemas=[zoo])
    (cage,) = workspace.members("zoo:Cage")
    assert (cage.kind, cage.token, cage.canonical) == ("resource", "zoo:index:Cage", "zoo::Cage")
    bars, code, _ = cage.inputs
    assert (bars.description, bars.required, code.secret) == ("The number of bars.", True, True)
    assert cage.program is not None
    assert pcl.check({"main.pp": cage.program}, schemas=[zoo]).valid
    (animal,) = workspace.members("zoo:index:getAnimal")
    assert [it.name for it in animal.outputs] == ["legs"]
    with pytest.raises(pcl.SchemaError, match="did you mean `zoo:index:Cage`"):
        workspace.members("zoo:index:Cag")
    assert [hit.summary for hit in workspace.search("zoo", "place")] == ["A place for an animal."]
