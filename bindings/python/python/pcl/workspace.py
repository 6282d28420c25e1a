"""Workspaces: settings and schemas that programs share; and functions without a workspace."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Union

from . import _native
from ._record import Tables
from .errors import ProgramError, SchemaError
from .program import Program, Report
from .schemas import Hit, PackageRequest, SchemaMember, SchemaPackage

Target = Union[str, "os.PathLike[str]", Mapping[str, Union[str, bytes]]]
"""A program: a directory whose `.pp` files are one program, a single file, or the contents of files
by path.

The paths are relative, with `/` between their parts. The `.pp` files without a directory are the
program, those in directories are components; the program reads the other files when it runs.
Nothing is read from the disk then.
"""

Setting = Union[str, bool, int, Sequence[str], Mapping[str, str]]
"""The value of a setting of `pcl.toml`."""

Language = Literal[
    # made by `cargo xtask generate`
    "typescript",
    "python",
    "go",
    "java",
    "yaml",
    "json",
    # until here
]
"""The languages that programs are converted to; `json` is Pulumi YAML, written as JSON."""

Loader = Callable[[PackageRequest], Union[bytes, str, None]]
"""A function that supplies the schema of a package, in JSON or YAML; `None` if it has none."""


class Fixed:
    """A program after its fixes."""

    def __init__(
        self,
        files: list[tuple[str, str, str]],
        fixed: list[str],
        program: Program,
        in_memory: bool,
    ) -> None:
        self._old = {path: old for path, old, _ in files}
        self._in_memory = in_memory
        self.files: Mapping[str, str] = {path: new for path, _, new in files}
        """The new texts of the files that change, by path."""
        self.fixed = tuple(fixed)
        """The names of the codes whose diagnostics were fixed, such as `unused-local`."""
        self.program = program
        """The program as it is after the fixes."""

    def write(self) -> None:
        """Writes the files, each whole or not at all. Files of a program in memory stay there."""
        if not self._in_memory:
            for path, text in self.files.items():
                _native.write(path, self._old[path], text)

    def __repr__(self) -> str:
        return f"<Fixed {list(self.files)}>"


class Converted:
    """A program as a Pulumi project in another language."""

    def __init__(self, files: list[tuple[str, str]], program: Program) -> None:
        self.files: Mapping[str, str] = dict(files)
        """The texts of the files of the project, by path; none if the program has errors."""
        self.program = program
        """The program. Its diagnostics have one for each construct that the language cannot
        express and that the files do not have."""

    def __repr__(self) -> str:
        return f"<Converted {list(self.files)}>"


class Workspace:
    """Settings and schemas that programs share. It may be used by several threads.

    Schemas are looked for in this order: `schemas` (documents in JSON or YAML), `loader`,
    `schema_dirs` (directories with `NAME-VERSION.json`), the places that `pcl.toml` names,
    `schemas/` beside and above the program, and the plugins in `pulumi_home`: by default
    `$PULUMI_HOME`, or `~/.pulumi`. Nothing is executed, and no network is used.

    `settings` are those of `pcl.toml`, such as `{"missing-schema": "warn"}`; they outweigh its own.
    With `isolated`, no configuration file is read. Raises `SchemaError` if one of `schema_dirs`
    cannot be read. At most `jobs` programs are checked at a time.
    """

    def __init__(
        self,
        *,
        schema_dirs: Iterable[str | os.PathLike[str]] = (),
        schemas: Iterable[bytes | str] = (),
        loader: Loader | None = None,
        settings: Mapping[str, Setting] | None = None,
        isolated: bool = False,
        pulumi_home: str | os.PathLike[str] | None = None,
        jobs: int | None = None,
    ) -> None:
        if isinstance(schema_dirs, (str, os.PathLike)):
            raise TypeError("schema_dirs is a list of directories")
        if isinstance(schemas, (str, bytes)):
            raise TypeError("schemas is a list of documents")
        directories = list(schema_dirs)
        for directory in directories:
            _require_directory(directory)
        home = pulumi_home or os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi"
        self._native = _native.Workspace(
            settings=_settings(settings or {}),
            isolated=isolated,
            schema_dirs=directories,
            pulumi_home=home,
            schemas=[_bytes(schema) for schema in schemas],
            loader=None if loader is None else lambda *asked: loader(PackageRequest(*asked)),
            jobs=jobs,
        )

    def check(self, *targets: Target) -> Report:
        """Checks programs. What is wrong with them, and files that cannot be read, are diagnostics
        of the report.
        """
        checked = self._native.check([_input(target) for target in targets])
        return Report([Program(each) for each in checked])

    def fix(self, target: Target, *, unsafe: bool = False) -> Fixed:
        """Applies the fixes of diagnostics until none is left: those that keep the meaning of the
        program or, if they may be `unsafe`, others too. Nothing is written before `Fixed.write`.
        """
        files, fixed, program = self._native.fix(_input(target), unsafe)
        return Fixed(files, fixed, Program(program), isinstance(target, Mapping))

    def convert(
        self,
        target: Target,
        language: Language,
        *,
        name: str | None = None,
        python_toolchain: Literal["pip", "uv"] = "pip",
        python_classes: bool = False,
    ) -> Converted:
        """Converts a program as `pcl convert` does. Nothing is written.

        The project has the `name` of the project that the program belongs to, or of its directory,
        unless one is given; a program in memory is called `program`. In Python, `python_toolchain` installs its packages, and
        `python_classes` writes nested inputs as instances of classes, instead of dicts.
        """
        files, program = self._native.convert(
            _input(target), language, name, python_toolchain, python_classes
        )
        return Converted(files, Program(program))

    def package(self, name: str) -> SchemaPackage:
        """A package, named as NAME or NAME@VERSION. Raises `SchemaError` if it is not found."""
        return SchemaPackage._read(Tables(), json.loads(self._native.package(name)))

    def members(self, token: str) -> tuple[SchemaMember, ...]:
        """The members of a token such as `aws:s3:Bucket`: a resource and a type may have the same.

        Raises `SchemaError`, which suggests a similar one, if there is none.
        """
        found = json.loads(self._native.members(token))
        return tuple(SchemaMember._read(Tables(), each) for each in found)

    def search(self, package: str, *words: str) -> tuple[Hit, ...]:
        """The members of a package whose tokens or descriptions contain each of the words, the
        closest first.
        """
        found = json.loads(self._native.search(package, words))
        return tuple(Hit._read(Tables(), each) for each in found)


def check(
    *targets: Target,
    schema_dirs: Iterable[str | os.PathLike[str]] = (),
    schemas: Iterable[bytes | str] = (),
    loader: Loader | None = None,
    settings: Mapping[str, Setting] | None = None,
    isolated: bool = False,
    pulumi_home: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
) -> Report:
    """Checks programs in a workspace of their own; see `Workspace` for the arguments."""
    workspace = Workspace(
        schema_dirs=schema_dirs,
        schemas=schemas,
        loader=loader,
        settings=settings,
        isolated=isolated,
        pulumi_home=pulumi_home,
        jobs=jobs,
    )
    return workspace.check(*targets)


def format(text: str) -> str:
    """A text in the canonical layout. Raises `ProgramError` if it has syntax errors."""
    formatted = _native.format_text(text)
    if formatted is None:
        program = Workspace(isolated=True).check({"main.pp": text}).program
        errors = tuple(it for it in program.diagnostics if it.code < "PCL0200")
        raise ProgramError("a text with syntax errors cannot be formatted", errors)
    return formatted


def explain(topic: str) -> str:
    """The page about a code, function, block, option, type or keyword, in Markdown; see
    `pcl explain`. Raises `UnknownTopicError`, which names similar topics, if there is none.
    """
    return _native.explain(topic)


def find_programs(*directories: str | os.PathLike[str]) -> list[str]:
    """The programs at or below directories, as `pcl check -r` finds them: every directory with
    `.pp` files that no ignore file names, each once. Directories of components are among them;
    `Report.roots` leaves them out.
    """
    found = (path for directory in directories for path in _native.find_programs(directory))
    return list(dict.fromkeys(map(os.fspath, found)))


def _require_directory(directory: str | os.PathLike[str]) -> None:
    try:
        os.scandir(directory).close()
    except OSError as error:
        path = os.fspath(directory)
        raise SchemaError(f"cannot read the schema directory `{path}`: {error.strerror}") from None


def _input(target: Target) -> str | os.PathLike[str] | tuple[str, Mapping[str, bytes]]:
    if not isinstance(target, Mapping):
        return target
    files: dict[str, bytes] = {}
    for path, text in target.items():
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith("/") or ".." in parts:
            raise ValueError(f"the path of a text is relative and has no `..`: {path!r}")
        files["/".join(parts)] = _bytes(text)
    return ".", files


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _settings(settings: Mapping[str, Setting]) -> str:
    tables = {
        name.replace("_", "-"): dict(value) if isinstance(value, Mapping) else value
        for name, value in settings.items()
    }
    return json.dumps(tables)
