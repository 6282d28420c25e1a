"""Prints the resources of all programs below a directory, each with its components."""

import sys

import pcl

directory, *schema_dirs = sys.argv[1:]
report = pcl.check(*pcl.find_programs(directory), schema_dirs=schema_dirs)
for program in report.roots:
    print(program.path + ("" if program.valid else " (with errors)"))
    for module in program.document.modules:
        for resource in module.resources:
            inputs = ", ".join(f"{it.name}: {it.value.type.plain}" for it in resource.inputs)
            print(f"  {resource.range} {resource.logical_name} {resource.token} {{ {inputs} }}")
