"""Tests of the comparison of figures: `python3 -m unittest discover tests/performance`."""

import unittest

import figures
import programs
from figures import Figures, compare, read, report, written

RECORDED = {"small": Figures(1_000_000, 5_000), "large": Figures(200_000_000, 30_000)}


class Comparison(unittest.TestCase):
    def complaints(self, **changed):
        return compare(RECORDED, RECORDED | changed)

    def test_equal_figures_pass(self):
        self.assertEqual(self.complaints(), [])

    def test_changes_within_the_tolerance_pass(self):
        self.assertEqual(self.complaints(large=Figures(203_999_999, 32_999)), [])
        self.assertEqual(self.complaints(large=Figures(196_000_001, 27_001)), [])

    def test_a_rise_of_instructions_fails(self):
        self.assertEqual(
            self.complaints(large=Figures(206_000_000, 30_000)),
            [
                "large: instructions rose by 3.0 %, from 200,000,000 to 206,000,000 (tolerance 2 %)"
            ],
        )

    def test_a_rise_of_memory_fails(self):
        self.assertEqual(
            self.complaints(small=Figures(1_000_000, 5_600)),
            ["small: memory rose by 12.0 %, from 5,000 to 5,600 KiB (tolerance 10 %)"],
        )

    def test_a_fall_fails(self):
        self.assertEqual(
            self.complaints(small=Figures(970_000, 4_400)),
            [
                "small: instructions fell by 3.0 %, from 1,000,000 to 970,000 (tolerance 2 %)",
                "small: memory fell by 12.0 %, from 5,000 to 4,400 KiB (tolerance 10 %)",
            ],
        )

    def test_workloads_and_figures_belong_together(self):
        self.assertEqual(self.complaints(new=Figures(1, 1)), ["new: has no figures"])
        self.assertEqual(
            compare(RECORDED, {"small": RECORDED["small"]}),
            ["large: has figures, but there is no such workload"],
        )


class File(unittest.TestCase):
    def test_what_is_written_is_read(self):
        versions = {"rustc": "1.95.0", "libc": "glibc 2.36"}
        self.assertEqual(read(written(RECORDED, versions)), (RECORDED, versions))

    def test_the_file_has_all_workloads(self):
        recorded, _ = read(figures.FIGURES.read_text())
        self.assertEqual(list(recorded), [workload.name for workload in figures.WORKLOADS])


class Report(unittest.TestCase):
    def test_it_says_how_to_accept_the_change(self):
        text = report(["small: ..."], {"rustc": "1.95.0"}, {"rustc": "1.95.0"})
        self.assertIn("\n  small: ...\n", text)
        self.assertIn("python3 tests/performance/figures.py --write", text)
        self.assertNotIn("machine", text)

    def test_it_names_what_is_different_here(self):
        text = report(["small: ..."], {"rustc": "1.95.0"}, {"rustc": "1.96.0"})
        self.assertIn("rustc 1.96.0 (recorded with 1.95.0)", text)


class Programs(unittest.TestCase):
    def test_all_placeholders_are_replaced(self):
        for text in (programs.nodes(800), programs.mistakes(800)):
            for name in ("NUMBER", "BEFORE", "MODULO", "IS_ODD"):
                self.assertNotIn(name, text)

    def test_each_mistake_changes_a_group(self):
        for before, after in programs.MISTAKES:
            self.assertIn(before, programs.TEMPLATE)
            self.assertNotEqual(before, after)


if __name__ == "__main__":
    unittest.main()
