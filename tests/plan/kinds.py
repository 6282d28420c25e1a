"""The kinds of changes of a program, and what they share.

Each changes the second program of a pair, and the first one where what is to be changed has to be
there. One that has nothing to change in a program returns False.
"""

from programs import (
    CRATE,
    OUTPUT,
    PROVIDER,
    REPLACED,
    SECRETS,
    SIMPLE,
    VAULT,
)

KINDS = {}


def kind(change):
    KINDS[change.__name__.replace("_", "-")] = change
    return change


def urn(type, name, parents=""):
    return f"urn:pulumi:dev::shop::{parents}{type}::{name}"


def pick(program, random, wanted=lambda node: True):
    """Some custom resource of a program, which is not a range, or None."""
    found = [n for n in program.nodes if n.keyword == "resource" and n.is_one and wanted(n)]
    return random.choice(found) if found else None


def pick_crate(program, random, wanted=lambda node: True):
    return pick(program, random, lambda node: node.type == CRATE and wanted(node))


def pick_needed(program, random, wanted=lambda node: True):
    """Some resource that others refer to."""
    return pick(program, random, lambda node: wanted(node) and program.dependents(node.name))


def other_value(node, name):
    """Changes an input of a node to a value of the same type."""
    others = {
        "label": '"another label"',
        "count": "77",
        "weight": "7.25",
        "tags": '{ wood = "ebony", size = "large", "a.b" = "dotted" }',
        "parts": '["ebony", "nail", "rope"]',
        "lid": '{ kind = "ebony", size = 3, hinges = ["left", "top"] }',
        "lids": '[{ kind = "ebony", size = 1 }, { kind = "flat", size = 9 }]',
        "password": f'secret("{SECRETS[1]}")',
        "file": 'stringAsset("ebony")',
        "any": "[1, 2, 3]",
        "zone": '"another zone"',
        "text": '"another text"',
        "site": '"another site"',
        "name": '"another_name"',
        "region": '"elsewhere"',
    }
    flips = {"true": "false", "false": "true"}
    old = node.inputs.get(name)
    if old in flips:
        node.inputs[name] = flips[old]
    elif node.type == OUTPUT:
        node.inputs[name] = "5"
    else:
        node.inputs[name] = others.get(name, "true")


def change_something(node):
    """Changes an input that every resource of the type has."""
    names = {
        CRATE: "label",
        VAULT: "text",
        SIMPLE: "value",
        OUTPUT: "value",
        REPLACED: "value",
        PROVIDER: "region",
    }
    other_value(node, names.get(node.type, "tags"))


def both(pair, name):
    """The node of a name in both programs."""
    return pair.before.node(name), pair.after.node(name)


def relabel(pair, node, random):
    other_value(node, "label")


def rezone(pair, node, random):
    for one in both(pair, node.name):
        one.inputs["zone"] = '"one zone"'
    other_value(node, "zone")


def delete(pair, node, random):
    pair.after.remove(node.name)
