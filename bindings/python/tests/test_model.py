"""Programs as objects."""

import json
import os
import pydoc
from decimal import Decimal

import pytest

import pcl
from conftest import ROOT
from pcl import expressions as e
from pcl import nodes as n
from pcl import options as o
from pcl import types as t
from pcl._record import Record

SCHEMAS = ROOT / "corpus/schemas"


def program(text: str, **others: str) -> pcl.Program:
    files = {f"{name.replace('_', '/')}.pp": other for name, other in others.items()}
    return pcl.check({"main.pp": text, **files}, schema_dirs=[SCHEMAS]).program


def value(text: str) -> e.Expression:
    """The value of `it` in a program."""
    node = program(text).find("it")
    assert isinstance(node, n.Local) and node.value is not None
    return node.value


def test_expressions() -> None:
    object_text = '{ a = null, ("b") = "c${names[0]}" }'
    it = value(f"names = [1]\nit = length(names) > 2 ? -names[0] : {object_text}\n")
    assert isinstance(it, e.Conditional)
    condition = it.condition
    assert isinstance(condition, e.Binary) and condition.operator == ">"
    call = condition.left
    assert isinstance(call, e.Call) and call.name == "length" and call.name_range.text == "length"
    assert [str(parameter.type) for parameter in call.parameters] != []
    names = call.arguments[0]
    assert isinstance(names, e.Traversal)
    assert names.node is not None and names.node.name == "names"
    unary = it.if_true
    assert isinstance(unary, e.Unary) and isinstance(unary.operand, e.Traversal)
    (step,) = unary.operand.steps
    assert (step.name, step.index, step.key, str(step.type)) == (None, 0, 0, "int")
    assert str(unary.operand.root_type) == "(int)"
    object = it.if_false
    assert isinstance(object, e.Object)
    assert [item.name for item in object.items] == ["a", "b"]
    null = object.get("a")
    assert isinstance(null, e.Literal) and null.value is None
    template = object.get("b")
    assert isinstance(template, e.Template)
    assert [part.literal is not None for part in template.parts] == [True, False]
    assert (template.string, template.parts[0].string) == (None, "c")
    assert object.get("c") is None
    walked = list(it.walk())
    assert walked[-1] is it and names in walked
    places = {expression: place for place, expression in enumerate(walked)}
    for expression in walked:
        assert all(places[operand] < places[expression] for operand in expression.operands)


def test_loops_and_splats() -> None:
    loop = value("it = { for k, v in { a = 1 } : k => v if v > 0 }\n")
    assert isinstance(loop, e.For)
    assert loop.key is not None and loop.condition is not None and not loop.groups
    assert loop.key_variable is not None and loop.key_variable.role == "for-key"
    assert isinstance(loop.value, e.Traversal) and loop.value.variable is loop.value_variable
    splat = value("list = [{ a = 1 }]\nit = list[*].a\n")
    assert isinstance(splat, e.Splat) and splat.is_full


def test_numbers_are_exact() -> None:
    numbers = value("it = [1, 12345678901234567890123, 0.1, 1e400]\n")
    values = [it.value for it in numbers.operands if isinstance(it, e.Literal)]
    assert values == [1, 12345678901234567890123, Decimal("0.1"), Decimal("1e400")]
    assert [type(it) for it in values] == [int, int, Decimal, Decimal]


def test_types() -> None:
    it = program('config sizes "optional(list(int))" {}\nit = secret({ a = sizes })\n')
    sizes, local = it.nodes
    assert (str(sizes.type), sizes.type.is_optional) == ("list(int) | none", True)
    list = sizes.type.stripped
    assert isinstance(list, t.List) and isinstance(list.element, t.Int)
    assert {type(each) for each in sizes.type.alternatives} == {t.List, t.Null}
    assert local.type.is_eventual
    object = local.type.stripped
    assert isinstance(object, t.Object)
    property = object.find("a")
    assert property is not None and property.type is sizes.type
    assert object.find("b") is None


def test_plain_types_and_alternatives() -> None:
    it = pcl.check(ROOT / "corpus/valid/webserver", schema_dirs=[SCHEMAS], isolated=True).program
    found = {
        str(whole): (str(whole.plain), [str(each) for each in whole.alternatives])
        for whole in it.document.types
    }
    disk, disks = "harbor:compute:Disk", "list(harbor:compute:Disk)"
    assert found[f"{disk} | output({disk}) | none"] == (disk, ["none", disk])
    both = f"list({disk} | output({disk})) | output({disks}) | none"
    assert found[both] == (disks, ["none", disks])
    assert found["int | output(int) | none"] == ("int", ["int", "none"])
    assert found["harbor::Tier | none"] == ("harbor::Tier", ["none", "int"])
    mixed = "int | string | output(int) | output(string) | output(int | string) | none"
    assert found[mixed] == ("int | string", ["int", "string", "none"])
    (union,) = (each.plain for each in it.document.types if str(each) == mixed)
    assert isinstance(union, t.Union)
    assert [type(each) for each in union.members] == [t.Int, t.String]
    assert (union.plain, union.stripped, union.alternatives) == (union, union, union.members)
    assert (union.is_optional, union.is_eventual, repr(union)) == (
        False,
        False,
        "<Union int | string>",
    )
    nulls = program(
        'config on bool {}\na = secret(null)\nb = on ? "b" : null\nc = secret(on ? "c" : null)\n'
    )
    assert [str(each.type.plain) for each in nulls.nodes] == ["bool", "null", "string", "string"]
    for each in it.document.types:
        assert len(set(map(str, each.alternatives))) == len(each.alternatives)
        assert str(each.plain.plain) == str(each.plain) and not each.plain.is_eventual


OPTIONS = """
resource a "pulumi:index:Stash" {
  input = 1
}
resource b "pulumi:index:Stash" {
  input = { x = 1 }
  options {
    parent         = a
    dependsOn      = [a]
    ignoreChanges  = [input["x"]]
    aliases        = ["urn:old", { name = "older" }]
    customTimeouts = { create = "5m" }
    protect        = true
    import         = "id"
    version        = "1.0.0"
    hooks          = { beforeCreate = [first] }
  }
}
hook resource first {
  command = ["echo", args.name]
}
resource many "pulumi:index:Stash" {
  input = [range.value, [for it in [1] : it + range.value]]
  options {
    range = 2
  }
}
"""


def test_options_have_types() -> None:
    it = program(OPTIONS)
    assert it.diagnostics == ()
    a, b = it.find("a", n.Resource), it.find("b", n.Resource)
    assert a is not None and b is not None
    options = b.typed_options
    assert options.block is not None and options.block.line == 7
    assert isinstance(options.parent, o.Option) and isinstance(options.parent.value, e.Traversal)
    assert options.parent.value.node is a
    assert options.parent.name_range.text == "parent"
    assert options.depends_on is not None and options.depends_on.elements is not None
    assert [str(each) for each in options.depends_on.elements] == ["a"]
    assert options.ignore_changes is not None and options.ignore_changes.paths is not None
    (path,) = options.ignore_changes.paths
    assert (path.text, path.keys, path.range.text) == ('input["x"]', ("input", "x"), 'input["x"]')
    assert options.aliases is not None and options.aliases.aliases is not None
    urn, parts = options.aliases.aliases
    assert urn.urn is not None and urn.urn.string == "urn:old" and urn.name is None
    assert parts.urn is None and parts.name is not None and parts.name.string == "older"
    assert options.custom_timeouts is not None
    timeouts = options.custom_timeouts.timeouts
    assert timeouts is not None and timeouts.create is not None and timeouts.delete is None
    assert timeouts.create.string == "5m"
    assert str(options.protect) == "true" and str(options.import_) == '"id"'
    assert options.hooks is not None and options.hooks.bindings is not None
    (binding,) = options.hooks.bindings
    assert binding.moment == "beforeCreate" and binding.hooks is not None
    assert [str(hook) for hook in binding.hooks] == ["first"]
    assert (options.provider, options.providers, options.range) == (None, None, None)
    assert a.typed_options.block is None and a.typed_options.parent is None


def test_options_that_are_computed_have_no_parts() -> None:
    it = program(
        """
resource a "pulumi:index:Stash" {
  input = 1
}
needed = [a]
component inner "./inner" {
  options {
    dependsOn = needed
    providers = [a]
  }
}
""",
        inner_main='resource c "pulumi:index:Stash" {\n  input = 2\n  options {\n    protect = true\n  }\n}\n',
    )
    inner = it.find("inner", n.Component)
    assert inner is not None and inner.typed_options.depends_on is not None
    assert inner.typed_options.depends_on.elements is None
    assert inner.typed_options.providers is not None
    assert inner.typed_options.providers.elements is not None
    assert inner.typed_options.providers.by_package is None
    assert inner.program is not None
    (c,) = inner.program.module.resources
    assert str(c.typed_options.protect) == "true"


def test_variables_that_a_place_supplies() -> None:
    it = program(OPTIONS)
    many, hook = it.find("many", n.Resource), it.find("first", n.Hook)
    assert many is not None and hook is not None
    value = many.input("input")
    assert value is not None and hook.command is not None
    assert [(each.name, each.role) for each in value.supplied] == [("range", "range")]
    assert [each.name for each in hook.command.supplied] == ["args"]
    loops = [each for each in value.walk() if isinstance(each, e.For)]
    assert loops[0].value_variable is not None and not loops[0].value_variable.is_supplied


def test_positional_inputs_are_an_object_for_an_sdk() -> None:
    it = program('it = invoke("mathx:index:clamp", 1, 2, 3)\n')
    assert it.diagnostics == ()
    for document, kinds in [
        (it.document, [e.Template, e.Literal, e.Literal, e.Literal]),
        (it.document_with(sdk="python"), [e.Template, e.Object]),
    ]:
        (call,) = (each for each in document.expressions if isinstance(each, e.Call))
        assert [type(each.unconverted) for each in call.arguments] == kinds
        assert call.callee is not None
        assert call.callee.positional_inputs == ("value", "low", "high")


def test_objects_become_types_of_schemas() -> None:
    it = pcl.check(ROOT / "corpus/valid/unions-and-enums", schema_dirs=[SCHEMAS]).program
    found = {
        (object.object_type.member.token if object.object_type.member else None)
        for node in it.nodes
        for object in node.walk()
        if isinstance(object, e.Object) and object.object_type
    }
    assert "harbor:alert:MailTarget" in found


def test_declarations_of_the_same_name() -> None:
    it = program("config size int {\n  default = 1\n}\noutput size {\n  value = size\n}\n")
    assert isinstance(it.find("size"), n.Config)
    assert isinstance(it.find("size", n.Output), n.Output)
    assert it.find("size", n.Local) is None


def test_names() -> None:
    names = pcl.names.Names(["import"])
    assert names.identifier("import") == "import_"
    assert [names.pascal("a-b"), names.pascal("a_b")] == ["AB", "AB2"]
    assert (names.camel("web-server"), names.snake("vpcId2")) == ("webServer", "vpc_id2")
    cases = [pcl.names.camel_case, pcl.names.pascal_case, pcl.names.snake_case]
    assert [case("HTTPPort") for case in cases] == ["httpPort", "HttpPort", "http_port"]


def test_help_has_fields_and_no_machinery() -> None:
    text = pydoc.plain(pydoc.render_doc(n))
    resource = text[text.index("class Resource(Block)") : text.index("DATA\n")]
    assert " |  logical_name: str\n     |      The name outside the program" in resource
    assert " |  schema: ResourceSchema | None\n     |      The resource in its" in resource
    assert not [name for name in vars(Record) if not name.startswith("_")]
    assert "The program's own declarations." in (pcl.Document.__doc__ or "")
    assert "Names(reserved=[])" in pydoc.plain(pydoc.render_doc(pcl.names.Names))


def test_large_object_types_have_all_properties() -> None:
    fields = "\n".join(f"  p{number:03} = {number}" for number in range(200))
    object = value(f"it = {{\n{fields}\n}}\n").type
    assert isinstance(object, t.Object)
    assert [it.name for it in object.properties] == [f"p{number:03}" for number in range(200)]


def test_resources_know_their_schemas() -> None:
    it = pcl.check(ROOT / "corpus/valid/webserver", schema_dirs=[SCHEMAS], isolated=True).program
    network = it.find("network")
    assert isinstance(network, n.Resource) and network.schema is not None
    member = network.schema.member
    assert (member.token, member.package, member.name) == (
        "harbor:network:Network",
        "harbor",
        "Network",
    )
    assert member.schema.version == "2.1.0" == it.packages[0].version
    assert it.packages[0].schema is member.schema
    assert isinstance(network.schema.inputs, t.Object)
    cidr = network.schema.inputs.find("cidr")
    assert cidr is not None and cidr.required and cidr.description is None
    assert network.property("cidr") is cidr and network.property("nix") is None
    described = it.document_with(descriptions=True)
    again = described.main.find("network")
    assert isinstance(again, n.Resource) and again.schema is not None
    assert again.schema.member.description


def test_options_components_and_comments() -> None:
    it = program(
        '# about c\ncomponent c "./inner" {\n  size = 1\n  options {\n    range = 2\n  }\n}\n'
        "output all {\n  value = c[*].twice\n}\n",
        inner_main="config size int {}\noutput twice {\n  value = size * 2\n}\n",
    )
    assert it.diagnostics == ()
    component, output = it.nodes
    assert isinstance(component, n.Component) and component.program is not None
    assert (component.repeat, str(component.option("range"))) == ("count", "2")
    assert component.option("protect") is None and component.input("size") is not None
    assert component.comments.leading[0].lines == (" about c",)
    assert output.dependencies == (component,)
    twice = component.program.module.find("twice")
    assert isinstance(twice, n.Output) and isinstance(twice.value, e.Binary)
    left = twice.value.left
    assert isinstance(left, e.Traversal)
    assert left.node is component.program.module.find("size")
    assert [module.files[0].path for module in it.document.modules] == ["main.pp", "inner/main.pp"]


def test_places_count_characters() -> None:
    it = value('# é\nit = "𐍈" == ""\n')
    assert isinstance(it, e.Binary)
    assert (it.right.range.line, it.right.range.column) == (2, 13)
    assert (it.right.range.text, str(it.left)) == ('""', '"𐍈"')
    assert str(it.right.range) == "main.pp:2:13"


def test_objects_are_frozen_and_compare_by_identity() -> None:
    it = value("it = [1, 1]\n")
    first, second = it.operands
    assert first != second and len({first, second}) == 2
    with pytest.raises(AttributeError):
        first.range = second.range  # type: ignore[misc]


def test_a_program_for_an_sdk() -> None:
    it = program('it = "Bearer ${secret("s")}"\n')
    assert not any(isinstance(each, e.Apply) for each in it.document.expressions)
    (node,) = it.document_with(sdk="python").main.nodes
    applies = [each for each in node.walk() if isinstance(each, e.Apply)]
    assert [each.values[0].parameter.role for each in applies] == ["apply-parameter"]
    with pytest.raises(pcl.PclError, match="unknown SDK `pascal`"):
        it.document_with(sdk="pascal")  # type: ignore[arg-type]


def test_programs_with_errors_have_a_model() -> None:
    it = program("a = nix\nb = lenght([a])\n")
    assert len(it.diagnostics) == 2
    assert [type(node.type) for node in it.nodes] == [t.Error, t.Error]


def test_the_graph() -> None:
    it = program("a = 1\nb = a\n")
    assert json.loads(it.graph("json"))["nodes"][0]["name"] == "a"
    assert it.graph("mermaid").startswith("flowchart")
    assert it.graph("dot").startswith("digraph")


def test_editors() -> None:
    it = program("names = [\"ada\"]\nfirst = names[0]\n")
    hover = it.hover("main.pp", 2, 10)
    assert hover is not None and "names" in hover.markdown
    assert (hover.range.start.line, hover.range.start.column) == (2, 9)
    definition = it.definition("main.pp", 2, 10)
    assert definition is not None and definition.range.start.line == 1
    assert it.definition("main.pp", 1, 11) is None
    completions = it.complete("main.pp", 2, 10)
    assert completions is not None
    assert completions.items[0].label == "names" and completions.items[0].kind == "variable"
    with pytest.raises(pcl.PclError, match="has 2 lines|has 3 lines"):
        it.hover("main.pp", 9, 1)
    with pytest.raises(pcl.PclError, match="`other.pp` is not a file of the program"):
        it.hover("other.pp", 1, 1)


def corpus() -> list[str]:
    """All programs of the corpus."""
    found = []
    for directory, _, files in os.walk(ROOT / "corpus"):
        if any(file.endswith(".pp") for file in files):
            found.append(os.path.relpath(directory, ROOT))
    return sorted(found)


def test_every_program_of_the_corpus_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The objects have everything that the document has, and refer to their own module."""
    monkeypatch.chdir(ROOT)
    report = pcl.check(*corpus(), schema_dirs=[SCHEMAS], isolated=True)
    assert len(report) > 140
    kinds: set[type[object]] = set()
    for it in report:
        document = it.document
        data = json.loads(document.to_json())
        assert len(document.expressions) == len(data["expressions"])
        for expression, raw in zip(document.expressions, data["expressions"]):
            assert (expression.kind, expression.range.start) == (raw["kind"], raw["range"][1])
            kinds.add(type(expression))
        for type_, raw in zip(document.types, data["types"]):
            assert type_.kind == raw["kind"] and str(type_)
            kinds.add(type(type_))
        for module in document.modules:
            for node in module.nodes:
                kinds.add(type(node))
                assert set(node.dependencies) <= set(module.nodes)
                for expression in node.walk():
                    repr(expression), str(expression)
                    if isinstance(expression, e.Traversal) and expression.node is not None:
                        assert expression.node in module.nodes
    missing = [
        cls.__name__
        for base in (n.Node, e.Expression, t.Type)
        for cls in (base._kinds or {}).values()
        if cls not in kinds
    ]
    # No schema of the corpus has a type that it only names; the others are made for an SDK alone.
    assert missing == ["Apply", "Convert", "Opaque"]
