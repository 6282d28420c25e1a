"""Programs that are made to be changed, and what they are written as."""

import copy
import dataclasses
import random

PROJECT = "shop"
STACK = "dev"
# Secrets of the programs, none of which may be shown.
SECRETS = ["hidden-secret-4096", "other-secret-8192"]

VERSIONS = {
    "component": "13.3.7",
    "depot": "1.0.0",
    "nestedobject": "1.42.0",
    "output": "23.0.0",
    "replaceonchanges": "25.0.0",
    "simple": "2.0.0",
}

CRATE = "depot:index:Crate"
VAULT = "depot:index:Vault"
PROVIDER = "pulumi:providers:depot"
SIMPLE = "simple:index:Resource"
OUTPUT = "output:index:Resource"
CONTAINER = "nestedobject:index:MapContainer"
REPLACED = "replaceonchanges:index:ResourceA"
COMPONENT = "./box"


@dataclasses.dataclass
class Node:
    """A resource or component: the texts of its inputs and options by name."""

    name: str
    type: str
    inputs: dict
    options: dict = dataclasses.field(default_factory=dict)
    keyword: str = "resource"

    def copy(self):
        return copy.deepcopy(self)

    def text(self):
        lines = [f'{self.keyword} "{self.name}" "{self.type}" {{']
        lines += [f"  {name} = {value}" for name, value in self.inputs.items()]
        if self.options:
            lines += ["  options {"]
            lines += [f"    {name} = {value}" for name, value in self.options.items()]
            lines += ["  }"]
        return "\n".join([*lines, "}", ""])

    @property
    def is_one(self):
        """Not a range of resources."""
        return "range" not in self.options

    @property
    def serial(self):
        """The text of a reference to an output that is unknown before the resource is there."""
        attribute = {OUTPUT: "output", SIMPLE: "value", REPLACED: "value", CONTAINER: "tags"}
        member = f"{self.name}.{attribute.get(self.type, 'serial')}"
        if self.type == OUTPUT or attribute.get(self.type) is None:
            return member
        return f'"${{toJSON({member})}}"'


@dataclasses.dataclass
class Program:
    """A program with the configuration of its stack. Of `config`, each entry is the text of the
    type, and of `values`, each key is written as it is in the stack's file."""

    nodes: list = dataclasses.field(default_factory=list)
    config: dict = dataclasses.field(default_factory=dict)
    outputs: dict = dataclasses.field(default_factory=dict)
    values: dict = dataclasses.field(default_factory=dict)
    # The programs of components by directory.
    components: dict = dataclasses.field(default_factory=dict)

    def copy(self):
        return copy.deepcopy(self)

    def node(self, name):
        return next(node for node in self.nodes if node.name == name)

    def packages(self):
        """The packages of all that is in the program."""
        names = (node.type.removeprefix("pulumi:providers:") for node in self.nodes)
        found = {name.split(":")[0] for name in names}
        for inner in self.components.values():
            found.update(inner.packages())
        return sorted(name for name in found if name in VERSIONS)

    def text(self):
        parts = [package_block(name, VERSIONS[name]) for name in self.packages()]
        parts += [f'config "{name}" "{kind}" {{\n}}\n' for name, kind in self.config.items()]
        parts += [node.text() for node in self.nodes]
        parts += [
            f'output "{name}" {{\n  value = {value}\n}}\n' for name, value in self.outputs.items()
        ]
        return "\n".join(parts)

    def files(self):
        """The files of the program by path, without those of the project and of the stack."""
        found = {"main.pp": self.text()}
        for directory, inner in self.components.items():
            found |= {f"{directory}/{path}": text for path, text in inner.files().items()}
        return found

    def dependents(self, name):
        """The nodes whose text mentions one, without the node itself."""
        return [node for node in self.nodes if node.name != name and mentions(node, name)]

    def rename(self, old, new):
        """Gives a node and all that refers to it another name."""
        for node in self.nodes:
            node.name = new if node.name == old else node.name
            for texts in (node.inputs, node.options):
                for key, value in texts.items():
                    texts[key] = replace_word(value, old, new)
        for key, value in self.outputs.items():
            self.outputs[key] = replace_word(value, old, new)

    def remove(self, name):
        """Removes a node, and makes literals of the references to it."""
        self.nodes = [node for node in self.nodes if node.name != name]
        for node in self.nodes:
            for key, value in list(node.inputs.items()):
                if mentions_text(value, name):
                    literal(node, key)
            for key in [key for key, value in node.options.items() if mentions_text(value, name)]:
                del node.options[key]
        for key in [key for key, value in self.outputs.items() if mentions_text(value, name)]:
            del self.outputs[key]


def package_block(name, version):
    return f'package {{\n  baseProviderName = "{name}"\n  baseProviderVersion = "{version}"\n}}\n'


def literal(node, key):
    """Replaces the value of an input by one that needs no other node."""
    values = {
        SIMPLE: "true",
        REPLACED: "true",
        OUTPUT: "2",
        CONTAINER: '{ a = "literal" }',
    }
    node.inputs[key] = values.get(node.type, '"literal"')


def words(text):
    """The identifiers of a text, as it is split at everything else."""
    word, found = "", []
    for letter in text + " ":
        if letter.isalnum() or letter == "_":
            word += letter
        else:
            found += [word] if word else []
            found += [letter]
            word = ""
    return found[:-1]


def mentions_text(text, name):
    """Names of nodes are such that no other text has them as a word."""
    return name in words(text)


def mentions(node, name):
    texts = [*node.inputs.values(), *node.options.values()]
    return any(mentions_text(text, name) for text in texts)


def replace_word(text, old, new):
    return "".join(new if word == old else word for word in words(text))


TEXTS = ["alder", "birch", "cedar", "linden", "maple", "rowan"]
NAMES = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]


def quoted(text):
    return f'"{text}"'


def value_of(name, random):
    """A value for an input of a crate."""
    text = random.choice(TEXTS)
    return {
        "label": lambda: quoted(text),
        "count": lambda: str(random.randrange(1, 9)),
        "weight": lambda: f"{random.randrange(1, 9)}.5",
        "open": lambda: random.choice(["true", "false"]),
        "tags": lambda: f'{{ wood = "{text}", size = "large", "a.b" = "dotted" }}',
        "parts": lambda: f'["{text}", "nail", "rope"]',
        "lid": lambda: f'{{ kind = "{text}", size = 3, hinges = ["left", "right"] }}',
        "lids": lambda: f'[{{ kind = "{text}", size = 1 }}, {{ kind = "flat", size = 2 }}]',
        "password": lambda: f'secret("{SECRETS[0]}")',
        "file": lambda: f'stringAsset("{text}")',
        "any": lambda: random.choice(
            [f'{{ deep = [1, {{ wood = "{text}" }}] }}', quoted(text), "7"]
        ),
        "zone": lambda: quoted(f"zone of {text}"),
    }[name]()


def crate(name, random, inputs=None):
    """A crate with some inputs, or with these."""
    some = [
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
    ]
    chosen = random.sample(some, random.randrange(1, 5)) if inputs is None else inputs
    return Node(name, CRATE, {key: value_of(key, random) for key in ["label", *chosen]})


def plain_node(name, random):
    """A resource of some type that refers to nothing."""
    kind = random.choice([CRATE, CRATE, CRATE, CRATE, VAULT, SIMPLE, OUTPUT, CONTAINER, REPLACED])
    text = random.choice(TEXTS)
    inputs = {
        VAULT: {"text": quoted(text)}
        | random.choice([{}, {"site": '"here"'}, {"name": quoted(f"vault_{name}")}]),
        SIMPLE: {"value": "true"},
        OUTPUT: {"value": str(random.randrange(1, 4))},
        CONTAINER: {"tags": f'{{ wood = "{text}", size = "large" }}'},
        REPLACED: {"value": "true", "replaceProp": "true"},
    }
    return crate(name, random) if kind == CRATE else Node(name, kind, inputs[kind])


def box(random):
    """The program of a component: two crates, one of which needs the other."""
    inside = crate("inside", random, ["count"])
    inside.inputs["label"] = "text"
    below = Node("below", CRATE, {"label": "inside.serial"})
    outputs = {"serial": "below.serial", "label": "text"}
    return Program([inside, below], {"text": "string"}, outputs)


def refer(node, other, random):
    """Makes a node depend on another one by an input, or by an option."""
    if node.type == CRATE and random.random() < 0.8:
        name = random.choice(["label", "label", "any"])
        node.inputs[name] = other.serial
    else:
        node.options["dependsOn"] = f"[{other.name}]"


def make(seed):
    """The program of a seed: some crates, most of which depend on another one."""
    rng = random.Random(f"program {seed}")
    program = Program()
    for name in NAMES[: rng.randrange(4, 8)]:
        node = plain_node(name, rng)
        earlier = [one for one in program.nodes if one.is_one]
        if earlier and rng.random() < 0.6:
            refer(node, rng.choice(earlier), rng)
        program.nodes.append(node)
    if rng.random() < 0.4:
        program.components["box"] = box(rng)
        program.nodes.append(Node("room", COMPONENT, {"text": '"within"'}, {}, "component"))
        if rng.random() < 0.5:
            program.nodes.append(Node("window", CRATE, {"label": "room.serial"}))
    if rng.random() < 0.4:
        place = rng.randrange(len(program.nodes) + 1)
        values = {"label": '"shelf ${range.value}"'}
        program.nodes.insert(place, Node("row", CRATE, values, {"range": "3"}))
    last = program.nodes[-1]
    if last.is_one:
        program.outputs["last"] = last.serial
    return program
