"""Changes of inputs, outputs and configuration."""

from kinds import (
    KINDS,
    change_something,
    kind,
    other_value,
    pick,
    pick_crate,
    pick_needed,
)
from programs import (
    CRATE,
    SECRETS,
    VAULT,
    crate,
    mentions_text,
    value_of,
)


def change_input(name, wanted=CRATE):
    def change(pair, random):
        names = {node.name for node in pair.before.nodes}
        node = pick(pair.after, random, lambda n: n.type == wanted and n.name in names)
        if not node:
            return False
        if name not in node.inputs:
            value = {"site": '"here"', "name": '"old_name"'}.get(name) or value_of(name, random)
            node.inputs[name] = value
            pair.before.node(node.name).inputs[name] = value
        other_value(node, name)

    return change


for name in [
    "label",
    "count",
    "weight",
    "open",
    "tags",
    "parts",
    "lid",
    "lids",
    "password",
    "file",
    "any",
    "zone",
]:
    KINDS[f"change-{name}"] = change_input(name)
for name in ["text", "site", "name"]:
    KINDS[f"change-vault-{name}"] = change_input(name, VAULT)


@kind
def change_case(pair, random):
    """What the provider says is no change."""
    node = pick(pair.after, random, lambda node: node.type == VAULT)
    if not node:
        return False
    node.inputs["text"] = '"Same Text"'
    pair.before.node(node.name).inputs["text"] = '"same text"'


@kind
def change_number_to_text(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    pair.before.node(node.name).inputs["any"] = "7"
    node.inputs["any"] = '"7"'


def change_part(old, new):
    def change(pair, random):
        node = pick_crate(pair.after, random)
        if not node:
            return False
        name = "lids" if old.startswith("[{") else "parts" if old.startswith("[") else "tags"
        name = "lid" if "kind" in old and name == "tags" else name
        pair.before.node(node.name).inputs[name] = old
        node.inputs[name] = new

    return change


PARTS = {
    "add-key": ('{ a = "1" }', '{ a = "1", b = "2" }'),
    "remove-key": ('{ a = "1", "b.c" = "2" }', '{ a = "1" }'),
    "grow-list": ('["a", "b"]', '["a", "b", "c"]'),
    "shrink-list": ('["a", "b", "c"]', '["a"]'),
    "insert-into-list": ('["a", "b"]', '["x", "a", "b"]'),
    "empty-list": ('["a", "b"]', "[]"),
    "deep-change": (
        '{ kind = "a", hinges = ["l", "r"] }',
        '{ kind = "a", hinges = ["l", "x", "y"] }',
    ),
    "deep-removal": ('{ kind = "a", size = 1 }', "{ size = 1 }"),
    "list-of-objects": ('[{ kind = "a", size = 1 }]', '[{ kind = "a" }, { kind = "b", size = 1 }]'),
    "secret-in-map": (
        f'{{ a = secret("{SECRETS[0]}") }}',
        f'{{ a = secret("{SECRETS[1]}"), b = "2" }}',
    ),
}
for name, (old, new) in PARTS.items():
    KINDS[name] = change_part(old, new)


@kind
def add_input(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    names = ["count", "weight", "open", "tags", "parts", "lid", "password", "any", "file"]
    names = [name for name in names if name not in node.inputs]
    name = random.choice(names)
    node.inputs[name] = value_of(name, random)


@kind
def remove_input(pair, random):
    node = pick_crate(pair.after, random, lambda node: len(node.inputs) > 1)
    if not node:
        return False
    del node.inputs[random.choice([name for name in node.inputs if name != "label"])]


@kind
def null_input(pair, random):
    """A null is no value."""
    node = pick_crate(pair.after, random, lambda node: "count" not in node.inputs)
    if not node:
        return False
    node.inputs["count"] = "null"


@kind
def change_needed(pair, random):
    """The outputs of an updated resource are unknown to those that need them."""
    node = pick_needed(pair.after, random)
    if not node:
        return False
    change_something(node)


@kind
def change_many(pair, random):
    for node in pair.after.nodes:
        if node.keyword == "resource" and node.is_one and random.random() < 0.6:
            change_something(node)


@kind
def reference_for_literal(pair, random):
    """A reference whose value is that of the literal before it."""
    node = pick_crate(pair.after, random)
    if not node:
        return False
    for program in (pair.before, pair.after):
        program.nodes.insert(0, crate("origin", random, []))
        program.nodes[0].inputs["label"] = '"the same"'
        program.node(node.name).inputs["label"] = '"the same"'
    node.inputs["label"] = "origin.label"


@kind
def literal_for_reference(pair, random):
    result = reference_for_literal(pair, random)
    pair.before, pair.after = pair.after, pair.before
    return result


@kind
def secret_made_plain(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    pair.before.node(node.name).inputs["label"] = 'secret("told to all")'
    node.inputs["label"] = '"told to all"'


@kind
def plain_made_secret(pair, random):
    result = secret_made_plain(pair, random)
    pair.before, pair.after = pair.after, pair.before
    return result


@kind
def text_around_secret(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    for program in (pair.before, pair.after):
        program.config["password"] = "string"
        program.values["shop:password"] = {"secure": SECRETS[0]}
        program.node(node.name).inputs["label"] = '"is ${password}"'
    node.inputs["label"] = '"was ${password}"'


@kind
def component_input(pair, random):
    if not pair.after.components:
        return False
    pair.after.node("room").inputs["text"] = '"not within"'


@kind
def stack_outputs(pair, random):
    pair.after.outputs["more"] = '"an output"'


@kind
def read_with_function(pair, random):
    """A function is called in a preview, and its result is known to the engine."""
    node = pick_crate(pair.after, random)
    if not node:
        return False
    call = 'invoke("depot:index:find", { label = "it" }).text'
    for program in (pair.before, pair.after):
        program.node(node.name).inputs["any"] = call
    node.inputs["label"] = '"changed beside a call"'


def with_config(pair, node, kind, values):
    for program, value in zip((pair.before, pair.after), values):
        program.config["setting"] = kind
        program.values["shop:setting"] = value


@kind
def change_config(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    with_config(pair, node, "string", ["old", "new"])
    for program in (pair.before, pair.after):
        program.node(node.name).inputs["label"] = "setting"


@kind
def change_secret_config(pair, random):
    node = pick_crate(pair.after, random)
    if not node:
        return False
    with_config(pair, node, "string", [{"secure": SECRETS[0]}, {"secure": SECRETS[1]}])
    for program in (pair.before, pair.after):
        program.node(node.name).inputs["label"] = "setting"


@kind
def switch_off(pair, random):
    """A condition of the configuration hides a resource."""
    node = pick(pair.after, random, lambda node: not pair.after.dependents(node.name))
    if not node or mentions_text(str(pair.after.outputs), node.name):
        return False
    with_config(pair, node, "bool", ["true", "false"])
    for program in (pair.before, pair.after):
        program.node(node.name).options["range"] = "setting"


@kind
def switch_on(pair, random):
    result = switch_off(pair, random)
    pair.before, pair.after = pair.after, pair.before
    return result
