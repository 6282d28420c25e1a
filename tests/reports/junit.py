"""Validates a JUnit report by a schema, and prints what an independent parser reads in it as JSON."""

import json
import sys

import junitparser
import xmlschema

report, schema = sys.argv[1:]
xmlschema.XMLSchema(schema).validate(report)
suites = [
    {
        "name": suite.name,
        "counts": [suite.tests, suite.failures, suite.errors, suite.skipped],
        "cases": [
            {
                "name": case.name,
                "classname": case.classname,
                "file": case._elem.get("file"),
                "line": case._elem.get("line"),
                "passed": case.is_passed,
                "results": [[type(r).__name__, r.type, r.message, r.text] for r in case.result],
            }
            for case in suite
        ],
    }
    for suite in junitparser.JUnitXml.fromfile(report)
]
json.dump(suites, sys.stdout)
