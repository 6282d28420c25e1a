"""Previews: the resources that a program would register. Secrets are never in them.

Values are JSON. What JSON does not have is an object with one key: `{"$secret": true}`,
`{"$unknown": true}`, `$output`, `$asset`, `$archive`, `$resource`, `$bytes`, `$object`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._record import JsonValue, Record
from .diagnostics import Diagnostic


@dataclass(frozen=True, eq=True, repr=False)
class Source(Record):
    """The place of a block."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, eq=True, repr=False)
class Registration(Record):
    """A resource, component or read that a program would register, or the stack."""

    urn: str
    type: str
    """The type token."""
    name: str
    kind: Literal["stack", "resource", "component", "read"]
    failed: bool
    """True if the answers say that its provider fails."""
    parent: str | None
    """The URN of the parent; `None` for the stack."""
    id: JsonValue
    """The id; `{"$unknown": true}` before the resource exists, `None` for what has none."""
    inputs: dict[str, JsonValue]
    outputs: dict[str, JsonValue]
    dependencies: tuple[str, ...]
    """The URNs of the resources on which it depends."""
    source: Source | None
    """The place of its block; `None` for the stack."""


@dataclass(frozen=True, eq=True, repr=False)
class ProviderCall(Record):
    """A call of a function or method of a provider."""

    token: str
    arguments: dict[str, JsonValue]


@dataclass(frozen=True, eq=True, repr=False)
class Preview(Record):
    """The resources that a program would register, and its outputs."""

    program: str
    """The program as it was named."""
    valid: bool
    """True if there is no error among the diagnostics."""
    diagnostics: tuple[Diagnostic, ...]
    """The diagnostics of the check and of the run."""
    project: str
    stack: str
    resources: tuple[Registration, ...]
    """The stack, resources, components and reads, in the order of their requests."""
    calls: tuple[ProviderCall, ...]
    """The functions and methods of providers that the program calls."""
    outputs: dict[str, JsonValue]
    """The outputs of the stack; empty if the program has errors."""
