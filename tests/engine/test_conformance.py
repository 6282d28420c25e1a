"""Tests of the driver of the suite: `python3 -m unittest discover tests/engine`."""

import json
import pathlib
import tempfile
import unittest

from conformance import SESSIONS, Floor, Host, Sessions, compare, one_line, run
from engine import Trouble

WRONG = ["the stack has no output"]


class Comparison(unittest.TestCase):
    def test_tests_that_are_listed_must_pass(self):
        self.assertEqual(compare({"a", "b"}, {"a": [], "b": WRONG}), (["b"], []))

    def test_tests_that_pass_must_be_listed(self):
        self.assertEqual(compare({"a"}, {"a": [], "b": []}), ([], ["b"]))

    def test_tests_that_are_not_listed_may_fail(self):
        self.assertEqual(compare({"a"}, {"a": [], "b": WRONG}), ([], []))

    def test_tests_that_did_not_run_have_no_verdict(self):
        self.assertEqual(compare({"a", "b"}, {"a": []}), ([], []))


class Lists(unittest.TestCase):
    def test_a_floor_is_written_from_what_ran(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "floor.json")
            path.write_text('["fails", "left-out"]')
            Floor(path).write({"fails": WRONG, "passes": []})
            self.assertEqual(json.loads(path.read_text()), ["left-out", "passes"])


class Session:
    """A session in which tests fail by their names."""

    host = Host([])

    def run(self, name, _):
        return [] if name.startswith("good") else WRONG, name != "crash"


class Running(unittest.TestCase):
    def run_tests(self, *names):
        sessions = Sessions(lambda _: Session())
        return run(sessions, names, 1, 1, lambda *_: None), sessions

    def test_tests_share_a_session(self):
        found, sessions = self.run_tests("good", "wrong")
        self.assertEqual(found, {"good": [], "wrong": WRONG})
        self.assertEqual(len(sessions.all), 1)

    def test_a_crash_is_followed_by_a_new_session(self):
        found, sessions = self.run_tests("good-1", "crash", "good-2")
        self.assertEqual(found, {"good-1": [], "crash": WRONG, "good-2": []})
        self.assertEqual(len(sessions.all), 2)

    def test_tests_that_lose_a_host_which_starts_again_are_run_alone(self):
        class Restarted(Session):
            host = Host([], is_restarted=True)
            asked = []

            def run(self, name, _):
                self.asked.append(name)
                is_lost = name == "crash" or self.asked == ["crash", "beside"]
                return ["rpc error: Socket closed"] if is_lost else [], True

        session, reported = Restarted(), []
        sessions = Sessions(lambda _: session)
        report = lambda name, *_: reported.append(name)  # noqa: E731
        found = run(sessions, ["crash", "beside", "good"], 1, 1, report)
        self.assertEqual(found, {"crash": ["rpc error: Socket closed"], "beside": [], "good": []})
        self.assertEqual(reported, ["good", "crash", "beside"])

    def test_a_host_that_always_crashes_is_given_up(self):
        with self.assertRaisesRegex(Trouble, "the host failed"):
            self.run_tests(*["crash"] * (SESSIONS + 1))


class Report(unittest.TestCase):
    def test_complaints_are_one_line(self):
        self.assertEqual(one_line(["a\n  b", "c"]), "a b | c")
        self.assertEqual(one_line(["abc"], limit=2), "ab")

    def test_complaints_do_not_say_where_the_suite_found_them(self):
        text = "a.go:1: \n\tError Trace:\t/pkg/a.go:1\n\t\t/pkg/b.go:22\n\tError:\tnot equal"
        self.assertEqual(one_line([text]), "a.go:1: Error: not equal")


if __name__ == "__main__":
    unittest.main()
