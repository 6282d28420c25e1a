"""The types of a program. Classes are named as in `pcl.types.List`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ._record import NAMES, Constant, JsonValue, Record, of_key
from .packages import Member


@dataclass(frozen=True, eq=False, repr=False)
class Type(Record):
    """A type. As text it is on one line: `list(string) | none`.

    Types refer to each other in circles, and equal types of a document are one object.
    """

    _is_in_table: ClassVar[bool] = True
    _kinds: ClassVar[dict[str, type[Any]] | None] = {}
    kind: ClassVar[str]

    def __init_subclass__(cls, kind: str | None = None) -> None:
        if kind is not None:
            cls.kind = kind
            assert Type._kinds is not None
            Type._kinds[kind] = cls

    @property
    def stripped(self) -> Type:
        """The type inside of the outputs, promises and options around it."""
        return self._other(self._tables.native.strip(self._position))

    @property
    def is_optional(self) -> bool:
        """True if null is among the values."""
        return bool(self._tables.native.is_optional(self._position))

    @property
    def is_eventual(self) -> bool:
        """True if a value is known only later, or may be."""
        return bool(self._tables.native.is_eventual(self._position))

    @property
    def plain(self) -> Type:
        """The type that an author writes: without null, outputs and promises, also those inside
        unions. It is a union only if several different types remain. Outputs inside of a collection
        stay if no other member of the union is that collection without them.
        """
        positions, union = self._tables.native.plain(self._position)
        types = tuple(map(self._other, positions))
        if len(types) == 1:
            return types[0]
        if isinstance(self, Union) and set(types) == set(self.members):
            return self
        around = None if union is None else self._other(union)
        return _PlainUnion.of(types, around, self)

    @property
    def alternatives(self) -> tuple[Type, ...]:
        """The types that a value may have at run time: members of unions and contents of outputs,
        each once. Constants and enumerations count as the types of their values. Of types that
        differ only in the outputs inside them, the one with the fewest is there.
        """
        return tuple(map(self._other, self._tables.native.alternatives(self._position)))

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties of an object type, sorted by name; other types have none."""
        return ()

    def find(self, name: str) -> Property | None:
        """The property of that exact name of an object type."""
        return next((it for it in self.properties if it.name == name), None)

    def _other(self, position: int) -> Type:
        types: list[Type] = self._tables.of[Type]
        return types[position]

    def __str__(self) -> str:
        return str(self._tables.native.type_text(self._position))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Null(Type, kind="none"):
    """The type of null."""


class Bool(Type, kind="bool"):
    """Booleans."""


class Int(Type, kind="int"):
    """Whole numbers."""


class Number(Type, kind="number"):
    """Numbers."""


class String(Type, kind="string"):
    """Strings."""


class Id(Type, kind="id"):
    """Resource ids: convertible to and from strings."""


class Dynamic(Type, kind="dynamic"):
    """Any value."""


class Error(Type, kind="error"):
    """The type of what failed to bind; it was reported."""


class Asset(Type, kind="asset"):
    """A file or text as a resource input."""


class Archive(Type, kind="archive"):
    """A collection of assets."""


class PropertyPath(Type, kind="property"):
    """A reference to a property of a resource, as in `ignoreChanges`."""


@dataclass(frozen=True, eq=False, repr=False)
class Opaque(Type, kind="opaque"):
    """A type that a schema knows by its name alone."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Const(Type, kind="const"):
    """One single value."""

    underlying: Type
    """The type of the value."""
    value: Constant


@dataclass(frozen=True, eq=False, repr=False)
class EnumValue(Record):
    """A value of an enumeration."""

    name: str | None
    """The name that the schema gives the value, for generated code."""
    value: Constant
    deprecated: str | None
    """The text that says what to use instead; `None` if it is not deprecated."""
    description: str | None
    """In Markdown; only with `descriptions`."""


@dataclass(frozen=True, eq=False, repr=False)
class Enum(Type, kind="enum"):
    """One of a few values."""

    token: str
    """The token that it is known by, in the form that programs use for members."""
    member: Member | None
    """The type in its schema."""
    underlying: Type
    """The type of the values."""
    values: tuple[EnumValue, ...]
    """The values in the order of the schema."""


@dataclass(frozen=True, eq=False, repr=False)
class List(Type, kind="list"):
    """Ordered elements of one type."""

    element: Type


@dataclass(frozen=True, eq=False, repr=False)
class Set(Type, kind="set"):
    """Unordered, distinct elements of one type."""

    element: Type


@dataclass(frozen=True, eq=False, repr=False)
class Map(Type, kind="map"):
    """Values of one type under any keys."""

    element: Type


@dataclass(frozen=True, eq=False, repr=False)
class Tuple(Type, kind="tuple"):
    """A fixed number of elements."""

    elements: tuple[Type, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Property(Record):
    """A property of an object type."""

    name: str
    type: Type
    """The type, with null where it may be missing."""
    required: bool
    """True if a value is required."""
    secret: bool
    """True if the schema says that its value is a secret."""
    plain: bool
    """True if it accepts a plain value only, never an output."""
    replace_on_changes: bool
    """True if a change replaces the resource."""
    will_replace_on_changes: bool
    """True if the provider replaces the resource on a change."""
    default: Constant
    """The value that it has when the program gives none; `None` for no default."""
    constant: Constant
    """The only value that it may have; `None` if there is none."""
    environment: tuple[str, ...]
    """The environment variables whose values replace the default, in order."""
    deprecated: str | None
    """The text that says what to use instead; `None` if it is not deprecated."""
    display_name: str | None
    """The name that the schema gives it for people."""
    description: str | None
    """In Markdown; only with `descriptions`."""
    language: dict[str, JsonValue]
    """The settings for SDKs, by language, as the schema has them."""


@dataclass(frozen=True, eq=False, repr=False)
class Object(Type, kind="object"):
    """Named properties."""

    own_properties: tuple[Property, ...] = field(metadata=of_key("properties", Property))
    """The properties that are not of an included type, sorted by name. `properties` has all."""
    includes: tuple[Type, ...]
    """Object types whose properties it has as well. Only large types that no schema knows have
    any.
    """
    member: Member | None
    """The member of a package whose object it is; `None` for objects that no schema knows."""
    role: (
        Literal[
            "plain",
            "input",
            "resource-inputs",
            "read-inputs",
            "resource",
            "resource-reference",
            "function-inputs",
            "function-outputs",
        ]
        | None
    )
    """Selects one of the member's objects; `None` for objects that no schema knows. The inputs and
    outputs of a component are among these: equal types are one object, which does not tell the
    component. `Component.input_type` and `Component.type` are those of one, and
    `traversal.node` leads to it.
    """
    derived: bool
    """True if the front end changed it: outputs inside it were replaced by their contents, or the
    reverse.
    """

    @property
    def properties(self) -> tuple[Property, ...]:
        found: dict[str, Property] = {}
        open: list[Type] = [self]
        known: set[Type] = set(open)
        while open:
            each = open.pop()
            if isinstance(each, Object):
                found.update((property.name, property) for property in each.own_properties)
                open.extend(it for it in each.includes if it not in known)
                known.update(each.includes)
        return tuple(found[name] for name in sorted(found, key=str.encode))


@dataclass(frozen=True, eq=False, repr=False)
class Variant(Record):
    """A value of the property that tells the members of a union apart."""

    value: str
    type: Type
    """The member that it means."""


@dataclass(frozen=True, eq=False, repr=False)
class Discriminator(Record):
    """The property that tells which member of a union an object is."""

    property: str
    """The name of the property."""
    variants: tuple[Variant, ...]
    """The values that it may have, sorted."""


@dataclass(frozen=True, eq=False, repr=False)
class Union(Type, kind="union"):
    """One of several types."""

    members: tuple[Type, ...]
    """The types, in the order in which they are shown. Some members of a very large union are
    unions themselves.
    """
    schema_order: tuple[Type, ...]
    """The members that the schema names, in its order; empty if they have this order."""
    discriminator: Discriminator | None
    """The property that distinguishes objects among the members."""


class _PlainUnion(Union):
    """A union that is not in the table of types."""

    _origin: ClassVar[Type]
    """The type that it is the plain form of."""

    @classmethod
    def of(cls, members: tuple[Type, ...], around: Type | None, origin: Type) -> _PlainUnion:
        """The union of some types. That around them has the discriminator."""
        union = object.__new__(cls)
        discriminator = around.discriminator if isinstance(around, Union) else None
        union.__dict__.update(
            members=members, schema_order=(), discriminator=discriminator, _origin=origin
        )
        return union

    @property
    def plain(self) -> Type:
        return self

    @property
    def stripped(self) -> Type:
        return self

    @property
    def is_optional(self) -> bool:
        return False

    @property
    def is_eventual(self) -> bool:
        return False

    @property
    def alternatives(self) -> tuple[Type, ...]:
        return tuple(it for it in self._origin.alternatives if not isinstance(it, Null))

    def __str__(self) -> str:
        return " | ".join(map(str, self.members))

    def __repr__(self) -> str:
        return f"<Union {self}>"


@dataclass(frozen=True, eq=False, repr=False)
class Output(Type, kind="output"):
    """A value known once resources exist."""

    element: Type


@dataclass(frozen=True, eq=False, repr=False)
class Promise(Type, kind="promise"):
    """A value known later."""

    element: Type


NAMES["Type"] = Type
