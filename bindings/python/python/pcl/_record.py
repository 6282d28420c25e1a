"""Frozen records of the JSON of the native module.

A record is a frozen dataclass. Its fields are read from the keys of the same names, by their
annotations: `Type` is a position in the table of types, `tuple[Type, ...]` a list of them, and so
on. Two steps make the records of a document: the first creates those in tables, so that the second
can fill them, whatever refers to whatever.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

JsonValue = Union[None, bool, int, float, str, "list[JsonValue]", "dict[str, JsonValue]"]
"""A value of JSON."""

R = TypeVar("R", bound="Record")


MOST_DIGITS = 40
"""The digits of the longest `int` that a constant is. `1e999999999` would fill the memory."""


def constant(_: Tables, value: Any) -> Any:
    """A constant of JSON, whose numbers are objects."""
    if not isinstance(value, dict):
        return value
    number = Decimal(value["number"])
    is_whole = number.adjusted() < MOST_DIGITS and number == number.to_integral_value()
    return int(number) if is_whole else number


Constant = Annotated[Union[None, bool, int, Decimal, str], constant]
"""A constant of a program. Numbers are exact: whole ones of at most 40 digits are `int`, others
`Decimal`.
"""


class Tables:
    """The tables of a document: the records that others refer to by position."""

    def __init__(self, native: Any = None, sources: Mapping[str, str] | None = None) -> None:
        self.native = native
        """The document that answers what the JSON leaves to the reader."""
        self.sources = sources or {}
        """The texts of files by path."""
        self.of: dict[type[Record], list[Any]] = {}
        self.nodes: dict[int, list[Any]] = {}
        """The declarations of the module that a file belongs to."""

    def create(self, base: type[R], values: list[Any]) -> list[R]:
        """Creates the records of a table, without their fields."""
        records: list[R] = []
        for value in values:
            record = object.__new__(base._class_of(value))
            record.__dict__.update(_tables=self, _position=len(records))
            records.append(record)
        return records

    def fill(self, records: list[R], values: list[Any]) -> None:
        """Reads the fields of the records of a table."""
        for record, value in zip(records, values):
            read_fields(self, record, value)


def of(read: Callable[[Tables, Any], Any]) -> Mapping[str, Any]:
    """The metadata of a field that is made of the whole JSON object."""
    return {"read": read}


def of_key(key: str, cls: type[Record]) -> Mapping[str, Any]:
    """The metadata of a field whose records are in a list under another key."""
    return of(lambda tables, value: tuple([cls._read(tables, it) for it in value.get(key, ())]))


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """A part of an answer."""

    _kinds: ClassVar[dict[str, type[Any]] | None] = None
    """The classes by the value of `kind`."""
    _is_in_table: ClassVar[bool] = False
    """Set if others refer to records of this class by position."""

    # Each record has these, which are no part of its value.
    _tables: ClassVar[Tables]
    _position: ClassVar[int]

    @classmethod
    def _class_of(cls: type[R], value: Mapping[str, Any]) -> type[R]:
        """The class of the record of a JSON object."""
        return cls if cls._kinds is None else cast("type[R]", cls._kinds[value["kind"]])

    @classmethod
    def _read(cls: type[R], tables: Tables, value: Any) -> R:
        """The record of a JSON object."""
        record = object.__new__(cls._class_of(value))
        record.__dict__["_tables"] = tables
        read_fields(tables, record, value)
        return record

    def __repr__(self) -> str:
        # Records refer to each other in circles, so that only plain fields are shown.
        shown = []
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, (bool, int, str, Decimal)) and value not in ("", False):
                shown.append(f"{each.name}={value!r}")
        return f"{type(self).__name__}({', '.join(shown)})"


NAMES: dict[str, type[Record]] = {}
"""The classes that modules refer to before they are declared."""

Reader = Callable[[Tables, Any], Any]

_READERS: dict[type[Record], list[tuple[str, Reader]]] = {}


def read_fields(tables: Tables, record: Record, value: Any) -> None:
    """Reads the fields of a record."""
    cls = type(record)
    readers = _READERS.get(cls)
    if readers is None:
        readers = _READERS[cls] = list(_readers(cls))
    into = record.__dict__
    for name, read in readers:
        into[name] = read(tables, value)


def _readers(cls: type[Record]) -> Iterator[tuple[str, Reader]]:
    hints = get_type_hints(cls, localns=dict(NAMES), include_extras=True)
    for each in fields(cls):
        yield each.name, each.metadata.get("read") or _of_key(each.name, _reader(hints[each.name]))


def _of_key(key: str, read: Reader) -> Reader:
    return lambda tables, value: read(tables, value.get(key))


def _reader(hint: Any) -> Reader:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return cast(Reader, arguments[1])
    if origin in (Union, types.UnionType):
        inner = [argument for argument in arguments if argument is not type(None)]
        if len(inner) != 1:
            return _plain
        one = _reader(inner[0])
        return lambda tables, value: None if value is None else one(tables, value)
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda tables, values: tuple([item(tables, value) for value in values or ()])
    if origin is dict:
        return lambda _, value: value or {}
    if hint is bool:
        return lambda _, value: bool(value)
    if origin is not Literal and isinstance(hint, type) and issubclass(hint, Record):
        if hint._is_in_table:
            return lambda tables, position: tables.of[hint][position]
        return lambda tables, value: hint._read(tables, {} if value is None else value)
    return _plain


def _plain(_: Tables, value: Any) -> Any:
    return value
