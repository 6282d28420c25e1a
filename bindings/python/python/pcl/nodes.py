"""The declarations of a program. Classes are named as in `pcl.nodes.Resource`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, overload

from ._record import NAMES, Record, Tables, of
from .expressions import Expression, Variable
from .options import ResourceOptions
from .packages import Package, ResourceSchema
from .places import File, Place
from .types import Property, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

Repeat = Literal["single", "optional", "count", "list", "map"]
"""The effect of the option `range`: one resource, one or none, a number of them, one for each item
of a list, one for each entry of a map.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Comment(Record):
    """A comment."""

    lines: tuple[str, ...]
    """The text, line by line, without the delimiters."""
    range: Place
    """Its text, delimiters included."""


@dataclass(frozen=True, eq=False, repr=False)
class Comments(Record):
    """The comments around something."""

    detached: tuple[Comment, ...]
    """Above, but separated by a blank line."""
    leading: tuple[Comment, ...]
    """On the lines directly above, and before it on its line."""
    trailing: tuple[Comment, ...]
    """Behind it on its line."""


@dataclass(frozen=True, eq=False, repr=False)
class ItemComments(Record):
    """The comments of an item of a body."""

    name: str
    """The name of the attribute, or the keyword of the block."""
    comments: Comments


@dataclass(frozen=True, eq=False, repr=False)
class NodeComments(Comments):
    """The comments of a declaration."""

    open: tuple[Comment, ...]
    """Behind the `{` of its body."""
    close: tuple[Comment, ...]
    """Before the `}` of its body."""
    items: tuple[ItemComments, ...]
    """Those of items in its body that are neither inputs nor options, such as `default`."""


@dataclass(frozen=True, eq=False, repr=False)
class Attribute(Record):
    """An attribute of a body."""

    name: str
    """The name as written."""
    name_range: Place
    value: Expression
    comments: Comments


def _dependencies(tables: Tables, it: Any) -> Any:
    # A module has its files for itself.
    nodes = tables.nodes[it["range"][0]]
    return tuple([nodes[position] for position in it.get("dependencies", ())])


@dataclass(frozen=True, eq=False, repr=False)
class Node(Record):
    """A declaration."""

    _kinds: ClassVar[dict[str, type[Any]] | None] = {}
    kind: ClassVar[str]

    name: str
    """The name that the program refers to it by."""
    logical_name: str = field(metadata=of(lambda _, it: it.get("logical_name", it["name"])))
    """The name outside the program: of the resource, config key or export."""
    range: Place
    """The whole declaration."""
    name_range: Place
    """The name in the declaration, or its keyword if it has no name."""
    type: Type
    """The type of a reference to it; of an output its declared type."""
    dependencies: tuple[Node, ...] = field(metadata=of(_dependencies))
    """The declarations that it refers to."""
    comments: NodeComments

    def __init_subclass__(cls, kind: str | None = None) -> None:
        if kind is not None:
            cls.kind = kind
            assert Node._kinds is not None
            Node._kinds[kind] = cls

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions that it holds itself: attributes, options, values."""
        return ()

    def walk(self) -> Iterator[Expression]:
        """All expressions that belong to it, operands first."""
        for expression in self.expressions:
            yield from expression.walk()

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self.name}>"


@dataclass(frozen=True, eq=False, repr=False)
class Block(Node):
    """A resource, read or component."""

    token: str | None
    """The type token in the form that programs use, such as `random::RandomPet`; `None` if it is
    missing, and of components with a source.
    """
    input_type: Type | None
    """The type that the attributes make up."""
    repeat: Repeat = field(metadata=of(lambda _, it: it.get("repeat", "single")))
    """The effect of the option `range`: `"single"` without one."""
    inputs: tuple[Attribute, ...]
    """The attributes in the order of the text."""
    options: tuple[Attribute, ...]
    """The attributes of its `options` block in the order of the text."""
    options_range: Place | None
    """The `options` block, if there is one."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return tuple(attribute.value for attribute in (*self.inputs, *self.options))

    @property
    def typed_options(self) -> ResourceOptions:
        """The options by name, such as `typed_options.depends_on`, with the parts of those that are
        written out.
        """
        options = self._tables.native.options(self.range.file._position, self._position)
        return ResourceOptions._read(self._tables, json.loads(options))

    def property(self, name: str) -> Property | None:
        """The schema of an attribute, whether the program sets it or not: its type, whether it is
        secret, and so on.
        """
        schema = self.schema if isinstance(self, (Resource, Read)) else None
        inputs = self.input_type if schema is None else schema.inputs
        return None if inputs is None else inputs.find(name)

    def input(self, name: str) -> Expression | None:
        """The value of an attribute."""
        return next((it.value for it in self.inputs if it.name == name), None)

    def option(self, name: str) -> Expression | None:
        """The value of an option."""
        return next((it.value for it in self.options if it.name == name), None)


@dataclass(frozen=True, eq=False, repr=False)
class Resource(Block, kind="resource"):
    """`resource name "token" { .. }`"""

    schema: ResourceSchema | None
    """The resource in its schema; `None` if the token leads nowhere."""


@dataclass(frozen=True, eq=False, repr=False)
class Read(Block, kind="read"):
    """`read name "token" { .. }`"""

    schema: ResourceSchema | None
    """The resource in its schema; `None` if the token leads nowhere."""


@dataclass(frozen=True, eq=False, repr=False)
class Deferred(Record):
    """A variable that holds the place of a component's output before the component exists."""

    variable: Variable
    """Its name is unlike every other name in the program."""
    component: Node
    """The component that comes later."""
    value: Expression
    """The value of the variable once the component exists."""


def _deferred(tables: Tables, it: Any) -> Any:
    nodes = tables.nodes[it["range"][0]]
    for each in it.get("deferred", ()):
        deferred = object.__new__(Deferred)
        deferred.__dict__.update(
            variable=tables.of[Variable][each["variable"]],
            component=nodes[each["component"]],
            value=tables.of[Expression][each["value"]],
        )
        yield deferred


@dataclass(frozen=True, eq=False, repr=False)
class Component(Block, kind="component"):
    """`component name "source" { .. }`"""

    source: str | None
    """The directory as written; `None` for a component that names an existing type by its token."""
    program: ComponentProgram | None
    """The bound program of that directory."""
    deferred: tuple[Deferred, ...] = field(metadata=of(lambda t, it: tuple(_deferred(t, it))))
    """The variables for outputs of later components. Made for an SDK alone."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (*(each.value for each in self.deferred), *super().expressions)


def _present(*expressions: Expression | None) -> tuple[Expression, ...]:
    return tuple(each for each in expressions if each is not None)


@dataclass(frozen=True, eq=False, repr=False)
class Config(Node, kind="config"):
    """`config name "type" { .. }`"""

    default: Expression | None
    """The value if none is configured."""
    description: str | None
    """The description for people."""
    nullable: bool
    """True if the value may be missing."""
    secret: bool
    """True if the value is secret."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return _present(self.default)


@dataclass(frozen=True, eq=False, repr=False)
class Local(Node, kind="local"):
    """`name = value`"""

    value: Expression | None
    """The value; `None` if nothing was bound."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return _present(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Output(Node, kind="output"):
    """`output name "type" { .. }`"""

    value: Expression | None
    """The value, if it has one."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return _present(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Hook(Node, kind="hook"):
    """`hook kind name { .. }`"""

    on_error: bool
    """True if it runs on errors rather than around changes."""
    command: Expression | None
    """The command and its arguments."""
    on_dry_run: Expression | None
    """True if it runs in a preview too."""
    ignore_errors: Expression | None
    """True if its failure is ignored."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return _present(self.command, self.on_dry_run, self.ignore_errors)


@dataclass(frozen=True, eq=False, repr=False)
class Pulumi(Node, kind="pulumi"):
    """`pulumi { .. }`"""

    required_version: Expression | None
    """The version range of Pulumi that the program needs."""

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return _present(self.required_version)


N = TypeVar("N", bound=Node)


def _nodes(tables: Tables, it: Any) -> Any:
    return tuple(tables.nodes[it["files"][0]]) if it["files"] else ()


def _order(tables: Tables, it: Any) -> Any:
    nodes = _nodes(tables, it)
    return tuple([nodes[position] for position in it["order"]])


@dataclass(frozen=True, eq=False, repr=False)
class Module(Record):
    """The declarations of one directory: of the program itself or of a component."""

    files: tuple[File, ...]
    """The files, by name."""
    packages: tuple[Package, ...]
    """The packages that the module itself uses, by name."""
    nodes: tuple[Node, ...] = field(metadata=of(_nodes))
    """The declarations: file by file in name order, in each file resources and reads first."""
    in_order: tuple[Node, ...] = field(metadata=of(_order))
    """The declarations in the order in which code for them can be written: each after those that it
    needs.
    """

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The resources among the declarations."""
        return tuple(node for node in self.nodes if isinstance(node, Resource))

    @overload
    def find(self, name: str) -> Node | None: ...
    @overload
    def find(self, name: str, of: type[N]) -> N | None: ...
    def find(self, name: str, of: type[Node] = Node) -> Node | None:
        """The declaration of that name: the first, or the first of a class. A config variable and
        an output may have the same.
        """
        found = (node for node in self.nodes if node.name == name and isinstance(node, of))
        return next(found, None)


@dataclass(frozen=True, eq=False, repr=False)
class ComponentProgram(Record):
    """The program of a component's directory.

    Its users may give outputs for its config variables, whose types are plain, and its outputs are
    outputs to them, whatever their values are.
    """

    _is_in_table: ClassVar[bool] = True

    name: str
    """A name for generated code in PascalCase, unlike that of any other component."""
    directory: str
    """The directory as people would write it."""
    module: Module = field(metadata=of(lambda tables, it: Module._read(tables, it["module"])))
    """Its declarations."""


NAMES.update(Node=Node, ComponentProgram=ComponentProgram)
