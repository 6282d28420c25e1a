"""The documentation of fields, for `help`."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import ModuleType


def describe_fields(module: ModuleType) -> None:
    """Adds the fields of the classes of a module, with the text below each in the source, to the
    documentation of the classes. Subclasses have the fields of their bases as well.
    """
    try:
        source = inspect.getsource(module)
    except OSError:
        return
    fields: dict[object, list[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(module, node.name)
            fields[cls] = [line for base in cls.__bases__ for line in fields.get(base, ())]
            fields[cls] += _fields(node)
            if fields[cls] and cls.__doc__:
                cls.__doc__ = "\n".join([inspect.cleandoc(cls.__doc__), "", *fields[cls]])


def _fields(node: ast.ClassDef) -> list[str]:
    lines = []
    for field, below in zip(node.body, [*node.body[1:], None]):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            annotation = ast.unparse(field.annotation)
            if not (field.target.id.startswith("_") or annotation.startswith("ClassVar")):
                lines.append(f"{field.target.id}: {annotation}")
                if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                    text = inspect.cleandoc(str(below.value.value))
                    lines.append(textwrap.indent(text, "    "))
    return lines
