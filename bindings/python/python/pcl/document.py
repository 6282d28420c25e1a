"""Documents: the meaning of a program, as objects that refer to each other."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._record import Record, Tables
from .diagnostics import Diagnostic
from .expressions import Expression, Variable
from .nodes import ComponentProgram, Module, Node
from .packages import Member, Package, PackageSchema, ResourceSchema
from .places import File
from .types import Type

if TYPE_CHECKING:
    from ._native import Document as NativeDocument


class Document:
    """The whole model of a program, for code generators."""

    program: str
    """The program as it was named."""
    valid: bool
    """True if there is no error among the diagnostics."""
    diagnostics: tuple[Diagnostic, ...]
    """The diagnostics, in the order of the text."""
    files: tuple[File, ...]
    """The files of the program and its components."""
    packages: tuple[Package, ...]
    """The packages that the program and its components use, by name; where both use one, the
    program's version counts.
    """
    main: Module
    """The program's own declarations."""
    components: tuple[ComponentProgram, ...]
    """The programs of its components, at any depth; each directory once."""
    expressions: tuple[Expression, ...]
    """The expressions of all modules, operands first."""
    types: tuple[Type, ...]
    """The types."""

    def __init__(self, native: NativeDocument, sources: Mapping[str, str]) -> None:
        self._native = native
        self._read(json.loads(native.json()), Tables(native, sources))

    def _read(self, data: dict[str, Any], tables: Tables) -> None:
        keys: dict[type[Record], str] = {
            File: "files",
            PackageSchema: "schemas",
            Member: "members",
            ResourceSchema: "resources",
            Variable: "variables",
            Type: "types",
            Expression: "expressions",
            ComponentProgram: "components",
        }
        for base, key in keys.items():
            tables.of[base] = tables.create(base, data[key])
        modules = [data["main"], *(component["module"] for component in data["components"])]
        tables_of_nodes = [tables.create(Node, module["nodes"]) for module in modules]
        for module, nodes in zip(modules, tables_of_nodes):
            tables.nodes.update((file, nodes) for file in module["files"])
        for base, key in keys.items():
            tables.fill(tables.of[base], data[key])
        for module, nodes in zip(modules, tables_of_nodes):
            tables.fill(nodes, module["nodes"])
        self.program = data["program"]
        self.valid = data["valid"]
        self.diagnostics = tuple(Diagnostic._read(tables, it) for it in data["diagnostics"])
        self.files = tuple(tables.of[File])
        self.packages = tuple(Package._read(tables, it) for it in data["packages"])
        self.main = Module._read(tables, data["main"])
        self.components = tuple(tables.of[ComponentProgram])
        self.expressions = tuple(tables.of[Expression])
        self.types = tuple(tables.of[Type])

    @property
    def modules(self) -> Iterator[Module]:
        """All modules: the program's own, then those of its components."""
        yield self.main
        for component in self.components:
            yield component.module

    def to_json(self) -> str:
        """The output of `pcl dump bound --full --output-format json`."""
        return self._native.json()

    def __repr__(self) -> str:
        return f"<Document {self.program}>"
