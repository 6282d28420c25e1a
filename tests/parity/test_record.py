"""What the comparison of recorded answers says about them."""

import importlib.machinery
import importlib.util
import pathlib
import unittest

PATH = pathlib.Path(__file__).with_name("record")
LOADER = importlib.machinery.SourceFileLoader("record", str(PATH))
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", LOADER))
LOADER.exec_module(record)


def bound(kind, expression):
    """The answer for a program of one local variable."""
    expressions = [{"f": "main.pp", "s": 4, "e": 7, "k": "Template", "t": expression}]
    node = {"kind": "local", "name": "a", "deps": [], "exprs": expressions, "type": kind}
    return {"program": "p", "status": "ok", "packages": [], "linear": ["a"], "nodes": [node]}


def refused(text, start=0):
    error = {"severity": "error", "file": "main.pp", "start": start, "end": 9, "text": text}
    return {"program": "p", "status": "errors", "diagnostics": [error]}


class Changes(unittest.TestCase):
    def test_equal_answers_have_none(self):
        self.assertEqual(list(record.changes(bound("int", "int"), bound("int", "int"))), [])

    def test_types_are_reduced_to_what_differs(self):
        new = bound('("x", "y", {k: "z"})', '"x"')
        changes = record.changes(bound("(string, string, {k: string})", "string"), new)
        constants = 'string → "…"'
        self.assertEqual(
            sorted(set(changes)), [("expression types", constants), ("node types", constants)]
        )

    def test_the_order_of_members_is_a_cause_of_its_own(self):
        changes = record.changes(bound("int | string", "int"), bound("string | int", "int"))
        self.assertEqual(list(changes), [("node types", "order of members")])

    def test_a_verdict_has_the_reason(self):
        changes = record.changes(bound("int", "int"), refused('no attribute "x"'))
        self.assertEqual(list(changes), [("verdict: ok → errors", 'no attribute "…"')])

    def test_what_varies_is_called_random(self):
        changes = record.changes(refused("undefined variable a"), refused("undefined variable b"))
        self.assertEqual(list(changes), [("diagnostics", "random")])


if __name__ == "__main__":
    unittest.main()
