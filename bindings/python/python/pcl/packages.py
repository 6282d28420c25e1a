"""Packages in a document: the facts that generated code and people need, beyond types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ._record import NAMES, JsonValue, Record

if TYPE_CHECKING:
    from .types import Type


@dataclass(frozen=True, eq=False, repr=False)
class PackageSchema(Record):
    """The schema of a package that the program uses or that types of used packages lead to."""

    _is_in_table: ClassVar[bool] = True

    name: str
    version: str | None
    display_name: str | None
    """The name for people."""
    namespace: str | None
    """A part of the names of its SDKs; without one they belong to Pulumi."""
    repository: str | None
    """The address of its repository."""
    supports_pack: bool
    """True if Pulumi can pack its SDKs, which changes the places of their modules."""
    plugin_download_url: str | None
    module_format: str
    """The regular expression whose group 1 is the module of a token."""
    description: str | None
    """In Markdown; only with `descriptions`."""
    language: dict[str, JsonValue]
    """The settings for SDKs, by language, as the schema has them."""


@dataclass(frozen=True, eq=False, repr=False)
class Parameterization(Record):
    """The plugin behind a parameterized package."""

    plugin: str
    version: str | None
    parameter: str
    """In base64; meaningful to the plugin alone."""
    extends: bool
    """True if the package extends that of the plugin rather than replacing it."""


@dataclass(frozen=True, eq=False, repr=False)
class Package(Record):
    """A package that a program uses."""

    name: str
    version: str | None
    download_url: str | None
    """The server of its plugin, if the program names one."""
    parameterization: Parameterization | None
    schema: PackageSchema


@dataclass(frozen=True, eq=False, repr=False)
class Member(Record):
    """A member of a package: a resource, a function, or a type."""

    _is_in_table: ClassVar[bool] = True

    schema: PackageSchema
    package: str
    """The name of the package."""
    version: str | None
    """The version of the package."""
    token: str
    """The token in the schema, such as `aws:s3/bucket:Bucket`."""
    canonical: str
    """The token in the form that programs use, such as `aws:s3:Bucket`."""
    module: str
    """The module, such as `s3`; empty for the root module."""
    name: str
    """The last part of the token, such as `Bucket`."""
    display_name: str | None
    is_overlay: bool
    """True if the SDKs have an implementation of it that is written by hand."""
    is_renamed_in_go: bool
    """True if Pulumi's SDK for Go has another member by a name that this one would have, and gives
    this one another name."""
    description: str | None
    """In Markdown; only with `descriptions`."""
    language: dict[str, JsonValue]
    """The settings for SDKs, by language, as the schema has them."""


@dataclass(frozen=True, eq=False, repr=False)
class ResourceSchema(Record):
    """A resource in its schema."""

    _is_in_table: ClassVar[bool] = True

    member: Member
    inputs: Type
    """Everything that its attributes can be."""
    outputs: Type
    """The type of a reference to one resource."""
    is_component: bool
    """True if it is a component, which has no id of its own."""
    is_provider: bool
    """True if it is the provider of its package."""
    methods: tuple[str, ...]
    deprecated: str | None
    """The text that says what to use instead; `None` if it is not deprecated."""


NAMES.update(PackageSchema=PackageSchema, Member=Member, ResourceSchema=ResourceSchema)
