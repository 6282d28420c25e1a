"""Changes of the names, types and parents of resources."""

from kinds import (
    change_something,
    kind,
    pick,
    pick_crate,
    pick_needed,
    urn,
)
from programs import (
    CRATE,
    VAULT,
    Node,
    Program,
    literal,
    mentions_text,
    quoted,
)


@kind
def nothing(pair, random):
    """The same program."""


@kind
def order(pair, random):
    """The same resources in another order in the text."""
    pair.after.nodes.reverse()


@kind
def rename(pair, random):
    node = pick(pair.after, random)
    pair.after.rename(node.name, "renamed")


@kind
def rename_needed(pair, random):
    node = pick_needed(pair.after, random)
    if not node:
        return False
    pair.after.rename(node.name, "renamed")


@kind
def rename_with_alias(pair, random):
    node = pick(pair.after, random)
    node.options["aliases"] = f'[{{ name = "{node.name}" }}]'
    old = node.options["aliases"]
    pair.after.rename(node.name, "renamed")
    node.options["aliases"] = old


@kind
def rename_with_urn(pair, random):
    node = pick_needed(pair.after, random) or pick(pair.after, random)
    old = node.name
    pair.after.rename(old, "renamed")
    node.options["aliases"] = f'["{urn(node.type, old)}"]'


@kind
def rename_with_logical_name(pair, random):
    node = pick(pair.after, random)
    old = node.name
    pair.after.rename(old, "renamed")
    node.inputs["__logicalName"] = quoted(old)


@kind
def rename_and_change(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    old = node.name
    change_something(node)
    pair.after.rename(old, "renamed")
    node.options["aliases"] = f'[{{ name = "{old}" }}]'


@kind
def rename_component(pair, random):
    if not pair.after.components:
        return False
    pair.after.rename("room", "hall")


@kind
def rename_component_with_alias(pair, random):
    if not pair.after.components:
        return False
    node = pair.after.node("room")
    pair.after.rename("room", "hall")
    node.options["aliases"] = '[{ name = "room" }]'


@kind
def swap_names(pair, random):
    first, second = pick_crate(pair.after, random), pick_crate(pair.after, random)
    if not first or first is second:
        return False
    one, other = first.name, second.name
    pair.after.rename(one, "waiting")
    pair.after.rename(other, one)
    pair.after.rename("waiting", other)


@kind
def retype(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    node.type, node.inputs = VAULT, {"text": '"was a crate"'}


@kind
def retype_with_alias(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    node.type, node.inputs = VAULT, {"text": '"was a crate"'}
    node.options["aliases"] = f'[{{ type = "{CRATE}" }}]'


def move(pair, random, options):
    """Moves a crate into a component, with options for it there."""
    node = pick_crate(pair.after, random, lambda node: len(node.inputs) > 1)
    if not node:
        return False
    others = [one.name for one in pair.after.nodes]
    for key, value in list(node.inputs.items()):
        if any(mentions_text(value, name) for name in others):
            literal(pair.before.node(node.name), key)
            literal(node, key)
    pair.before.node(node.name).options.clear()
    inner = Node(node.name, CRATE, dict(node.inputs), options(node.name))
    pair.after.components["attic"] = Program([inner], {}, {"serial": f"{node.name}.serial"})
    place = pair.after.nodes.index(node)
    pair.after.rename(node.name, "attic")
    pair.after.nodes[place] = Node("attic", "./attic", {}, {}, "component")
    for one in pair.after.nodes:
        for key in [key for key in one.inputs if "attic." in one.inputs[key]]:
            if "attic.serial" not in one.inputs[key]:
                return False


@kind
def move_into_component(pair, random):
    return move(pair, random, lambda name: {})


@kind
def move_into_component_with_alias(pair, random):
    return move(pair, random, lambda name: {"aliases": f'[{{ name = "{name}", noParent = true }}]'})


@kind
def move_into_component_with_urn(pair, random):
    return move(pair, random, lambda name: {"aliases": f'["{urn(CRATE, name)}"]'})


@kind
def move_out_of_component(pair, random):
    if move(pair, random, lambda name: {}) is False:
        return False
    pair.before, pair.after = pair.after, pair.before
