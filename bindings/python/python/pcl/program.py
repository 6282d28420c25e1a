"""Checked programs, and reports about several of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, TypeVar, overload

from . import _native
from ._record import JsonValue, Record, Tables
from .diagnostics import Diagnostic
from .document import Document
from .editor import Completions, Hover, Location
from .errors import ProgramError
from .nodes import ComponentProgram, Module, Node, Resource
from .packages import Package
from .previews import Preview

Format = Literal[
    # made by `cargo xtask generate`
    "full",
    "concise",
    "json",
    "json-lines",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "rdjson",
    # until here
]
"""The formats of `pcl check --output-format`."""

Sdk = Literal["nodejs", "python", "go", "java"]
"""The SDKs that a program can be prepared for."""

R = TypeVar("R", bound=Record)
N = TypeVar("N", bound=Node)


class Program:
    """A checked program. Its answers are about the files as they were when it was checked."""

    def __init__(self, native: _native.Checked) -> None:
        self._native = native

    @property
    def path(self) -> str:
        """The program as it was named."""
        return self._native.path

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The texts of its files, those of components included, by path."""
        return self._native.sources()

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics, in the order of the text."""
        (program,) = json.loads(self.to_json())["programs"]
        return tuple(Diagnostic._read(Tables(), it) for it in program["diagnostics"])

    @property
    def valid(self) -> bool:
        """True if there is no error among the diagnostics."""
        return not any(diagnostic.is_error for diagnostic in self.diagnostics)

    def raise_for_errors(self) -> Program:
        """Raises `ProgramError` with the errors, if there are any; returns the program."""
        errors = tuple(it for it in self.diagnostics if it.is_error)
        if errors:
            raise ProgramError(f"`{self.path}` has errors", errors)
        return self

    def render(self, format: Format) -> str:
        """The diagnostics in one of the formats of `pcl check --output-format`."""
        return _native.render([self._native], format)

    def to_json(self) -> str:
        """The document of `pcl check --output-format json` about this program."""
        return self.render("json")

    # --- the model ---

    @cached_property
    def document(self) -> Document:
        """The whole model. A program with errors has one too, with types of the class `Error`."""
        return Document(self._native.document(None, False), self.sources)

    def document_with(self, *, sdk: Sdk | None = None, descriptions: bool = False) -> Document:
        """The model with descriptions of schemas, or prepared for the generator of an SDK: where
        outputs are awaited and values are converted is explicit, and descriptions have the names of
        its language. A program with errors is left as it is.
        """
        return Document(self._native.document(sdk, descriptions), self.sources)

    @property
    def module(self) -> Module:
        """The program's own declarations."""
        return self.document.main

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The program's own declarations: file by file, resources and reads first."""
        return self.document.main.nodes

    @property
    def in_order(self) -> tuple[Node, ...]:
        """The program's own declarations, each after those that it needs."""
        return self.document.main.in_order

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The program's own resources."""
        return self.document.main.resources

    @property
    def components(self) -> tuple[ComponentProgram, ...]:
        """The programs of its components, at any depth; each directory once."""
        return self.document.components

    @property
    def packages(self) -> tuple[Package, ...]:
        """The packages that it and its components use, by name."""
        return self.document.packages

    @overload
    def find(self, name: str) -> Node | None: ...
    @overload
    def find(self, name: str, of: type[N]) -> N | None: ...
    def find(self, name: str, of: type[Node] = Node) -> Node | None:
        """The program's own declaration of that name: the first, or the first of a class. A config
        variable and an output may have the same.
        """
        return self.document.main.find(name, of)

    def graph(self, format: Literal["json", "mermaid", "dot"]) -> str:
        """The dependency graph, as `pcl graph --output-format` prints it."""
        return self._native.graph(format)

    # --- places ---

    def hover(self, path: str, line: int, column: int) -> Hover | None:
        """The explanation of the thing at a place. Lines and columns count from 1, columns in
        Unicode characters.
        """
        return _answer(Hover, self._native.hover(path, line, column))

    def complete(self, path: str, line: int, column: int) -> Completions | None:
        """The completions at a place."""
        return _answer(Completions, self._native.complete(path, line, column))

    def definition(self, path: str, line: int, column: int) -> Location | None:
        """The declaration of the name at a place."""
        return _answer(Location, self._native.definition(path, line, column))

    # --- evaluation ---

    def preview(
        self,
        *,
        project: str | None = None,
        stack: str = "dev",
        organization: str = "organization",
        config: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        config_file: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
        mock: JsonValue = None,
    ) -> Preview:
        """The resources that the program would register, without an engine; see `pcl preview`.

        The configuration is that of the stack in `Pulumi.STACK.yaml` beside `Pulumi.yaml`, or in
        `config_file`, with that in `config` and `secrets`, which have values by key, `name` or
        `namespace:name`. What the file encrypts is decrypted with the passphrase in
        `$PULUMI_CONFIG_PASSPHRASE`, or in the file that `$PULUMI_CONFIG_PASSPHRASE_FILE` names; it
        has no value without one. The files of a program in memory are in memory too.

        `project` is the name in `Pulumi.yaml` or, without one, that of its directory; `project` for
        a program in memory. `environment` has the variables that schemas take defaults from, and
        `mock` the answers of providers. A program with errors is not evaluated. Secrets are hidden.

        Raises `SettingsError` if the configuration cannot be read.
        """
        options = _options(
            project, stack, organization, config, secrets, config_file, environment, mock
        )
        return Preview._read(Tables(), json.loads(self._native.preview(options)))

    def eval(
        self,
        expression: str,
        *,
        project: str | None = None,
        stack: str = "dev",
        organization: str = "organization",
        config: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        config_file: str | os.PathLike[str] | None = None,
        environment: Mapping[str, str] | None = None,
        mock: JsonValue = None,
    ) -> JsonValue:
        """The value of an expression in the scope of the program, as in `Preview`; see `preview` for
        the arguments.

        Raises `ProgramError` if the program or the expression has errors, or if it has no value,
        and `SettingsError` if the configuration cannot be read.
        """
        options = _options(
            project, stack, organization, config, secrets, config_file, environment, mock
        )
        value: JsonValue = json.loads(self._native.evaluate(expression, options))
        return value

    def __repr__(self) -> str:
        return f"<Program {self.path}>"


class Report:
    """The result of a check: programs in the order in which they were named."""

    def __init__(self, programs: Sequence[Program]) -> None:
        self.programs = tuple(programs)

    @property
    def program(self) -> Program:
        """The program, if there is one only."""
        if len(self.programs) != 1:
            raise ValueError(f"the report is about {len(self.programs)} programs")
        return self.programs[0]

    @property
    def roots(self) -> tuple[Program, ...]:
        """The programs that are no component of another one in the report."""
        components = {
            os.path.realpath(component.directory)
            for program in self.programs
            for component in program.components
        }
        return tuple(it for it in self.programs if os.path.realpath(it.path) not in components)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of all programs."""
        return tuple(it for program in self.programs for it in program.diagnostics)

    @property
    def valid(self) -> bool:
        """True if no program has errors."""
        return all(program.valid for program in self.programs)

    def raise_for_errors(self) -> Report:
        """Raises `ProgramError` with the errors, if there are any; otherwise returns the report."""
        errors = tuple(it for it in self.diagnostics if it.is_error)
        if errors:
            paths = [f"`{program.path}`" for program in self.programs if not program.valid]
            verb = "has" if len(paths) == 1 else "have"
            raise ProgramError(f"{', '.join(paths)} {verb} errors", errors)
        return self

    def render(self, format: Format) -> str:
        """The diagnostics in one of the formats of `pcl check --output-format`."""
        return _native.render([program._native for program in self.programs], format)

    def to_json(self) -> str:
        """The document of `pcl check --output-format json`."""
        return self.render("json")

    def __iter__(self) -> Iterator[Program]:
        return iter(self.programs)

    def __len__(self) -> int:
        return len(self.programs)

    def __repr__(self) -> str:
        return f"<Report on {len(self.programs)} programs, {len(self.diagnostics)} diagnostics>"


def _answer(cls: type[R], text: str) -> R | None:
    value = json.loads(text)
    return None if value is None else cls._read(Tables(), value)


def _options(
    project: str | None,
    stack: str,
    organization: str,
    config: Mapping[str, str] | None,
    secrets: Mapping[str, str] | None,
    config_file: str | os.PathLike[str] | None,
    environment: Mapping[str, str] | None,
    mock: JsonValue,
) -> str:
    options = {
        "project": project,
        "stack": stack,
        "organization": organization,
        "config": dict(config or {}),
        "secrets": dict(secrets or {}),
        "config_file": None if config_file is None else os.fspath(config_file),
        "environment": dict(environment or {}),
        "mock": mock,
    }
    return json.dumps(options)
