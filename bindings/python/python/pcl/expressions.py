"""The expressions of a program. Classes are named as in `pcl.expressions.Binary`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from typing import Literal as OneOf

from ._record import NAMES, Constant, Record, Tables, of
from .packages import Member
from .places import Place
from .types import Object as ObjectType
from .types import Type

if TYPE_CHECKING:
    from .nodes import Node


@dataclass(frozen=True, eq=False, repr=False)
class Expression(Record):
    """A typed expression. As text it is what the program says."""

    _is_in_table: ClassVar[bool] = True
    _kinds: ClassVar[dict[str, type[Any]] | None] = {}
    kind: ClassVar[str]

    type: Type
    """The type of its value."""
    expected: Type | None
    """The type that its place expects, if it is known. Of an object in a union it is the member
    that the object becomes, as far as that can be determined.
    """
    range: Place
    """Its text."""

    def __init_subclass__(cls, kind: str) -> None:
        cls.kind = kind
        assert Expression._kinds is not None
        Expression._kinds[kind] = cls

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions that it is made of, in the order of the text where there is one."""
        return ()

    def walk(self) -> Iterator[Expression]:
        """Everything that belongs to it: operands first, each once, and itself last."""
        open: list[Expression] = [self]
        found = {self._position: self}
        while open:
            for operand in open.pop().operands:
                if operand._position not in found:
                    found[operand._position] = operand
                    open.append(operand)
        return iter([found[position] for position in sorted(found)])

    @property
    def supplied(self) -> tuple[Variable, ...]:
        """The variables in it that its place supplies, each once: `range` in a resource with that
        option, `args` in the command of a hook.
        """
        traversals = (it for it in self.walk() if isinstance(it, Traversal))
        variables = (it.variable for it in traversals if it.variable is not None)
        return tuple(dict.fromkeys(it for it in variables if it.is_supplied))

    @property
    def literal(self) -> Literal | None:
        """The literal that it is, or that makes up a quoted string without interpolations."""
        return None

    @property
    def string(self) -> str | None:
        """The text of a quoted string without interpolations."""
        literal = self.literal
        return literal.value if literal is not None and isinstance(literal.value, str) else None

    @property
    def object_type(self) -> ObjectType | None:
        """The object type that its place expects, also behind outputs and options; `None` if there
        are several. Of an object literal whose type has a `member`, it is the class that a
        generator for an SDK writes.
        """
        position = None
        if self.expected is not None:
            position = self._tables.native.object(self.expected._position)
        return None if position is None else self._tables.of[Type][position]

    @property
    def unconverted(self) -> Expression:
        """The expression under any number of conversions; itself if it is not one."""
        found: Expression = self
        while isinstance(found, Convert):
            found = found.value
        return found

    @property
    def key_text(self) -> str | None:
        """The name that it is as the key of an object; `None` if the key is computed."""
        literal = self.literal
        if literal is None or literal.value is None:
            return None
        value = literal.value
        return str(value).lower() if isinstance(value, bool) else str(value)

    def __str__(self) -> str:
        return self.range.text

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__} {self}>"


@dataclass(frozen=True, eq=False, repr=False)
class Variable(Record):
    """A variable that is not a declaration of the program."""

    _is_in_table: ClassVar[bool] = True

    name: str
    """The name; empty for the item of a splat."""
    role: OneOf[
        "for-key",
        "for-value",
        "splat-item",
        "apply-parameter",
        "deferred",
        "range",
        "supplied",
    ]
    """`range` is the variable of that name in a resource with the option; `supplied` are others that
    a place has, such as `args` in the command of a hook.
    """
    type: Type

    @property
    def is_supplied(self) -> bool:
        """True if its place supplies it rather than an expression around it: `range`, `args`."""
        return self.role in ("range", "supplied")


@dataclass(frozen=True, eq=False, repr=False)
class Literal(Expression, kind="literal"):
    """A value written out: a number, `true`, `null`, a bare object key, a run of text in a
    template.
    """

    value: Constant

    @property
    def literal(self) -> Literal | None:
        return self


@dataclass(frozen=True, eq=False, repr=False)
class Template(Expression, kind="template"):
    """A quoted string or heredoc. Plain text is a single literal part."""

    parts: tuple[Expression, ...]
    """Texts and interpolations in turn."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.parts

    @property
    def literal(self) -> Literal | None:
        parts = self.parts
        return parts[0] if len(parts) == 1 and isinstance(parts[0], Literal) else None


@dataclass(frozen=True, eq=False, repr=False)
class TemplateJoin(Expression, kind="template-join"):
    """`%{ for … }`: the strings of the loop one after the other."""

    value: Expression
    """The loop."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.value,)


@dataclass(frozen=True, eq=False, repr=False)
class Unary(Expression, kind="unary"):
    """`-x`, `!x`."""

    operator: OneOf["-", "!"]
    operand: Expression

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False)
class Binary(Expression, kind="binary"):
    """`a + b` and its like."""

    operator: OneOf["||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"]
    left: Expression
    right: Expression

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.left, self.right


@dataclass(frozen=True, eq=False, repr=False)
class Conditional(Expression, kind="conditional"):
    """`c ? a : b`."""

    condition: Expression
    if_true: Expression
    if_false: Expression

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.condition, self.if_true, self.if_false


@dataclass(frozen=True, eq=False, repr=False)
class Tuple(Expression, kind="tuple"):
    """`[a, b]`."""

    elements: tuple[Expression, ...]

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.elements


@dataclass(frozen=True, eq=False, repr=False)
class Item(Record):
    """An item of an object."""

    key: Expression
    """A literal if it is written bare."""
    value: Expression

    @property
    def name(self) -> str | None:
        """The name that the key is; `None` if it is computed."""
        return self.key.key_text

    @classmethod
    def _read(cls, tables: Tables, value: Any) -> Item:
        """The item of two positions."""
        key, value = value
        item = object.__new__(cls)
        expressions = tables.of[Expression]
        item.__dict__.update(key=expressions[key], value=expressions[value])
        return item


@dataclass(frozen=True, eq=False, repr=False)
class Object(Expression, kind="object"):
    """`{ a = b }`."""

    items: tuple[Item, ...]
    """The items in the order of the text."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return tuple(each for item in self.items for each in (item.key, item.value))

    def get(self, name: str) -> Expression | None:
        """The value of the key of that name."""
        return next((item.value for item in self.items if item.name == name), None)


@dataclass(frozen=True, eq=False, repr=False)
class Index(Expression, kind="index"):
    """`c[k]` where `k` is more than a literal."""

    collection: Expression
    key: Expression

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.collection, self.key


@dataclass(frozen=True, eq=False, repr=False)
class For(Expression, kind="for"):
    """A loop that makes a collection: an object if there is a key, a list otherwise."""

    key_variable: Variable | None
    """The variable for keys or positions."""
    value_variable: Variable | None
    """The variable for values; `None` if it has the name of the key variable."""
    collection: Expression
    """The collection that is iterated over."""
    key: Expression | None
    """The key of each entry."""
    value: Expression
    """The value of each element or entry."""
    condition: Expression | None
    """The condition that selects items."""
    groups: bool
    """`...`: values of equal keys are collected in lists."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        all = (self.collection, self.key, self.value, self.condition)
        return tuple(each for each in all if each is not None)


@dataclass(frozen=True, eq=False, repr=False)
class Step(Record):
    """One step into a value: `.name`, or `[0]` with a constant."""

    name: str | None
    index: Constant
    """The constant, if there is no name."""
    range: Place
    """From the dot or bracket to the end of the step."""
    type: Type
    """The type of what is reached."""

    @property
    def key(self) -> Constant:
        """The name or the constant."""
        return self.index if self.name is None else self.name


def _referred_node(tables: Tables, it: Any) -> Any:
    # A module has its files for itself.
    return tables.nodes[it["range"][0]][it["node"]] if "node" in it else None


def _name_range(tables: Tables, it: Any) -> Place:
    file, start, _ = it["range"]
    end = start + len(it["name"].encode())
    return Place._read(tables, it.get("name_range", (file, start, end)))


@dataclass(frozen=True, eq=False, repr=False)
class Traversal(Expression, kind="traversal"):
    """A name, and what is reached from it by fixed steps."""

    name: str
    """The name as written; empty for the item of a splat."""
    name_range: Place = field(metadata=of(_name_range))
    node: Node | None = field(metadata=of(_referred_node))
    """The declaration that the name refers to."""
    variable: Variable | None
    """The variable that the name refers to."""
    is_constant: bool = field(metadata=of(lambda _, it: "value" in it))
    """True if the name is that of a value, such as `null`."""
    value: Constant
    """That value."""
    reference: OneOf["property", "keyword", "undefined"] | None
    """The other meanings of a name: a path to an input of the resource, a keyword such as the
    moment of a hook, or nothing, which was reported.
    """
    root_type: Type = field(
        metadata=of(lambda tables, it: tables.of[Type][it.get("root_type", it["type"])])
    )
    """The type of the name alone."""
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False, repr=False)
class RelativeTraversal(Expression, kind="relative-traversal"):
    """Fixed steps from what is not a name."""

    source: Expression
    """The value that the steps start from."""
    steps: tuple[Step, ...]

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.source,)


@dataclass(frozen=True, eq=False, repr=False)
class Splat(Expression, kind="splat"):
    """`xs[*].a`, `xs.*.a`."""

    source: Expression
    """The list; a tuple around the value if it is none."""
    item: Variable
    """The item, which `each` refers to."""
    each: Expression
    """The expression for each item."""
    is_full: bool
    """`[*]` rather than `.*`."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.source, self.each


@dataclass(frozen=True, eq=False, repr=False)
class Parameter(Record):
    """A parameter of a function."""

    name: str
    type: Type
    """The type that an argument is converted to."""


@dataclass(frozen=True, eq=False, repr=False)
class Callee(Record):
    """A function or method of a package."""

    member: Member
    token: str
    """The token in the form that programs use, such as `aws:ec2:getAmi`."""
    is_output_form: bool
    """True if the call takes and gives outputs: the form that generators name `getAmiOutput`."""
    is_method: bool
    """True if it is a method of a resource."""
    is_output_only: bool
    """True if the SDKs have only the form of it that gives an output."""
    positional_inputs: tuple[str, ...]
    """The names of the inputs in the order of positional arguments; empty if it takes an object.
    They belong to the function: in a document for an SDK the call has one object all the same.
    """
    deprecated: str | None
    """The text that says what to use instead; `None` if it is not deprecated."""


@dataclass(frozen=True, eq=False, repr=False)
class Call(Expression, kind="call"):
    """`f(a)`."""

    name: str
    """The name of the function, with its name spaces."""
    name_range: Place = field(metadata=of(_name_range))
    arguments: tuple[Expression, ...]
    """The arguments as written. In a document for an SDK, the positional inputs of a function of a
    package are one `Object`, which may be inside of a `Convert`: `[token, object]`.
    """
    expands_last: bool
    """`...` after the last argument."""
    parameters: tuple[Parameter, ...]
    """The parameters of this call. One of an eventual type takes an output as it is, so that no
    `Apply` is around the call.
    """
    variadic: Parameter | None
    """The parameter that further arguments belong to."""
    returns: Type = field(
        metadata=of(lambda tables, it: tables.of[Type][it.get("returns", it["type"])])
    )
    """The return type, before the call is lifted because of eventual arguments."""
    callee: Callee | None
    """The function or method of a package, for `invoke` and `call`."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return self.arguments


@dataclass(frozen=True, eq=False, repr=False)
class ApplyArgument(Record):
    """An eventual value, and the variable for it once it is known."""

    parameter: Variable
    value: Expression


@dataclass(frozen=True, eq=False, repr=False)
class Apply(Expression, kind="apply"):
    """A computation on eventual values that runs once they are known. Made for an SDK alone."""

    values: tuple[ApplyArgument, ...]
    """The eventual values."""
    body: Expression
    """The result, computed from the values. The whole is an output or promise of it."""

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (*(each.value for each in self.values), self.body)


@dataclass(frozen=True, eq=False, repr=False)
class Convert(Expression, kind="convert"):
    """The value as one of the expression's own type. Made for an SDK alone."""

    value: Expression

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.value,)


@dataclass(frozen=True, eq=False, repr=False)
class Error(Expression, kind="error"):
    """Syntax that is not an expression; it was reported."""


NAMES.update(Expression=Expression, Variable=Variable)
