"""Packages and their members as their schemas describe them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._record import JsonValue, Record


@dataclass(frozen=True, eq=True, repr=False)
class PackageRequest:
    """A package that a program needs."""

    name: str
    """The name of the package."""
    version: str | None
    """The version of the package that the program asks for; `None` for any."""
    plugin: str
    """The plugin of the package; its name, unless the package is made of a parameter."""
    plugin_version: str | None
    download_url: str | None
    """The server of the plugin, if the program names one."""


@dataclass(frozen=True, eq=True, repr=False)
class SchemaProperty(Record):
    """A property of a member."""

    name: str
    type: str
    """The type as text, such as `list(string)`."""
    required: bool
    """True if an input is required, or an output always there."""
    secret: bool
    replaces: bool
    """True if a change replaces the resource."""
    constant: JsonValue
    """The only value that it may have."""
    default: JsonValue
    """The value that it has when the program gives none."""
    description: str | None
    """In Markdown."""
    deprecation: str | None


@dataclass(frozen=True, eq=True, repr=False)
class Method(Record):
    """A method of a resource."""

    name: str
    token: str
    """The token of its function."""


@dataclass(frozen=True, eq=True, repr=False)
class SchemaValue(Record):
    """A value of an enumeration."""

    value: JsonValue
    name: str | None
    """Its name in generated code."""
    deprecation: str | None


@dataclass(frozen=True, eq=True, repr=False)
class SchemaMember(Record):
    """A member of a package: what a resource or function takes and gives."""

    package: str
    version: str | None
    """The version of the package."""
    kind: Literal["resource", "component", "provider", "function", "method", "object", "enum"]
    token: str
    """The token in the schema."""
    canonical: str | None
    """The token in the form that programs use."""
    description: str | None
    """In Markdown."""
    deprecation: str | None
    aliases: tuple[str, ...]
    """The types that it had before, by their tokens."""
    inputs: tuple[SchemaProperty, ...]
    state_inputs: tuple[SchemaProperty, ...]
    """The inputs for looking up an existing resource."""
    list_inputs: tuple[SchemaProperty, ...]
    """The filter of a listing of such resources."""
    outputs: tuple[SchemaProperty, ...]
    """The outputs; the properties of an object type."""
    returns: str | None
    """The result of a function, unless it is an object."""
    methods: tuple[Method, ...]
    values: tuple[SchemaValue, ...]
    """The values of an enumeration."""
    program: str | None
    """A program that uses it, with what is required filled in."""


@dataclass(frozen=True, eq=True, repr=False)
class Needed(Record):
    """A package or plugin that another needs."""

    name: str
    version: str | None


@dataclass(frozen=True, eq=True, repr=False)
class SchemaPackage(Record):
    """A package."""

    name: str
    version: str | None
    description: str | None
    """In Markdown."""
    base: Needed | None
    """The plugin that makes it of a parameter, or whose package it extends."""
    dependencies: tuple[Needed, ...]
    """The packages that it refers to."""
    config: tuple[SchemaProperty, ...]
    """The variables that configure it."""
    resource_tokens: tuple[str, ...]
    """The tokens of its resources, as in the schema."""
    function_tokens: tuple[str, ...]
    """The tokens of its functions, methods included."""
    type_tokens: tuple[str, ...]
    """The tokens of its types."""


@dataclass(frozen=True, eq=True, repr=False)
class Hit(Record):
    """A member that a search found."""

    package: str
    kind: Literal["resource", "function", "type"]
    token: str
    summary: str
    """The first sentence of the description."""
