"""Tests of the judge: `python3 -m unittest discover tests/generated`."""

import contextlib
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import java_host
import java_pack
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


class Java(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)

    def write(self, path, text):
        path = self.place / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_a_project_is_told_where_its_packages_are(self):
        pom = "<project>\n<dependencies>\n</dependencies>\n</project>\n"
        text = java_host.with_repositories(pom, ["/a&b"])
        repository = "<repository><id>local-0</id><url>file:///a&amp;b</url></repository>"
        start = f"<project>\n<repositories>{repository}</repositories>\n<dependencies>\n"
        self.assertTrue(text.startswith(start), text)

    def test_a_package_is_packed_once(self):
        pack = self.write(
            "pack.py",
            "import pathlib, sys\n"
            "repo = pathlib.Path(sys.argv[2], 'repo')\n"
            "assert (repo / 'other').exists()\n"
            "(repo / 'own').write_text('packed')\n"
            "print(f'com.pulumi:own:1.0.0:{repo}')\n"
            "pathlib.Path(sys.argv[0]).with_name('runs').open('a').write('x')\n",
        )
        (self.place / "cache").mkdir()
        jars = self.write("classpath.txt", "a.jar")
        self.write("sdk/Own.java", "class Own {}")
        printed = io.StringIO()
        for name in ("one", "two"):
            self.write(f"{name}/repo/other", "jar")
            words = (pack, self.place / "cache", self.place / "sdk", self.place / name)
            with (
                mock.patch.dict(os.environ, JAVA_CLASSPATH_FILE=os.fspath(jars)),
                contextlib.redirect_stdout(printed),
            ):
                self.assertEqual(java_pack.main(*words), 0)
            self.assertEqual((self.place / name / "repo/own").read_text(), "packed")
        artifacts = [f"com.pulumi:own:1.0.0:{self.place / name}/repo" for name in ("one", "two")]
        self.assertEqual(printed.getvalue().split(), artifacts)
        self.assertEqual((self.place / "runs").read_text(), "x")


if __name__ == "__main__":
    unittest.main()
