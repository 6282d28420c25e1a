"""Writes a program as a script in a language like JavaScript."""

import json
import sys

import pcl
from pcl import expressions as e
from pcl import nodes as n

program = pcl.check(sys.argv[1], schema_dirs=sys.argv[2:]).raise_for_errors().program


def js(it: e.Expression | None) -> str:
    match it:
        case None: return "null"
        case e.Expression(string=str(text)): return json.dumps(text)
        case e.Literal(): return "null" if it.value is None else str(it.value).lower()
        case e.Template(): return f"[{', '.join(map(js, it.parts))}].join('')"
        case e.Tuple(): return f"[{', '.join(map(js, it.elements))}]"
        case e.Binary(): return f"({js(it.left)} {it.operator} {js(it.right)})"
        case e.Call(expands_last=False): return f"pcl.{it.name}({', '.join(map(js, it.arguments))})"
        case e.Traversal(): return it.name + "".join(f"[{json.dumps(at.key)}]" for at in it.steps)
        case e.Convert(): return f"pcl.convert({js(it.value)}, '{it.type.plain}')"
    raise SystemExit(f"{it.range}: there is no JavaScript for `{it}`")


for node in program.document_with(sdk="nodejs").main.in_order:
    match node:
        case n.Config(): print(f"const {node.name} = config('{node.name}') ?? {js(node.default)}")
        case n.Local(): print(f"const {node.name} = {js(node.value)}")
        case n.Resource(options=()): print(f"const {node.name} = new Resource({node.token!r}, {{",
            ", ".join(f"{it.name}: {js(it.value)}" for it in node.inputs), "})")
        case n.Output(): print(f"exports.{node.name} = {js(node.value)}")
        case _: raise SystemExit(f"{node.range}: there is no JavaScript for\n{node.range.text}")
