"""Diagnostics: the mistakes in a program, with their places and fixes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ._record import Record


@dataclass(frozen=True, eq=True, repr=False)
class Position(Record):
    """A position in a file."""

    byte: int
    """The offset in bytes, from 0."""
    line: int
    """The line, from 1."""
    column: int
    """The column in Unicode characters, from 1."""


@dataclass(frozen=True, eq=True, repr=False)
class Range(Record):
    """A half-open range of a file."""

    start: Position
    end: Position

    def __repr__(self) -> str:
        start, end = self.start, self.end
        return f"Range({start.line}:{start.column}-{end.line}:{end.column})"


@dataclass(frozen=True, eq=True, repr=False)
class Label(Record):
    """A second place that explains the first."""

    file: str
    range: Range
    message: str


@dataclass(frozen=True, eq=True, repr=False)
class Edit(Record):
    """Replaces a range by a text; an empty range inserts."""

    file: str
    range: Range
    text: str


@dataclass(frozen=True, eq=True, repr=False)
class Fix(Record):
    """Edits that belong together."""

    title: str
    """The effect of the fix."""
    applicability: Literal["safe", "unsafe", "display-only"]
    edits: tuple[Edit, ...]


@dataclass(frozen=True, eq=True, repr=False)
class Diagnostic(Record):
    """A reported diagnostic. As text it is the line of `pcl check --output-format concise`."""

    code: str
    """The stable number, such as `PCL0301`."""
    name: str
    """The stable name, such as `type-not-assignable`."""
    severity: Literal["warning", "error", "bug"]
    """`bug` is a bug in pcl itself."""
    message: str
    """The headline, in one sentence."""
    file: str
    """The path of the file, as the program was named."""
    range: Range
    """The place in the file."""
    labels: tuple[Label, ...]
    """Second places that explain the first."""
    notes: tuple[str, ...]
    """Rules and facts that explain it."""
    help: str | None
    """Advice on how to solve it."""
    fixes: tuple[Fix, ...]
    """Edits that fix it."""
    fingerprint: str
    """Names the diagnostic across runs and across edits elsewhere in the file."""
    url: str
    """The address of the page about the code."""

    @property
    def is_error(self) -> bool:
        """True for errors, and for bugs in pcl."""
        return self.severity != "warning"

    def __str__(self) -> str:
        start = self.range.start
        place = f"{self.file}:{start.line}:{start.column}"
        return f"{place}: {self.severity}[{self.code}] {self.message}"
