#!/usr/bin/env python3
"""Compares `pcl plan` with the previews of Pulumi's engine, over pairs of programs: one that was
deployed, and a changed one.

    PCL_ENGINE_DIR=... PCL_HOST_BINARY=... PCL_BINARY=... python3 tests/plan/judge.py
        --cache DIRECTORY [--count N | --each N] [--show] [NAME]...

Names select pairs, and may have wildcards: `rename-0`, `rename-*`, `conformance-*`. The engine's
answers are kept in the cache; see answers.py. Of each kind, one line says how many steps are equal,
on how many the provider decides, how many follow such a decision, and how many differ. The exit
status is 1 if a secret is shown, if fewer steps than 98 % of those that need no provider are equal,
or if the provider decides on more than 10 % of all. Pairs that differ for a reason are listed in
known.json.
"""

import argparse
import collections
import fnmatch
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys

import answers
import compare
import conformance_runs
import pairs
from answers import Answers, Trouble
from programs import SECRETS, STACK

KNOWN = pathlib.Path(__file__).resolve().parent / "known.json"
EQUAL_AT_LEAST = 0.98
PROVIDER_AT_MOST = 0.10
# What the providers answer; see depot.go.
MOCK = {"invokes": {"depot:index:find": {"result": {"text": "found it"}}}}


def command(options, cache, state, place, flags):
    """The command that plans what the engine previewed."""
    return [
        os.fspath(pathlib.Path(options.pcl).resolve()),
        "plan",
        os.fspath(place),
        "--state",
        os.fspath(state),
        "--stack",
        STACK,
        "--schema-dir",
        os.fspath(cache.place / "schemas"),
        "--mock",
        os.fspath(cache.place / "mock.json"),
        "--isolated",
        "--output-format",
        "json",
        *flags,
    ]


def plan(words, place):
    """The plan of a command as a dictionary with its status, or the text of why there is none."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PULUMI_")
    }
    environment |= {
        "PULUMI_CONFIG_PASSPHRASE": answers.PASSPHRASE,
        "PULUMI_HOME": os.fspath(place / "no-plugins"),
    }
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "not done after 60 s"
    for secret in SECRETS:
        if secret in done.stdout + done.stderr:
            return "it shows a secret"
    try:
        return json.loads(done.stdout) | {"status": done.returncode}
    except json.JSONDecodeError:
        return f"status {done.returncode}: {done.stdout[:300]}{done.stderr[:1000]}"


def judge(options, cache, stack, pair):
    """Compares one pair. Returns its name, its kind and the result."""
    try:
        state, place = cache.answer(stack, pair)
    except Trouble as trouble:
        return pair, compare.Result(complaints=[f"the engine: {trouble}"])
    answer = json.loads((place / "answer.json").read_text())
    if options.record:
        return pair, compare.Result(complaints=compare.mistakes(answer))
    words = command(options, cache, state, place, pair.flags)
    planned = plan(words, place)
    result = compare.compare(answer, planned)
    if options.show:
        show(pair, answer, planned, result, words)
    return pair, result


def show(pair, answer, planned, result, words):
    """Prints all that there is about a pair, in one piece."""
    lines = [f"== {pair.name}", "-- deployed", pair.before.text(), "-- changed", pair.after.text()]
    lines += ["-- engine", *step_lines(answer), *compare.errors(answer)] if answer["status"] else []
    lines += [] if answer["status"] else ["-- engine", *step_lines(answer)]
    lines += ["-- plan", *(step_lines(planned) if isinstance(planned, dict) else [planned])]
    lines += ["-- differences", *result.lines(), "-- command", " ".join(words), ""]
    print("\n".join(lines) + "\n", end="", flush=True)


def step_lines(document):
    for step in compare.shown(document.get("steps")):
        changed = step.get("diffReasons") or step.get("changed") or []
        replaces = step.get("replaceReasons") or step.get("replace") or []
        decided = step.get("decided_by", "")
        yield f"{step['op']:20} {step['urn'].split('::', 2)[2]} {changed} {replaces} {decided}"


def worker(work):
    """Judges a part of the pairs in a process of its own."""
    options, names = work
    cache = Answers(options.cache, options.engine, options.host)
    chosen = select(options)
    with cache.stack() as stack:
        return [judge(options, cache, stack, chosen[name]) for name in names]


def select(options):
    """The pairs that the options choose, by name."""
    if options.count:
        chosen = pairs.some_pairs(options.count)
    else:
        chosen = pairs.all_pairs(options.each) + conformance_runs.pairs()
    if options.names:
        chosen = [
            pair
            for pair in chosen
            if any(fnmatch.fnmatch(pair.name, name) for name in options.names)
        ]
    return {pair.name: pair for pair in chosen}


def run(options):
    """The results of all chosen pairs, in order."""
    names = list(select(options))
    if not names:
        raise Trouble("there is no such pair")
    cache = Answers(options.cache, options.engine, options.host)
    (cache.place / "mock.json").write_text(json.dumps(MOCK))
    work = [(options, names[number :: options.jobs]) for number in range(options.jobs)]
    with multiprocessing.Pool(options.jobs) as pool:
        found = {
            pair.name: (pair, result) for part in pool.map(worker, work) for pair, result in part
        }
    return [found[name] for name in names]


def table(results):
    """A line of counts for each kind."""
    kinds = collections.defaultdict(collections.Counter)
    for pair, result in results:
        kinds[pair.kind].update(result.count())
        kinds[pair.kind]["pairs"] += 1
        kinds[pair.kind]["wrong"] += not result.is_equal
    verdicts = [compare.EQUAL, compare.PROVIDER, compare.FOLLOWS, compare.DIFFERENT]
    yield f"{'kind':42} {'pairs':>6} {'differ':>6} " + " ".join(f"{name:>20}" for name in verdicts)
    for kind, counts in sorted(kinds.items(), key=lambda item: (-item[1]["wrong"], item[0])):
        cells = " ".join(f"{counts[name]:20}" for name in verdicts)
        yield f"{kind:42} {counts['pairs']:6} {counts['wrong']:6} {cells}"


def conclude(results, known):
    """The summary, and the complaints about the whole."""
    counts = collections.Counter()
    for _, result in results:
        counts.update(result.count())
    total = sum(counts.values()) or 1
    compared = counts[compare.EQUAL] + counts[compare.DIFFERENT] or 1
    equal, decides = counts[compare.EQUAL] / compared, counts[compare.PROVIDER] / total
    wrong = {pair.name for pair, result in results if not result.is_equal}
    names = {pair.name for pair, _ in results}
    summary = (
        f"{len(results)} pairs, {len(wrong)} of which differ; {total} steps: {equal:.2%} of"
        f" {compared} that need no provider are equal; the provider decides on {decides:.2%}, and"
        f" {counts[compare.FOLLOWS]} follow such a decision"
    )
    complaints = [
        f"{name} differs, and is not in known.json" for name in sorted(wrong - known.keys())
    ]
    complaints += [
        f"{name} does not differ any more" for name in sorted(known.keys() & names - wrong)
    ]
    if equal < EQUAL_AT_LEAST:
        complaints.append(f"fewer than {EQUAL_AT_LEAST:.0%} of the steps are equal")
    if decides > PROVIDER_AT_MOST:
        complaints.append(f"the provider decides on more than {PROVIDER_AT_MOST:.0%} of the steps")
    return summary, complaints


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    environment = os.environ.get
    parser.add_argument("names", nargs="*", help="the pairs; all without one")
    parser.add_argument(
        "--cache", type=pathlib.Path, required=True, help="keeps what the engine says"
    )
    parser.add_argument("--engine", default=environment("PCL_ENGINE_DIR"), help="its directory")
    parser.add_argument("--host", default=environment("PCL_HOST_BINARY"), help="the language host")
    parser.add_argument("--pcl", default=environment("PCL_BINARY"), help="the command")
    parser.add_argument("--count", type=int, help="one pair of so many kinds")
    parser.add_argument("--each", type=int, default=pairs.EACH, help="so many pairs of each kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--record", action="store_true", help="only ask the engine")
    parser.add_argument("--show", action="store_true", help="programs, steps and commands")
    parser.add_argument("--list", action="store_true", help="print the names, and run nothing")
    return parser.parse_args()


def main():
    options = arguments()
    if options.list:
        print("\n".join(select(options)))
        return 0
    results = run(options)
    for pair, result in results:
        for line in result.lines():
            print(f"{pair.name}: {line}")
    if options.record:
        return 0
    print("\n".join(table(results)))
    summary, complaints = conclude(results, json.loads(KNOWN.read_text()))
    print(summary)
    if complaints:
        print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        sys.exit(f"judge: {trouble}")
