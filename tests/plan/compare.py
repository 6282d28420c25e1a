"""The comparison of the engine's steps with those of a plan."""

import collections
import dataclasses

# The types of which the engine, or a provider that does the same, compares the inputs one by one.
# Of others the provider says what changed.
DECIDED_BY_PROVIDER = {"depot:index:Vault"}
DELETES = {"delete", "delete-replaced"}
REPLACES = {"create-replacement", "replace", "delete-replaced"}
# The operations of which the engine says what inputs changed.
WITH_KEYS = {"update", "create-replacement", "replace"}
# The operations that ask the provider for what there is.
READS = {"read", "read-replacement", "import", "import-replacement"}
# What the engine does and does not report.
SILENT = {"remove-pending-replace"}
MASKED = "[secret]"

EQUAL, PROVIDER, FOLLOWS, DIFFERENT = "equal", "the provider decides", "follows", "different"


def type_of(urn):
    return urn.split("::")[2].split("$")[-1]


def is_default(urn):
    """A default provider, whose steps the engine does not report."""
    kind, name = type_of(urn), urn.split("::")[-1]
    return kind.startswith("pulumi:providers:") and name.startswith("default")


@dataclasses.dataclass
class Resource:
    """The comparison of the steps of one resource."""

    urn: str
    engine: list
    plan: list
    verdict: str = EQUAL
    reason: str = ""

    @property
    def steps(self):
        return max(len(self.engine), len(self.plan))

    def line(self):
        ops = [
            ", ".join(step["op"] for step in steps) or "nothing"
            for steps in (self.engine, self.plan)
        ]
        return f"{self.verdict}: {self.urn}: engine: {ops[0]}; plan: {ops[1]}; {self.reason}"


@dataclasses.dataclass
class Result:
    """The comparison of a pair."""

    resources: list = dataclasses.field(default_factory=list)
    # What is wrong with the plan as a whole.
    complaints: list = dataclasses.field(default_factory=list)

    @property
    def is_equal(self):
        return not self.complaints and all(one.verdict != DIFFERENT for one in self.resources)

    def count(self):
        """The number of steps by verdict."""
        found = collections.Counter()
        for one in self.resources:
            found[one.verdict] += one.steps
        return found

    def lines(self):
        return self.complaints + [one.line() for one in self.resources if one.verdict == DIFFERENT]


def by_urn(steps):
    found = {}
    for step in steps:
        found.setdefault(step["urn"], []).append(step)
    return found


def shown(steps):
    """The steps that the engine reports."""
    return [
        step for step in steps or [] if not is_default(step["urn"]) and step["op"] not in SILENT
    ]


def ops(steps):
    return [step["op"] for step in steps]


def keys(step, name):
    return sorted(set(step.get(name) or []))


def paths(step):
    """The paths of a step that changes inputs, or None where the engine says nothing of them."""
    detailed = step.get("detailedDiff")
    return None if detailed is None else sorted(detailed)


def is_custom(step):
    return (step.get("oldState") or step.get("newState") or {}).get("custom", True)


def differing_keys(engine, plan):
    """Says which changed inputs differ, or nothing. Of components, the engine does not compare
    the inputs by name."""
    for one, other in zip(engine, plan, strict=True):
        if one["op"] not in WITH_KEYS or not is_custom(one):
            continue
        pairs = [
            ("changed", keys(one, "diffReasons"), keys(other, "changed")),
            ("replaces", keys(one, "replaceReasons"), keys(other, "replace")),
        ]
        if paths(one) is not None:
            pairs.append(("paths", paths(one), sorted({each["path"] for each in other["changes"]})))
        for name, expected, found in pairs:
            if expected != found:
                return f"{name} of {one['op']}: engine: {expected}; plan: {found}"
    return ""


def is_changed(step, names):
    """One of the inputs of a step is another one, or the provider is. Of two secrets, the engine
    does not say."""
    sides = [step.get(side) or {} for side in ("oldState", "newState")]
    inputs = [side.get("inputs") or {} for side in sides]
    old, new = ([one.get(name) for name in names] for one in inputs)
    return old != new or MASKED in str(old) or sides[0].get("provider") != sides[1].get("provider")


def may_decide(resource):
    """The provider can have decided on what the engine does: an input of it really changed, and it
    is updated, replaced or the same."""
    found = set(ops(resource.engine))
    names = {name for step in resource.plan for name in step.get("changed") or []}
    is_possible = found == {"update"} or found == {"same"} or found and found <= REPLACES
    return is_possible and is_changed(resource.engine[0], names)


def judge(resource):
    """Compares the steps of a resource by themselves."""
    decides = any(step.get("decided_by") == "provider" for step in resource.plan)
    is_equal = ops(resource.engine) == ops(resource.plan)
    if decides and resource.engine and not may_decide(resource):
        resource.verdict = DIFFERENT
        resource.reason = "the provider has nothing to decide"
    elif not is_equal:
        resource.verdict = PROVIDER if decides else DIFFERENT
        resource.reason = "other steps"
    else:
        known = type_of(resource.urn) not in DECIDED_BY_PROVIDER
        resource.reason = differing_keys(resource.engine, resource.plan) if known else ""
        resource.verdict = DIFFERENT if resource.reason else PROVIDER if decides else EQUAL


def needs(step):
    """What a resource depends on in its old and its new state."""
    found = set()
    for side in ("oldState", "newState"):
        state = step.get(side) or {}
        found.update(state.get("dependencies") or [])
        found.update(state.get("replaceWith") or [])
        for names in (state.get("propertyDependencies") or {}).values():
            found.update(names or [])
        found.add(state.get("parent"))
        found.add(state.get("deletedWith"))
        found.add((state.get("provider") or "").rpartition("::")[0])
    return found - {None, ""}


def follow(resources, steps, plan):
    """Marks what differs because the provider decided otherwise about something that it needs: the
    provider's answer is in all that comes after. It may also have decided on a default provider,
    which the engine does not report."""
    near = collections.defaultdict(set)
    for step in steps:
        for other in needs(step):
            if type_of(other) != "pulumi:pulumi:Stack":
                near[other].add(step["urn"])
    for step in plan:
        # Its old state is deleted under the old name.
        if step.get("old_urn"):
            near[step["urn"]].add(step["old_urn"])
    decided = [
        one.urn for one in resources if one.verdict == PROVIDER and ops(one.engine) != ops(one.plan)
    ]
    decided += [
        step["urn"]
        for step in plan
        if is_default(step["urn"]) and step.get("decided_by") == "provider"
    ]
    # Only the provider knows what it reads.
    decided += [step["urn"] for step in steps if step["op"] in READS]
    reached = set()
    while decided:
        urn = decided.pop()
        for other in near[urn] - reached:
            reached.add(other)
            decided.append(other)
    for one in resources:
        if one.verdict == DIFFERENT and one.urn in reached:
            one.verdict = FOLLOWS


def last_deletes(steps):
    """Splits steps into those that run while the program does, and the deletes after it."""
    end = len(steps)
    while end > 0 and steps[end - 1]["op"] in DELETES:
        end -= 1
    return steps[:end], steps[end:]


def order(engine, plan):
    """Says how the order of the same steps differs. The engine takes the deletes that come last in
    any order in which nothing is deleted before what needs it."""
    first, deletes = last_deletes(engine)
    found, found_deletes = last_deletes(plan)
    one, other = ([(step["op"], step["urn"]) for step in steps] for steps in (first, found))
    if one != other:
        place = next(
            (n for n, pair in enumerate(zip(one, other)) if pair[0] != pair[1]),
            min(len(one), len(other)),
        )
        rest = [[f"{op} {urn}" for op, urn in steps[place : place + 2]] for steps in (one, other)]
        return f"order: after {place} steps: engine: {rest[0]}; plan: {rest[1]}"
    places = {step["urn"]: number for number, step in enumerate(found_deletes)}
    for step in deletes:
        for other in needs(step):
            if other in places and places[other] < places.get(step["urn"], 0):
                return f"order: {other} is deleted before {step['urn']}, which needs it"
    return ""


def errors(answer):
    found = [
        one["message"] for one in answer.get("diagnostics") or [] if one.get("severity") == "error"
    ]
    return found or [answer.get("errors", "")]


def mistakes(answer):
    """The mistakes of a program that should have none."""
    return [f"the program is wrong: {text}" for text in errors(answer) if "PCL" in text]


def compare(answer, plan):
    """Compares the engine's answer with a plan: a dictionary, or the text of why there is none."""
    result = Result()
    if not isinstance(plan, dict):
        result.complaints.append(f"there is no plan: {plan}")
        return result
    if answer["status"] != 0:
        result.complaints += mistakes(answer)
        if plan.get("status") == 0:
            result.complaints.append(f"the engine fails, and the plan does not: {errors(answer)}")
        return result
    if plan.get("status") != 0:
        result.complaints.append(
            f"the plan fails, and the engine does not: {plan.get('diagnostics')}"
        )
        return result
    engine, planned = shown(answer.get("steps")), shown(plan.get("steps"))
    one, other = by_urn(engine), by_urn(planned)
    for urn in dict.fromkeys([*one, *other]):
        result.resources.append(Resource(urn, one.get(urn, []), other.get(urn, [])))
        judge(result.resources[-1])
    follow(result.resources, engine, plan.get("steps") or [])
    if all(ops(one.engine) == ops(one.plan) for one in result.resources):
        if complaint := order(engine, planned):
            result.complaints.append(complaint)
    return result
