"""The programs and the schema that the measurements use.

All of it is made here, in the same way every time, so that a figure changes only with `pcl`.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = HERE / "random-4.21.1.json"
NODES_OF_GROUP = 8
TEMPLATE = (HERE / "group.pp").read_text()

# What to replace in a group to get a mistake. Each gives at least one diagnostic of its own.
MISTAKES = [
    ("max(", "maks("),
    ("separator =", "seperator ="),
    ("2 + MODULO7", "[2]"),
    ("a = petNUMBER.id", "a = petNUMBER.idd"),
    ("b = pwNUMBER.result", "b = pww.result"),
    ("element(wordsNUMBER, MODULO3)", "element(wordsNUMBER)"),
    ("special         = true", "special         = [true]"),
    ("dependsOn = [petBEFORE]", "dependOn = [petBEFORE]"),
]


def group(number, template=TEMPLATE):
    """Eight nodes that refer to those of the group before."""
    if number == 0:
        for before, after in (
            ("[for n in wordsBEFORE : length(n)]", "[3, 4]"),
            ("[petBEFORE]", "[]"),
            ("petBEFORE.id", '"seed"'),
        ):
            template = template.replace(before, after)
    for name, value in (
        ("IS_ODD", "true" if number % 2 else "false"),
        ("MODULO7", number % 7),
        ("MODULO40", number % 40),
        ("MODULO3", number % 3),
        ("BEFORE", number - 1),
        ("NUMBER", number),
    ):
        template = template.replace(name, str(value))
    return template


def nodes(count):
    """A program without mistakes."""
    return "".join(group(number) for number in range(max(1, count // NODES_OF_GROUP)))


def mistakes(count):
    """A program with a mistake in every group, each kind in turn."""
    wrong = [TEMPLATE.replace(before, after) for before, after in MISTAKES]
    groups = range(max(1, count // NODES_OF_GROUP))
    return "".join(group(number, wrong[number % len(wrong)]) for number in groups)


def untidy(count):
    """A program that is not in the canonical layout."""
    return nodes(count).replace(" = ", "=").replace("\n  ", "\n     ").replace(", ", " ,")


def garbage(size):
    """Pieces of programs and other characters in no order."""
    pieces = [
        "resource ", "config", "output ", '"', "${", "}", "{", "[", "]", "(", ")", "\n", "\n", " ",
        " = ", "for ", " in ", ":", "=>", "?", ",", ".", "...", "x", "name", "12", "1e9", "<<EOT\n",
        "EOT\n", "# c\n", "/*", "*/", "\\", "\\u00", "é", "\t", "\0", "`", "%{ if ", "%{", "!",
        "&&", "-", "*", "@", "null", "true", "é́", "𝒳",
    ]  # fmt: skip
    state, taken, length = 1, [], 0
    while length < size:
        # The generator of Knuth's MMIX: the same on every machine.
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        piece = pieces[(state >> 33) % len(pieces)]
        taken.append(piece)
        length += len(piece)
    return "".join(taken)


def large_schema(types, resources):
    """A schema like that of azure-native, which has 50,000 types and 18,000 resources."""
    about = "Says what a property is for, which values it may have and what becomes of it then."

    def properties(owner, count):
        found = {}
        for number in range(count):
            if number % 4 == 0:
                found[f"size{number}"] = {"type": "integer", "description": about}
            elif number % 4 == 1:
                found[f"kind{number}"] = {"type": "string", "description": about}
            elif number % 4 == 2:
                # A type leads to some others, and these to fewer.
                other = owner // 4 + number
                found[f"part{number}"] = {"$ref": f"#/types/large:m{other % 500}/v1:Type{other}"}
            else:
                items = {"type": "string"}
                found[f"list{number}"] = {"type": "array", "items": items, "description": about}
        return found

    schema = {"name": "large", "version": "1.0.0", "types": {}, "resources": {}}
    for number in range(types):
        schema["types"][f"large:m{number % 500}/v1:Type{number}"] = {
            "type": "object",
            "description": about,
            "properties": properties(number, 8),
        }
    for number in range(resources):
        schema["resources"][f"large:m{number % 500}/v1:Resource{number}"] = {
            "description": about,
            "properties": properties(number, 12),
            "inputProperties": properties(number, 10),
            "requiredInputs": ["size0"],
        }
    return json.dumps(schema, separators=(",", ":"))


def of_large_schema(count, resources):
    """A program with resources from all over the large schema."""
    text = ""
    for number in range(0, resources, resources // count):
        token = f"large:m{number % 500}/v1:Resource{number}"
        text += f'resource "r{number}" "{token}" {{\n'
        text += '  size0 = 1\n  kind1 = "a"\n  part2 = { size0 = 2, list3 = ["b"] }\n}\n'
    return text


def write(place, text):
    """Writes a file and the directories above it."""
    place = pathlib.Path(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def expressions(count):
    """About five expressions in each local: arithmetic, templates, conditions, collections, calls."""
    lines = ["base = [1, 2, 3]", 'pet = { name = "rex", age = 4 }']
    for number in range(count):
        if number % 5 == 0:
            lines.append(f"a{number} = {number} + {number % 7} * 2")
        elif number % 5 == 1:
            lines.append(f'a{number} = "n-${{a{number - 1}}}-x"')
        elif number % 5 == 2:
            lines.append(f'a{number} = a{number - 2} > 5 ? pet.name : "small"')
        elif number % 5 == 3:
            lines.append(f"a{number} = [base[0], a{number - 3}, pet.age]")
        else:
            lines.append(f"a{number} = {{ n = length(a{number - 1}), t = toJSON(a{number - 1}) }}")
    return "\n".join(lines) + "\n"


def state(count):
    """The state of a stack with pets and passwords, each of which needs the pet before it."""
    prefix = "urn:pulumi:dev::shop::"
    stack, provider = f"{prefix}pulumi:pulumi:Stack::shop-dev", f"{prefix}pulumi:providers:random::default"
    resources = [
        {"urn": stack, "custom": False, "type": "pulumi:pulumi:Stack"},
        {"urn": provider, "custom": True, "id": "p-1", "type": "pulumi:providers:random",
         "inputs": {"version": "4.21.1"}},
    ]  # fmt: skip
    for number in range(count):
        kind, inputs = "randomPet:RandomPet", {"length": number % 7, "separator": "-"}
        depends = []
        if number % 2:
            kind = "randomPassword:RandomPassword"
            inputs = {"length": 16, "keepers": {"pet": f"id-{number - 1}", "number": str(number)}}
            depends = [f"{prefix}random:index/randomPet:RandomPet::pet-{number - 1}"]
        token = f"random:index/{kind}"
        name = f"{'password' if number % 2 else 'pet'}-{number}"
        resources.append(
            {"urn": f"{prefix}{token}::{name}", "custom": True, "id": f"id-{number}", "type": token,
             "inputs": inputs, "outputs": inputs | {"result": "x"}, "parent": stack,
             "provider": f"{provider}::p-1", "dependencies": depends,
             "propertyDependencies": {key: depends for key in inputs}}
        )  # fmt: skip
    return json.dumps({"version": 3, "deployment": {"resources": resources}}, indent=4)
