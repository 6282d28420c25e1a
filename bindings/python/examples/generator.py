"""Writes a program as a script in a language like JavaScript."""

import json
import sys

import pcl
from pcl import expressions as e
from pcl import nodes as n


def js(it: e.Expression | None) -> str:
    match it:
        case None: return "null"
        case e.Literal(): return json.dumps(it.value, default=str)
        case e.Template(): return " + ".join(map(js, it.parts))
        case e.Tuple(): return f"[{', '.join(map(js, it.elements))}]"
        case e.Binary(): return f"({js(it.left)} {it.operator} {js(it.right)})"
        case e.Call(): return f"pcl.{it.name}({', '.join(map(js, it.arguments))})"
        case e.Traversal(): return it.name + "".join(f"[{json.dumps(at.key)}]" for at in it.steps)
    raise SystemExit(f"{it.range}: there is no JavaScript for a {it.kind}")


for node in pcl.check(sys.argv[1], schema_dirs=sys.argv[2:]).raise_for_errors().program.in_order:
    match node:
        case n.Config(): print(f"const {node.name} = config('{node.name}') ?? {js(node.default)}")
        case n.Local(): print(f"const {node.name} = {js(node.value)}")
        case n.Resource():
            inputs = ", ".join(f"{it.name}: {js(it.value)}" for it in node.inputs)
            print(f"const {node.name} = new Resource({node.token!r}, {{ {inputs} }})")
        case n.Output(): print(f"exports.{node.name} = {js(node.value)}")
        case _: raise SystemExit(f"{node.range}: there is no JavaScript for a {node.kind}")
