"""Tests of the judge: `python3 -m unittest discover tests/generated`."""

import json
import pathlib
import tempfile
import unittest

from judge import Known, Log, remarks

WRONG = ["panic: not implemented", "generate project: closed"]


class WithFile(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name, "file")


class KnownFailures(WithFile):
    def setUp(self):
        super().setUp()
        self.path.write_text("# Notes.\na   the host is wrong\nbc  so is this\n")
        self.known = Known(self.path)

    def test_all_other_tests_have_to_pass(self):
        self.assertEqual(self.known.required(["a", "bc", "d"]), {"d"})

    def test_what_is_written_keeps_the_reasons_that_are_there(self):
        self.known.write({"a": WRONG, "d": WRONG})
        text = "# Notes.\na   the host is wrong\nbc  so is this\nd   panic: not implemented\n"
        self.assertEqual(self.path.read_text(), text)

    def test_what_passes_is_written_no_more(self):
        self.known.write({"a": [], "bc": WRONG})
        self.assertEqual(self.path.read_text(), "# Notes.\nbc  so is this\n")


class Remarks(WithFile):
    def test_what_was_said_is_a_remark_once(self):
        log = Log(self.path)
        call = json.dumps({"call": "Run", "said": "\x1b[31mError\x1b[0m: no key\n\n  on line 4\n"})
        self.path.write_text(f"{call}\n{call}\n")
        self.assertEqual(log.remarks(), ["Error: no key"])
        self.assertEqual(log.remarks(), [])

    def test_a_translation_that_is_not_complete_is_a_remark(self):
        found = [{"code": "PCL1201", "message": "no `can`"}, {"code": "PCL0507", "message": "old"}]
        self.assertEqual(list(remarks({"diagnostics": found})), ["PCL1201: no `can`"])

    def test_what_a_generator_refuses_is_a_remark(self):
        call = {"error": "main.pp:3: Failed to generate YAML program: no fn::can"}
        self.assertEqual(list(remarks(call)), ["no fn::can"])


if __name__ == "__main__":
    unittest.main()
