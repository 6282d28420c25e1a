"""Prints the resources of all programs below a directory."""

import sys

import pcl

directory, *schema_dirs = sys.argv[1:]
workspace = pcl.Workspace(schema_dirs=schema_dirs)
for program in workspace.check(*pcl.find_programs(directory)):
    print(program.path + ("" if program.valid else " (with errors)"))
    for resource in program.resources:
        inputs = ", ".join(f"{it.name}: {it.value.type}" for it in resource.inputs)
        print(f"  {resource.range} {resource.logical_name} {resource.token} {{ {inputs} }}")
