"""Tests of the judge of plans: `python3 -m unittest discover tests/plan`."""

import copy
import json
import pathlib
import sys
import tempfile
import unittest

import answers
import compare
import conformance_runs
import judge
import kinds
import pairs
import programs

STACK = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev"
FIRST = "urn:pulumi:dev::shop::depot:index:Crate::first"
SECOND = "urn:pulumi:dev::shop::depot:index:Crate::second"
VAULT = "urn:pulumi:dev::shop::depot:index:Vault::vault"


def step(op, urn, old=None, new=None, needs=(), changed=(), replaces=()):
    """A step as the engine prints it."""
    found = {"op": op, "urn": urn, "diffReasons": list(changed), "replaceReasons": list(replaces)}
    for side, inputs in (("oldState", old), ("newState", new)):
        if inputs is not None:
            found[side] = {"inputs": inputs, "parent": STACK, "dependencies": list(needs)}
    if changed:
        found["detailedDiff"] = {name: {"kind": "update"} for name in changed}
    return found


def answer(*steps, status=0):
    return {"status": status, "steps": list(steps), "diagnostics": []}


def as_plan(answer):
    """The plan that agrees with an answer."""
    steps = [
        {
            "op": one["op"],
            "urn": one["urn"],
            "changed": one["diffReasons"],
            "replace": one["replaceReasons"],
            "changes": [{"path": path} for path in one.get("detailedDiff", {})],
            "decided_by": "program",
        }
        for one in answer["steps"]
    ]
    return {"status": answer["status"], "steps": steps}


UPDATE = step("update", FIRST, {"label": "a"}, {"label": "b"}, changed=["label"])
SAME = step("same", SECOND, {"label": "c"}, {"label": "c"}, [FIRST])
ANSWER = answer(step("same", STACK, {}, {}), UPDATE, SAME)


class Plans(unittest.TestCase):
    def plan(self):
        return as_plan(copy.deepcopy(ANSWER))

    def differences(self, plan, answer=ANSWER):
        return compare.compare(answer, plan).lines()

    def test_the_same_steps_are_equal(self):
        result = compare.compare(ANSWER, self.plan())
        self.assertTrue(result.is_equal, result.lines())
        self.assertEqual(result.count(), {compare.EQUAL: 3})

    def test_another_operation_differs(self):
        for op in ("same", "create", "delete", "replace"):
            plan = self.plan()
            plan["steps"][1]["op"] = op
            self.assertIn("other steps", "".join(self.differences(plan)), op)

    def test_a_missing_step_differs(self):
        plan = self.plan()
        del plan["steps"][2]
        self.assertIn("plan: nothing", "".join(self.differences(plan)))

    def test_one_step_too_many_differs(self):
        plan = self.plan()
        plan["steps"].append({"op": "delete", "urn": VAULT})
        self.assertIn("engine: nothing", "".join(self.differences(plan)))

    def test_other_keys_differ(self):
        for name, value in [
            ("changed", ["count"]),
            ("changed", []),
            ("replace", ["label"]),
            ("changes", []),
        ]:
            plan = self.plan()
            plan["steps"][1][name] = value
            self.assertEqual(len(self.differences(plan)), 1, name)

    def test_another_order_differs(self):
        plan = self.plan()
        plan["steps"].reverse()
        self.assertIn("order", "".join(self.differences(plan)))

    def test_default_providers_are_not_compared(self):
        plan = self.plan()
        urn = "urn:pulumi:dev::shop::pulumi:providers:depot::default_1_0_0"
        plan["steps"].insert(0, {"op": "same", "urn": urn})
        self.assertEqual(self.differences(plan), [])

    def test_keys_of_other_operations_are_not_compared(self):
        engine = answer(step("create", FIRST, None, {"label": "a"}))
        plan = as_plan(engine)
        plan["steps"][0]["changed"] = ["label"]
        self.assertEqual(self.differences(plan, engine), [])

    def test_keys_of_components_are_not_compared(self):
        engine = copy.deepcopy(ANSWER)
        engine["steps"][1]["oldState"]["custom"] = False
        plan = self.plan()
        plan["steps"][1]["changed"] = []
        self.assertEqual(self.differences(plan, engine), [])

    def test_operations_that_are_not_reported_are_not_compared(self):
        plan = self.plan()
        plan["steps"].append({"op": "remove-pending-replace", "urn": VAULT})
        self.assertEqual(self.differences(plan), [])

    def test_a_plan_that_fails_alone_differs(self):
        plan = self.plan()
        plan["status"] = 1
        self.assertEqual(len(self.differences(plan)), 1)

    def test_an_engine_that_fails_alone_differs(self):
        self.assertEqual(len(self.differences(self.plan(), ANSWER | {"status": 1})), 1)

    def test_both_may_fail(self):
        self.assertEqual(self.differences({"status": 1}, ANSWER | {"status": 255}), [])

    def test_a_program_with_errors_is_no_pair(self):
        failed = {
            "status": 1,
            "diagnostics": [{"severity": "error", "message": "error: PCL0404: no"}],
        }
        self.assertEqual(len(self.differences({"status": 1}, failed)), 1)

    def test_no_plan_differs(self):
        self.assertEqual(
            self.differences("it shows a secret"), ["there is no plan: it shows a secret"]
        )


class Deletes(unittest.TestCase):
    ANSWER = answer(
        step("same", STACK, {}, {}),
        step("delete", SECOND, {}, needs=[FIRST]),
        step("delete", VAULT, {}),
        step("delete", FIRST, {}),
    )

    def test_what_is_not_needed_may_go_at_any_time(self):
        plan = as_plan(self.ANSWER)
        plan["steps"][1:3] = plan["steps"][2:0:-1]
        self.assertTrue(compare.compare(self.ANSWER, plan).is_equal)

    def test_what_is_needed_goes_later(self):
        plan = as_plan(self.ANSWER)
        plan["steps"][1:] = plan["steps"][:0:-1]
        self.assertIn("deleted before", "".join(compare.compare(self.ANSWER, plan).lines()))


class Providers(unittest.TestCase):
    def verdict(self, engine, **plan):
        planned = as_plan(answer(engine))
        planned["steps"][0] |= {
            "op": "update",
            "decided_by": "provider",
            "changed": ["text"],
        } | plan
        return compare.compare(answer(engine), planned).resources[0].verdict

    def test_a_provider_may_decide_on_a_changed_input(self):
        for op in ("update", "same", "create-replacement"):
            self.assertEqual(
                self.verdict(step(op, VAULT, {"text": "a"}, {"text": "A"})), compare.PROVIDER
            )

    def test_a_provider_may_decide_on_a_secret(self):
        secret = {"text": compare.MASKED}
        self.assertEqual(self.verdict(step("same", VAULT, secret, secret)), compare.PROVIDER)

    def test_a_provider_may_decide_when_it_is_another_one(self):
        moved = step("same", VAULT, {"text": "a"}, {"text": "a"})
        moved["newState"]["provider"] = "other"
        self.assertEqual(self.verdict(moved), compare.PROVIDER)

    def test_a_provider_does_not_decide_without_a_change(self):
        same = step("same", VAULT, {"text": "a"}, {"text": "a"})
        self.assertEqual(self.verdict(same), compare.DIFFERENT)

    def test_a_provider_does_not_decide_on_anything_else(self):
        for op in ("create", "delete", "read", "import"):
            self.assertEqual(
                self.verdict(step(op, VAULT, {"text": "a"}, {"text": "A"})), compare.DIFFERENT
            )

    def test_keys_count_where_the_diff_is_structural(self):
        changed = step("update", FIRST, {"text": "a"}, {"text": "b"}, changed=["text"])
        self.assertEqual(self.verdict(changed), compare.PROVIDER)
        self.assertEqual(self.verdict(changed, changed=["text", "label"]), compare.DIFFERENT)

    def test_what_needs_a_decision_follows_it(self):
        engine = answer(
            step("create-replacement", VAULT, {"text": "a"}, {"text": "b"}, changed=["text"]),
            step("update", FIRST, {"label": "a"}, {"label": "unknown"}, [VAULT], ["label"]),
            step("update", SECOND, {"label": "a"}, {"label": "b"}, changed=["label"]),
        )
        plan = as_plan(engine)
        plan["steps"][0] |= {"op": "update", "decided_by": "provider"}
        plan["steps"][1]["op"] = plan["steps"][2]["op"] = "same"
        verdicts = [one.verdict for one in compare.compare(engine, plan).resources]
        self.assertEqual(verdicts, [compare.PROVIDER, compare.FOLLOWS, compare.DIFFERENT])

    def test_what_a_default_provider_has_made_follows_it(self):
        default = "urn:pulumi:dev::shop::pulumi:providers:depot::default_1_0_0"
        engine = answer(step("create-replacement", FIRST, {"label": "a"}, {"label": "a"}))
        engine["steps"][0]["oldState"]["provider"] = f"{default}::id"
        for decides, verdict in (("provider", compare.FOLLOWS), ("program", compare.DIFFERENT)):
            plan = as_plan(engine)
            plan["steps"][0]["op"] = "same"
            plan["steps"].insert(0, {"op": "update", "urn": default, "decided_by": decides})
            self.assertEqual(compare.compare(engine, plan).resources[0].verdict, verdict)

    def test_what_needs_something_that_is_read_follows_it(self):
        for op, verdict in (("import", compare.FOLLOWS), ("create", compare.DIFFERENT)):
            engine = answer(step(op, FIRST, None, {"label": "a"}), SAME)
            plan = as_plan(engine)
            plan["steps"][1]["op"] = "update"
            verdicts = [one.verdict for one in compare.compare(engine, plan).resources]
            self.assertEqual(verdicts, [compare.EQUAL, verdict])

    def test_what_had_another_name_follows(self):
        engine = answer(
            step("delete-replaced", FIRST, {"label": "a"}),
            step("create-replacement", VAULT, {"text": "a"}, {"text": "b"}),
        )
        plan = as_plan(engine)
        plan["steps"] = [plan["steps"][1]]
        plan["steps"][0] |= {
            "op": "update",
            "decided_by": "provider",
            "changed": ["text"],
            "old_urn": FIRST,
        }
        verdicts = [one.verdict for one in compare.compare(engine, plan).resources]
        self.assertEqual(verdicts, [compare.FOLLOWS, compare.PROVIDER])


class Engine(unittest.TestCase):
    def test_events_are_steps(self):
        metadata = {
            "op": "update",
            "urn": FIRST,
            "old": {},
            "new": {},
            "diffs": ["label"],
            "keys": [],
        }
        events = [
            {"sequence": 1, "resourcePreEvent": {"metadata": metadata | {"detailedDiff": {}}}},
            {"sequence": 2, "diagnosticEvent": {"severity": "error", "message": "no"}},
            {"sequence": 3, "cancelEvent": {}},
        ]
        found = answers.of_events("warning\n" + "\n".join(map(json.dumps, events)))
        self.assertEqual([step["op"] for step in found["steps"]], ["update"])
        self.assertEqual(found["steps"][0]["diffReasons"], ["label"])
        self.assertEqual(compare.errors(found), ["no"])

    def edited(self, members):
        with tempfile.TemporaryDirectory() as place:
            source, target = pathlib.Path(place, "old"), pathlib.Path(place, "new")
            source.write_text(
                json.dumps({"deployment": {"resources": [{"urn": FIRST, "id": "a"}]}})
            )
            answers.edit(source, target, [(FIRST, members)])
            return json.loads(target.read_text())["deployment"]["resources"]

    def test_a_state_is_edited(self):
        self.assertEqual(self.edited({"taint": True}), [{"urn": FIRST, "id": "a", "taint": True}])

    def test_what_is_to_be_deleted_is_there_twice(self):
        found = self.edited({"delete": True, "id": "b"})
        self.assertEqual([one["id"] for one in found], ["a", "b"])

    def test_a_program_of_the_suite_has_its_packages(self):
        text = conformance_runs.Text(pathlib.Path("place"), "l2-test")
        adapted = text.adapt(
            'resource "a" "simple:index:Resource" {\n'
            '  options { aliases = ["urn:pulumi:test::l2-test::b:c:D::e"] }\n}\n'
        )
        self.assertTrue(adapted.startswith('package {\n  baseProviderName = "simple"'), adapted)
        self.assertIn('"urn:pulumi:dev::shop::b:c:D::e"', adapted)


class Command(unittest.TestCase):
    def plan(self, script):
        return judge.plan([sys.executable, "-c", script], pathlib.Path("place"))

    def test_a_plan_has_its_status(self):
        found = self.plan('print("{}"); exit(3)')
        self.assertEqual(found, {"status": 3})

    def test_a_secret_is_no_plan(self):
        for stream in ("stdout", "stderr"):
            found = self.plan(f'import sys; print("is {programs.SECRETS[1]}", file=sys.{stream})')
            self.assertEqual(found, "it shows a secret")

    def test_a_crash_is_no_plan(self):
        self.assertIn("status 1: ", self.plan('raise ValueError("no")'))


class Conclusion(unittest.TestCase):
    PAIR = pairs.Pair("rename", 0, None, None)

    def complaints(self, plan, known=()):
        result = compare.compare(ANSWER, plan)
        return judge.conclude([(self.PAIR, result)], dict.fromkeys(known, "a reason"))[1]

    def wrong(self):
        plan = as_plan(copy.deepcopy(ANSWER))
        plan["steps"][1]["op"] = "same"
        return plan

    def test_all_is_well(self):
        self.assertEqual(self.complaints(as_plan(ANSWER)), [])

    def test_a_difference_is_told(self):
        found = self.complaints(self.wrong())
        self.assertEqual(
            found,
            ["rename-0 differs, and is not in known.json", "fewer than 98% of the steps are equal"],
        )

    def test_a_known_difference_still_counts(self):
        self.assertEqual(
            self.complaints(self.wrong(), ["rename-0"]), ["fewer than 98% of the steps are equal"]
        )

    def test_a_known_difference_that_is_gone_is_told(self):
        self.assertEqual(
            self.complaints(as_plan(ANSWER), ["rename-0"]), ["rename-0 does not differ any more"]
        )

    def test_a_provider_that_decides_too_often_is_told(self):
        plan = as_plan(copy.deepcopy(ANSWER))
        plan["steps"][1]["decided_by"] = "provider"
        self.assertIn("10%", "".join(self.complaints(plan)))


class Generator(unittest.TestCase):
    def test_there_are_enough_pairs(self):
        found = pairs.all_pairs()
        self.assertGreaterEqual(len(found), 300)
        self.assertEqual({pair.kind for pair in found}, kinds.KINDS.keys())
        self.assertEqual(len({pair.name for pair in found}), len(found))

    def test_the_same_pairs_are_made_again(self):
        self.assertEqual(pairs.all_pairs(1), pairs.all_pairs(1))

    def test_each_pair_differs_unless_nothing_changes(self):
        for pair in pairs.all_pairs():
            if (
                pair.kind not in ("nothing", "read-the-same", "provider-the-same")
                and not pair.edits
            ):
                self.assertNotEqual(pair.before, pair.after, pair.name)

    def test_a_choice_is_spread_over_the_kinds(self):
        found = pairs.some_pairs(30)
        self.assertEqual(len({pair.kind for pair in found}), 30)

    def test_references_follow_a_name(self):
        program = programs.Program(
            [
                programs.Node("first", programs.CRATE, {"label": '"first one"'}),
                programs.Node("second", programs.CRATE, {"label": '"${first.label}"'}),
            ]
        )
        program.rename("first", "renamed")
        self.assertEqual(program.node("second").inputs["label"], '"${renamed.label}"')
        program.remove("renamed")
        self.assertEqual(program.node("second").inputs["label"], '"literal"')


if __name__ == "__main__":
    unittest.main()
