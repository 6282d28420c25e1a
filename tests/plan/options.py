"""Changes of options."""

from kinds import (
    KINDS,
    both,
    delete,
    kind,
    pick,
    pick_crate,
    relabel,
    rezone,
)
from programs import (
    CRATE,
    Node,
)


def option(name, value, change):
    """An option that is there in both programs, with a change of an input of its resource."""

    def pair_of(pair, random):
        node = pick_crate(pair.after, random)
        if not node:
            return False
        for one in both(pair, node.name):
            one.options[name] = value
        change(pair, node, random)

    return pair_of


def added(name, value, wanted=CRATE):
    def change(pair, random):
        node = pick(pair.after, random, lambda node: node.type == wanted)
        if not node:
            return False
        node.options[name] = value

    return change


def removed(name, value):
    def change(pair, random):
        node = pick_crate(pair.after, random)
        if not node:
            return False
        pair.before.node(node.name).options[name] = value

    return change


OPTIONS = {
    "protect": "true",
    "ignoreChanges": "[label]",
    "replaceOnChanges": "[label]",
    "deleteBeforeReplace": "true",
    "retainOnDelete": "true",
    "additionalSecretOutputs": "[label]",
    "customTimeouts": '{ create = "5m" }',
    "replacementTrigger": '"now"',
    "version": '"1.0.0"',
}
for name, value in OPTIONS.items():
    KINDS[f"add-{name}"] = added(name, value)
    KINDS[f"remove-{name}"] = removed(name, value)

KINDS |= {
    "ignored-change": option("ignoreChanges", "[label]", relabel),
    "ignored-part": option(
        "ignoreChanges", "[tags.size, parts[0]]", lambda p, n, r: change_parts(p, n)
    ),
    "ignored-map": option("ignoreChanges", "[tags]", lambda p, n, r: change_parts(p, n)),
    "replacing-change": option("replaceOnChanges", "[label]", relabel),
    "replacing-part": option("replaceOnChanges", "[tags.size]", lambda p, n, r: change_parts(p, n)),
    "replacing-other": option("replaceOnChanges", "[count]", relabel),
    "replaced-delete-first": option("deleteBeforeReplace", "true", rezone),
    "replaced-retained": option("retainOnDelete", "true", rezone),
    "removed-retained": option("retainOnDelete", "true", delete),
    "protected-removed": option("protect", "true", delete),
    "protected-replaced": option("protect", "true", rezone),
    "protected-changed": option("protect", "true", relabel),
    "trigger-changed": option(
        "replacementTrigger", '"old"', lambda p, n, r: n.options.update(replacementTrigger='"new"')
    ),
}


def change_parts(pair, node):
    for one in both(pair, node.name):
        one.inputs["tags"] = '{ wood = "oak", size = "large" }'
        one.inputs["parts"] = '["a", "b"]'
    node.inputs["tags"] = '{ wood = "oak", size = "small" }'
    node.inputs["parts"] = '["x", "b"]'


def two(pair, random):
    """Two resources of both programs, the later of which does not need the earlier one."""
    nodes = [node for node in pair.after.nodes if node.keyword == "resource" and node.is_one]
    crates = [node for node in nodes if node.type == CRATE]
    if len(crates) < 2:
        return None
    first = random.choice(crates[:-1])
    later = crates[crates.index(first) + 1 :]
    later = [node for node in later if node not in pair.after.dependents(first.name)]
    return (first, random.choice(later)) if later else None


def related(name, value, change):
    """An option that names another resource is there in both programs, and one is changed."""

    def pair_of(pair, random):
        found = two(pair, random)
        if not found:
            return False
        first, second = found
        for one in both(pair, second.name):
            one.options[name] = value.format(first.name)
        change(pair, first, second, random)

    return pair_of


def relation(name, value, is_added):
    """An option that names another resource comes or goes."""

    def change(pair, random):
        found = two(pair, random)
        if not found:
            return False
        first, second = found
        node = second if is_added else pair.before.node(second.name)
        node.options[name] = value.format(first.name)

    return change


RELATIONS = {
    "dependsOn": "[{}]",
    "parent": "{}",
    "deletedWith": "{}",
    "replaceWith": "[{}]",
    "replacementTrigger-output": "{}.serial",
}
for name, value in RELATIONS.items():
    option_name = name.split("-")[0]
    KINDS[f"add-{name}"] = relation(option_name, value, True)
    KINDS[f"remove-{name}"] = relation(option_name, value, False)
    KINDS[f"{name}-of-replaced"] = related(option_name, value, lambda p, a, b, r: rezone(p, a, r))
    KINDS[f"{name}-of-removed"] = related(option_name, value, lambda p, a, b, r: delete(p, a, r))


def remove_both(pair, first, second, random):
    pair.after.remove(first.name)
    pair.after.remove(second.name)


KINDS["deletedWith-both-removed"] = related("deletedWith", "{}", remove_both)
KINDS["parent-both-removed"] = related("parent", "{}", remove_both)


@kind
def parent_with_alias(pair, random):
    found = two(pair, random)
    if not found:
        return False
    first, second = found
    second.options |= {"parent": first.name, "aliases": "[{ noParent = true }]"}


@kind
def alias_of_parent(pair, random):
    """The children of a renamed parent have its alias too."""
    found = two(pair, random)
    if not found:
        return False
    first, second = found
    for one in both(pair, second.name):
        one.options["parent"] = first.name
    old = first.name
    pair.after.rename(old, "renamed")
    first.options["aliases"] = f'[{{ name = "{old}" }}]'


@kind
def new_with_import(pair, random):
    pair.after.nodes.append(Node("found", CRATE, {"label": '"an-id"'}, {"import": '"an-id"'}))


@kind
def import_added(pair, random):
    """The id of what is imported is another one, so it is replaced."""
    node = pick_crate(pair.after, random)
    if not node:
        return False
    node.options["import"] = '"an-id"'
    node.inputs = {"label": '"an-id"'}


@kind
def import_removed(pair, random):
    new_with_import(pair, random)
    pair.before = pair.after.copy()
    del pair.after.node("found").options["import"]
