"""Changes of providers and ranges, resources that come and go, flags and states."""

from inputs import change_many
from kinds import (
    KINDS,
    change_something,
    delete,
    kind,
    other_value,
    pick,
    pick_crate,
    pick_needed,
    rezone,
    urn,
)
from programs import (
    CRATE,
    PROVIDER,
    SECRETS,
    VAULT,
    Node,
    Program,
    crate,
)


def with_provider(program, random, inputs):
    """A program some of whose crates have an explicit provider."""
    program.nodes.insert(0, Node("maker", PROVIDER, dict(inputs)))
    chosen = [node for node in program.nodes if node.type == CRATE]
    for node in chosen[: max(1, len(chosen) // 2)]:
        node.options["provider"] = "maker"
    return bool(chosen)


def provider_changed(inputs, changed_inputs):
    def change(pair, random):
        if not with_provider(pair.after, random, inputs):
            return False
        pair.before = pair.after.copy()
        pair.after.node("maker").inputs = dict(changed_inputs)

    return change


KINDS |= {
    "provider-updated": provider_changed({"region": '"here"'}, {"region": '"there"'}),
    "provider-replaced": provider_changed({"account": '"one"'}, {"account": '"two"'}),
    "provider-input-added": provider_changed({}, {"region": '"there"'}),
    "provider-secret": provider_changed(
        {"token": f'secret("{SECRETS[0]}")'}, {"token": f'secret("{SECRETS[1]}")'}
    ),
    "provider-the-same": provider_changed({"region": '"here"'}, {"region": '"here"'}),
}


@kind
def explicit_provider_added(pair, random):
    return with_provider(pair.after, random, {"region": '"here"'}) or False


@kind
def explicit_provider_removed(pair, random):
    return with_provider(pair.before, random, {"region": '"here"'}) or False


@kind
def provider_renamed(pair, random):
    if not with_provider(pair.after, random, {"region": '"here"'}):
        return False
    pair.before = pair.after.copy()
    pair.after.rename("maker", "renamed")


@kind
def provider_renamed_with_alias(pair, random):
    if provider_renamed(pair, random) is False:
        return False
    pair.after.node("renamed").options["aliases"] = '[{ name = "maker" }]'


@kind
def provider_swapped(pair, random):
    if not with_provider(pair.after, random, {"account": '"one"'}):
        return False
    pair.after.nodes.insert(0, Node("other", PROVIDER, {"account": '"two"'}))
    pair.before = pair.after.copy()
    for node in pair.after.nodes:
        if node.options.get("provider") == "maker":
            node.options["provider"] = "other"


def default_provider(key, values):
    def change(pair, random):
        if "depot" not in pair.after.packages():
            return False
        for program, value in zip((pair.before, pair.after), values):
            if value:
                program.values[f"depot:{key}"] = value

    return change


KINDS |= {
    "default-provider-updated": default_provider("region", ["here", "there"]),
    "default-provider-replaced": default_provider("account", ["one", "two"]),
    "default-provider-configured": default_provider("region", [None, "there"]),
}


def ranged(old, new):
    def change(pair, random):
        label = '"shelf ${range.key}"' if "{" in old + new else '"shelf ${range.value}"'
        for program, text in zip((pair.before, pair.after), (old, new)):
            node = Node("ranged", CRATE, {"label": label}, {"range": text} if text else {})
            # Only of several there is a value.
            if text in ("", "true", "false"):
                node.inputs["label"] = '"shelf 0"'
            program.nodes.insert(0, node)

    return change


KINDS |= {
    "range-grown": ranged("2", "4"),
    "range-shrunk": ranged("4", "2"),
    "range-emptied": ranged("2", "0"),
    "range-of-map": ranged('{ a = "1", b = "2" }', '{ b = "2", c = "3" }'),
    "range-of-list": ranged('["a", "b", "c"]', '["a", "c"]'),
    "range-added": ranged("", "2"),
    "range-removed": ranged("2", ""),
    "range-condition": ranged("true", "false"),
}


@kind
def range_of_components(pair, random):
    if not pair.after.components:
        return False
    for program, text in zip((pair.before, pair.after), ("2", "1")):
        inputs = {"text": '"in ${range.value}"'}
        program.nodes.append(Node("cell", "./box", inputs, {"range": text}, "component"))


@kind
def add(pair, random):
    place = random.randrange(len(pair.after.nodes) + 1)
    pair.after.nodes.insert(place, crate("added", random))


@kind
def add_needed(pair, random):
    """A new resource that an old one needs."""
    node = pick_crate(pair.after, random)
    if not node:
        return False
    pair.after.nodes.insert(0, crate("added", random))
    node.inputs["label"] = "added.serial"


@kind
def add_vault(pair, random):
    pair.after.nodes.append(Node("added", VAULT, {"text": '"new"'}))


@kind
def remove(pair, random):
    node = pick(pair.after, random, lambda node: not pair.after.dependents(node.name))
    if not node:
        return False
    pair.after.remove(node.name)


@kind
def remove_needed(pair, random):
    node = pick_needed(pair.after, random)
    if not node:
        return False
    pair.after.remove(node.name)


@kind
def remove_with_dependents(pair, random):
    node = pick_needed(pair.after, random)
    if not node:
        return False
    for other in pair.after.dependents(node.name):
        pair.after.remove(other.name)
    pair.after.remove(node.name)


@kind
def remove_component(pair, random):
    if not pair.after.components:
        return False
    pair.after.remove("room")
    pair.after.components.clear()


@kind
def remove_half(pair, random):
    for node in list(pair.after.nodes[::2]):
        pair.after.remove(node.name)


@kind
def remove_everything(pair, random):
    pair.after = Program()


@kind
def first_deployment(pair, random):
    pair.before = Program()


def chain(pair, random, options, last_options):
    """A replaced crate, one that needs it, and one that needs that one."""
    for program in (pair.before, pair.after):
        program.nodes += [
            Node("root", CRATE, {"label": '"root"', "zone": '"one zone"'}, dict(options)),
            Node("stem", CRATE, {"label": "root.serial"}, dict(last_options)),
            Node("leaf", CRATE, {"label": "stem.serial"}),
            Node("moss", CRATE, {"label": '"moss"'}, {"dependsOn": "[root]"}),
        ]
    other_value(pair.after.node("root"), "zone")


@kind
def replaced_with_dependents(pair, random):
    chain(pair, random, {}, {})


@kind
def deleted_first_with_dependents(pair, random):
    chain(pair, random, {"deleteBeforeReplace": "true"}, {})


@kind
def replaced_with_replacing_dependents(pair, random):
    chain(pair, random, {}, {"replaceOnChanges": "[label]"})


@kind
def deleted_first_with_replacing_dependents(pair, random):
    chain(pair, random, {"deleteBeforeReplace": "true"}, {"replaceOnChanges": "[label]"})


@kind
def replaced_with_protected_dependents(pair, random):
    chain(
        pair,
        random,
        {"deleteBeforeReplace": "true"},
        {"replaceOnChanges": "[label]", "protect": "true"},
    )


@kind
def replaced_parent(pair, random):
    chain(pair, random, {}, {"parent": "root"})


@kind
def replaced_and_dependents_removed(pair, random):
    chain(pair, random, {"deleteBeforeReplace": "true"}, {})
    pair.after.remove("leaf")
    pair.after.remove("moss")


@kind
def replaced_vault_with_dependents(pair, random):
    """The provider decides, and others follow it."""
    for program in (pair.before, pair.after):
        program.nodes += [
            Node("root", VAULT, {"text": '"root"', "site": '"one site"'}),
            Node("leaf", CRATE, {"label": "root.serial"}),
        ]
    other_value(pair.after.node("root"), random.choice(["site", "text"]))


def reader(name, id):
    return Node(name, CRATE, {"id": id}, {}, "read")


@kind
def read_added(pair, random):
    pair.after.nodes.append(reader("known", '"some-id"'))


@kind
def read_removed(pair, random):
    pair.before.nodes.append(reader("known", '"some-id"'))


@kind
def read_the_same(pair, random):
    for program in (pair.before, pair.after):
        program.nodes.append(reader("known", '"some-id"'))


@kind
def read_other(pair, random):
    pair.before.nodes.append(reader("known", '"some-id"'))
    pair.after.nodes.append(reader("known", '"other-id"'))


@kind
def read_becomes_managed(pair, random):
    pair.before.nodes.append(reader("known", '"some-id"'))
    pair.after.nodes.append(Node("known", CRATE, {"label": '"looked up"'}))


@kind
def managed_becomes_read(pair, random):
    pair.before.nodes.append(Node("known", CRATE, {"label": '"looked up"'}))
    pair.after.nodes.append(reader("known", '"some-id"'))


@kind
def read_of_unknown(pair, random):
    """The id is the output of a resource that is made."""
    pair.after.nodes += [crate("made", random, []), reader("known", "made.serial")]


def flagged(flag, *more):
    """A changed program of which the flag selects one resource."""

    def change(pair, random):
        change_many(pair, random)
        pair.after.nodes.append(crate("fresh", random))
        node = pick_needed(pair.after, random) or pick(pair.after, random)
        pair.flags = [flag, urn(node.type, node.name), *more]

    return change


KINDS |= {
    "target": flagged("--target"),
    "target-dependents": flagged("--target", "--target-dependents"),
    "target-replace": flagged("--target-replace"),
    "replace": flagged("--replace"),
    "exclude": flagged("--exclude"),
    "exclude-dependents": flagged("--exclude", "--exclude-dependents"),
}


@kind
def target_new(pair, random):
    """Only a new resource is a target, and it needs an old one that changes."""
    node = pick_crate(pair.after, random)
    if not node:
        return False
    change_something(node)
    pair.after.nodes.append(Node("fresh", CRATE, {"label": f"{node.name}.serial"}))
    pair.flags = ["--target", urn(CRATE, "fresh")]


@kind
def target_removed(pair, random):
    node = pick(pair.after, random, lambda node: not pair.after.dependents(node.name))
    other = pick(
        pair.after, random, lambda one: one is not node and not pair.after.dependents(one.name)
    )
    if not node or not other:
        return False
    pair.after.remove(node.name)
    pair.after.remove(other.name)
    pair.flags = ["--target", urn(node.type, node.name)]


def edited(change, **members):
    """A state in which a resource has other members."""

    def pair_of(pair, random):
        node = pick_crate(pair.after, random)
        if not node:
            return False
        pair.edits = [(urn(CRATE, node.name), members)]
        change(pair, node, random)

    return pair_of


def keep(pair, node, random):
    """Changes nothing."""


KINDS |= {
    "tainted": edited(keep, taint=True),
    "tainted-and-protected": edited(keep, taint=True, protect=True),
    "tainted-and-removed": edited(delete, taint=True),
    "protected-in-the-state": edited(delete, protect=True),
    "pending-delete": edited(keep, delete=True, id="id-of-old"),
    "pending-delete-and-replaced": edited(rezone, delete=True, id="id-of-old"),
    "pending-replacement": edited(keep, pendingReplacement=True),
    "pending-replacement-removed": edited(delete, pendingReplacement=True),
    "external-in-the-state": edited(keep, external=True),
}


# --- components ---


def component_option(name, value, change=None):
    """An option of a component, which its resources may have too, comes, or is there before
    something changes."""

    def pair_of(pair, random):
        if not pair.after.components:
            return False
        for program in (pair.before, pair.after):
            program.nodes.insert(0, Node("maker", PROVIDER, {"region": '"here"'}))
            program.nodes.insert(1, crate("basis", random, []))
        pair.after.nodes[1] = pair.before.node("basis").copy()
        pair.after.node("room").options[name] = value
        if change:
            pair.before.node("room").options[name] = value
            change(pair)

    return pair_of


def change_basis(pair):
    other_value(pair.after.node("basis"), "label")


def change_room(pair):
    pair.after.node("room").inputs["text"] = '"not within"'


KINDS |= {
    "component-depends": component_option("dependsOn", "[basis]"),
    "component-depends-on-changed": component_option("dependsOn", "[basis]", change_basis),
    "component-parent": component_option("parent", "basis"),
    "component-provider": component_option("provider", "maker"),
    "component-providers": component_option("providers", "[maker]"),
    "component-protected": component_option("protect", "true"),
    "component-protected-removed": component_option(
        "protect", "true", lambda p: p.after.remove("room")
    ),
    "component-retained-removed": component_option(
        "retainOnDelete", "true", lambda p: p.after.remove("room")
    ),
    "component-ignores": component_option("ignoreChanges", "[text]", change_room),
    "component-trigger": component_option("replacementTrigger", '"new"'),
    "component-replaces-with": component_option("replaceWith", "[basis]", change_basis),
}
