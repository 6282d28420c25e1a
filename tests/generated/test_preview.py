"""Tests of the comparison of previews."""

import unittest

from preview import SIGNATURE, UNKNOWN, compare, plain, resources, steps


def of_pcl(**inputs):
    resource = {"type": "a:b:C", "name": "c", "inputs": inputs, "parent": "urn::demo-dev"}
    return resources({"resources": [resource]})


def of_pulumi(**inputs):
    state = {"type": "a:b:C", "urn": "urn:pulumi:dev::proj::a:b:C::c", "inputs": inputs}
    return steps({"steps": [{"newState": state | {"parent": "urn::proj-dev"}}]})


class Previews(unittest.TestCase):
    def test_equal_inputs_do_not_differ(self):
        secret = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "plaintext": '"x"'}
        found = of_pulumi(a=[1, {"b": "x"}], s=secret)
        self.assertEqual(list(compare(of_pcl(a=[1, {"b": "x"}], s={"$secret": "x"}), found)), [])

    def test_what_is_not_known_may_be_anything(self):
        found = of_pulumi(a=f"{UNKNOWN}", b="y")
        self.assertEqual(list(compare(of_pcl(a="x", b={"$unknown": True}), found)), [])

    def test_other_values_differ(self):
        for one, other in [("x", "y"), ([1], [1, 2]), ({"a": 1}, {"b": 1}), ({"$secret": 1}, 1)]:
            self.assertEqual(len(list(compare(of_pcl(a=one), of_pulumi(a=other)))), 1, one)

    def test_missing_resources_differ(self):
        self.assertEqual(list(compare(of_pcl(), {})), ["a:b:C c is only in pcl"])
        self.assertEqual(list(compare({}, of_pulumi())), ["a:b:C c is only in YAML"])

    def test_null_is_no_value(self):
        self.assertEqual(plain({"a": None, "b": 1}), {"b": 1})


if __name__ == "__main__":
    unittest.main()
