"""Tests of the tables and the chart."""

import unittest
import xml.etree.ElementTree as xml

import chart
from measure import tables

OURS = {8: (0.0015, 9_000_000), 8000: (0.016, 27_000_000), 80_000: (0.2, 60_000_000)}
THEIRS = {8: (0.1, 90_000_000), 8000: (1.2, 301_000_000)}
FIGURES = {
    "machine": "2 cores",
    "empty": 0.0005,
    "start": 0.0003,
    "nodes": {count: (*of, 1_000_000 * count) for count, of in OURS.items()},
    "edit": 0.003,
    "azure": None,
    "parse": [11.8, 18.04],
    "reference": THEIRS,
    "reference_is_recorded": True,
}


class Tables(unittest.TestCase):
    def test_each_size_has_a_row(self):
        rows = tables(FIGURES)
        self.assertIn(
            "| 8,000 | 16.0 ms | 27 MB | 8,000.0 M | 1.20 s, 301 MB | 75 × |",
            rows,
        )
        self.assertIn("| 80,000 | 200 ms | 60 MB | 80,000.0 M |  |  |", rows)

    def test_recorded_figures_of_the_reference_are_marked(self):
        self.assertIn("recorded earlier", "\n".join(tables(FIGURES)))
        measured = FIGURES | {"reference_is_recorded": False}
        self.assertNotIn("recorded earlier", "\n".join(tables(measured)))

    def test_what_needs_the_shared_corpus_is_left_out(self):
        self.assertNotIn("azure-native", "\n".join(tables(FIGURES)))
        azure = FIGURES | {"azure": (1182, 0.4, 0.25, 1_182_000_000, 0.05)}
        text = "\n".join(tables(azure))
        self.assertIn("| 1,182 programs of azure-native, one thread | 400 ms |", text)
        self.assertIn("| the same with two threads, times as fast | 1.6 × |", text)


class Chart(unittest.TestCase):
    def test_there_is_a_bar_for_each_time(self):
        name = "{http://www.w3.org/2000/svg}rect"
        bars = [
            float(bar.get("width"))
            for bar in xml.fromstring(chart.draw(OURS, THEIRS)).iter(name)
            if bar.get("width") != "10"
        ]
        self.assertEqual(len(bars), len(OURS) + len(THEIRS))
        self.assertTrue(all(0 < width < chart.WIDTH for width in bars))


if __name__ == "__main__":
    unittest.main()
