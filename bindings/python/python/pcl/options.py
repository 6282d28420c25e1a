"""The options of resources in the form of their meaning: `resource.typed_options`.

An option that is written out has parts, such as the elements of a list; the parts are `None` if the
option is computed as a whole. `value` is the expression in any case.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._record import Constant, Record, Tables, of
from .expressions import Expression
from .places import Place


def _expressions(tables: Tables, positions: Any) -> tuple[Expression, ...] | None:
    if positions is None:
        return None
    table = tables.of[Expression]
    return tuple([table[position] for position in positions])


def _named(tables: Tables, fields: Any) -> dict[str, Expression] | None:
    if fields is None:
        return None
    table = tables.of[Expression]
    return {name: table[position] for name, position in reversed(fields)}


def _all(cls: type[Record]) -> Any:
    return of(
        lambda tables, it: None
        if it["parts"] is None
        else tuple([cls._read(tables, each) for each in it["parts"]])
    )


@dataclass(frozen=True, eq=False, repr=False)
class Option(Record):
    """An option."""

    name_range: Place
    """The name in the text."""
    value: Expression

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class ListOption(Option):
    """An option that is a list."""

    elements: tuple[Expression, ...] | None = field(
        metadata=of(lambda tables, it: _expressions(tables, it["parts"]))
    )
    """The elements of a list that is written out; `None` if it is computed as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class FieldsOption(Option):
    """An option that is an object."""

    fields: dict[str, Expression] | None = field(
        metadata=of(lambda tables, it: _named(tables, it["parts"]))
    )
    """The fields of an object that is written out; `None` if it or a key in it is computed."""


@dataclass(frozen=True, eq=False, repr=False)
class PropertyPath(Record):
    """A path to a property of the resource itself."""

    range: Place
    text: str
    """The path in Pulumi's notation, such as `tags["a b"].list[0]`."""
    keys: tuple[Constant, ...]
    """The name of the property, and the steps into it; empty for a path in a document for an SDK,
    where it is a string.
    """


@dataclass(frozen=True, eq=False, repr=False)
class PathsOption(Option):
    """An option that is a list of paths."""

    paths: tuple[PropertyPath, ...] | None = field(metadata=_all(PropertyPath))
    """The paths; `None` if the list or one of them is computed."""


@dataclass(frozen=True, eq=False, repr=False)
class Alias(Record):
    """An earlier name of a resource: a URN, or the parts of the name that differ."""

    urn: Expression | None
    """The URN, or an alias that is computed as a whole; `None` if the parts are written out."""
    range: Place | None
    """The object with the parts."""
    name: Expression | None
    type: Expression | None
    """The type token."""
    no_parent: Expression | None
    """True if it had no parent."""
    parent: Expression | None

    @classmethod
    def _read(cls, tables: Tables, value: Any) -> Alias:
        return super()._read(tables, value.get("parts", value))


@dataclass(frozen=True, eq=False, repr=False)
class AliasesOption(Option):
    """The option `aliases`."""

    aliases: tuple[Alias, ...] | None = field(metadata=_all(Alias))
    """The aliases; `None` if the list is computed as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class CustomTimeouts(Record):
    """The times that operations may take."""

    create: Expression | None
    update: Expression | None
    delete: Expression | None
    read: Expression | None


@dataclass(frozen=True, eq=False, repr=False)
class TimeoutsOption(Option):
    """The option `customTimeouts`."""

    timeouts: CustomTimeouts | None = field(
        metadata=of(
            lambda tables, it: None
            if it["parts"] is None
            else CustomTimeouts._read(tables, it["parts"])
        )
    )
    """The times; `None` if they are computed as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class HookBinding(Record):
    """The hooks that run at one moment."""

    moment: str
    """The moment, such as `beforeCreate`."""
    value: Expression
    """The hooks, as a whole."""
    hooks: tuple[Expression, ...] | None
    """Each of them; `None` if the list is computed as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class HooksOption(Option):
    """The option `hooks`."""

    bindings: tuple[HookBinding, ...] | None = field(metadata=_all(HookBinding))
    """The hooks by moment; `None` if they are computed as a whole."""


@dataclass(frozen=True, eq=False, repr=False)
class ProvidersOption(Option):
    """The option `providers`."""

    elements: tuple[Expression, ...] | None = field(
        metadata=of(lambda tables, it: _expressions(tables, it["parts"].get("list")))
    )
    """The providers in a list that is written out."""
    by_package: dict[str, Expression] | None = field(
        metadata=of(lambda tables, it: _named(tables, it["parts"].get("map")))
    )
    """The providers by package in a map that is written out."""


@dataclass(frozen=True, eq=False, repr=False)
class ResourceOptions(Record):
    """The options of a resource, read or component; `None` stands for those that it has not."""

    block: Place | None
    """The `options` block."""
    additional_secret_outputs: PathsOption | None
    """Outputs that are secret in addition to those that the schema names."""
    aliases: AliasesOption | None
    """Earlier names of the resource."""
    custom_timeouts: TimeoutsOption | None
    """The time that each operation may take."""
    delete_before_replace: Option | None
    """True to delete the old resource before the new one is created."""
    deleted_with: Option | None
    """A resource whose deletion deletes this one."""
    depends_on: ListOption | None
    """Resources that must exist first."""
    env_var_mappings: FieldsOption | None
    """Environment variables, and the names by which the provider reads them."""
    hide_diffs: PathsOption | None
    """Properties whose changes are not shown."""
    hooks: HooksOption | None
    """The hooks to run, by the moment at which they run."""
    ignore_changes: PathsOption | None
    """Properties whose changes are ignored."""
    import_: Option | None = field(
        metadata=of(
            lambda tables, it: None
            if it["import"] is None
            else Option._read(tables, it["import"])
        )
    )
    """The id of an existing resource to import."""
    parent: Option | None
    """The parent of this resource."""
    plugin_download_url: Option | None
    """The server of the plugin of its package."""
    protect: Option | None
    """True to protect it from deletion."""
    provider: Option | None
    """The provider that manages it."""
    providers: ProvidersOption | None
    """The providers that manage the resources inside it: a list, or a map from packages."""
    range: Option | None
    """The number of resources, or the values that they are created for; see `Block.repeat`."""
    replace_on_changes: PathsOption | None
    """Properties whose changes replace it."""
    replace_with: ListOption | None
    """Resources whose replacement replaces this one."""
    replacement_trigger: Option | None
    """A value whose change replaces it."""
    retain_on_delete: Option | None
    """True to keep it when the program no longer declares it."""
    version: Option | None
    """The version of its package."""
