"""Files and places in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ._record import NAMES, Record, Tables


@dataclass(frozen=True, eq=False, repr=False)
class File(Record):
    """A file of a program or of one of its components."""

    _is_in_table: ClassVar[bool] = True

    path: str
    """Its path, as the program was named."""
    name: str
    """The last part of the path."""

    @property
    def text(self) -> str:
        """Its text. Bytes that are not UTF-8 are replaced."""
        return self._tables.sources[self.path]


@dataclass(frozen=True, eq=True, repr=False)
class Place(Record):
    """A half-open range of a file, in bytes. As text it is `main.pp:3:7`."""

    file: File
    start: int
    """The offset of the first byte."""
    end: int
    """The offset after the last byte."""

    @classmethod
    def _read(cls, tables: Tables, value: Any) -> Place:
        """The place of a list of three numbers."""
        file, start, end = value
        place = object.__new__(cls)
        place.__dict__.update(_tables=tables, file=tables.of[File][file], start=start, end=end)
        return place

    @property
    def line(self) -> int:
        """The line of its start, from 1."""
        return self._position_of_start[0]

    @property
    def column(self) -> int:
        """The column of its start in Unicode characters, from 1."""
        return self._position_of_start[1]

    @property
    def text(self) -> str:
        """The text of the place."""
        return self.file.text.encode()[self.start : self.end].decode(errors="replace")

    @property
    def _position_of_start(self) -> tuple[int, int]:
        line, column = self._tables.native.position(self.file._position, self.start)
        return line, column

    def __str__(self) -> str:
        return f"{self.file.path}:{self.line}:{self.column}"

    def __repr__(self) -> str:
        return f"<Place {self}>"


NAMES["Place"] = Place
