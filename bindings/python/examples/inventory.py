"""Prints the resources of all programs below a directory, those of components included."""

import sys

import pcl

directory, *schema_dirs = sys.argv[1:]
workspace = pcl.Workspace(schema_dirs=schema_dirs)
for program in workspace.check(*pcl.find_programs(directory)):
    print(program.path + ("" if program.valid else " (with errors)"))
    for module in program.document.modules:
        for node in module.nodes:
            if isinstance(node, pcl.nodes.Resource):
                inputs = ", ".join(f"{it.name}: {it.value.type}" for it in node.inputs)
                print(f"  {node.range} {node.logical_name} {node.token} {{ {inputs} }}")
