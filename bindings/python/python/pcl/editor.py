"""The answers to questions about a place in a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._record import Record
from .diagnostics import Range


@dataclass(frozen=True, eq=True, repr=False)
class Hover(Record):
    """The explanation of the thing at a place."""

    range: Range
    """The place of the thing."""
    markdown: str


@dataclass(frozen=True, eq=True, repr=False)
class Location(Record):
    """A place in a file."""

    file: str
    range: Range


@dataclass(frozen=True, eq=True, repr=False)
class Completion(Record):
    """A text that can be written at a place."""

    label: str
    """The text that is shown."""
    kind: Literal[
        "keyword",
        "type",
        "package",
        "directory",
        "property",
        "member",
        "resource",
        "variable",
        "function",
        "value",
    ]
    detail: str | None
    """Its type, or a few words about it."""
    text: str
    """The text that is inserted."""
    snippet: str | None
    """The text with placeholders such as `${1:name}`."""
    deprecated: bool
    documentation: str | None
    """In Markdown."""


@dataclass(frozen=True, eq=True, repr=False)
class Completions(Record):
    """The completions at a place."""

    range: Range
    """The text that a completion replaces."""
    incomplete: bool
    """True if there are more, which typing on reveals."""
    items: tuple[Completion, ...]
    """The completions, the best first."""
