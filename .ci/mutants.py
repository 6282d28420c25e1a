#!/usr/bin/env python3
"""Measure how many small changes to the rules the tests notice; docs/quality.md has the last result.

    python3 .ci/mutants.py [--seed 13] [--count 300] [--jobs 2] [--minimum 90] [--work DIR] [--only NAME]

Needs `cargo install cargo-mutants` and `pip install tree-sitter tree-sitter-rust`. cargo-mutants lists the mutants of FOLDERS,
of which a sample is drawn with the seed. Building each of them alone takes longer than testing it. Therefore all of them are
compiled into one build of a copy of the checkout, each behind a switch: `a < b` becomes `if mutant(7) { a > b } else { a < b }`.
A mutant that does not compile is dropped. For each other one the tests of its crate and the tests of a user's view (TESTS) run
with its number in PCL_MUTANT, until one fails. Prints a table by folder and the survivors. Exits with 1 if fewer than the minimum
(in percent of those that compile) are killed. Fields deleted from a struct with `..` have no switch and are not in the sample.
"""
import argparse, collections, concurrent.futures, json, os, random, shutil, subprocess, sys, tempfile, time

import tree_sitter, tree_sitter_rust

FOLDERS = ["model/src/relations", "model/src/types", "syntax/src/grammar", "binder/src/block", "binder/src/resource",
           "binder/src/lint", "lower/src", "schema/src/decode"]
TESTS = ["spec", "corpus", "functions", "schemas", "document", "fixes"]
SWITCH = """
/// Returns true if the mutant with this number is on.
pub(crate) fn mutant(number: u32) -> bool {
    static ON: std::sync::LazyLock<Option<u32>> =
        std::sync::LazyLock::new(|| std::env::var("PCL_MUTANT").ok()?.parse().ok());
    *ON == Some(number)
}
"""
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


def population():
    command = ["cargo", "mutants", "--workspace", "--list", "--json"]
    for folder in FOLDERS:
        command += ["-f", folder + "/**"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return sorted((m for m in listed if m["genre"] != "StructField"), key=lambda m: m["name"])


def offset(lines, place):
    before = sum(len(line) for line in lines[:place["line"] - 1])
    return before + len(lines[place["line"] - 1].decode()[:place["column"] - 1].encode())


def edit(source, root, mutant, number):
    """The range that the switch replaces, with the text of the mutant; None where no switch is possible."""
    lines = source.splitlines(keepends=True)
    start, end = offset(lines, mutant["span"]["start"]), offset(lines, mutant["span"]["end"])
    new, on = mutant["replacement"].encode(), b"crate::mutant(%d)" % number
    node = root.descendant_for_byte_range(start, end)
    match mutant["genre"]:
        case "FnValue":
            return start, end, b"if " + on + b" { " + new + b" } else { ", b" }"
        case "BinaryOperator" | "UnaryOperator":
            whole = node.parent
            if whole.type not in ("binary_expression", "compound_assignment_expr", "unary_expression"):
                return None
            changed = source[whole.start_byte:start] + new + source[end:whole.end_byte]
            return whole.start_byte, whole.end_byte, b"(if " + on + b" { " + changed + b" } else { ", b" })"
        case "MatchArmGuard":
            if b"let " in source[start:end]:
                return None
            return start, end, b"(if " + on + b" { " + new + b" } else { ", b" })"
        case "MatchArm":
            while node.type != "match_arm":
                node = node.parent
            pattern = node.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition")
            if guard is None:
                return pattern.end_byte, pattern.end_byte, b" if !" + on, b""
            if b"let " in guard.text:
                return guard.start_byte, guard.start_byte, b"!" + on + b" && ", b""
            return guard.start_byte, guard.end_byte, b"!" + on + b" && (", b")"


def switched(source, edits):
    """The text with all switches; one inside another keeps its place in the branch of the original."""
    pieces = collections.defaultdict(list)
    for start, end, before, after in sorted(edits, key=lambda e: (e[0], -e[1])):
        pieces[start].append((0, before))
        pieces[end].insert(0, (1, after))
    text, last = b"", 0
    for place in sorted(pieces):
        text += source[last:place]
        text += b"".join(piece for _, piece in sorted(pieces[place], key=lambda p: -p[0]))
        last = place
    return text + source[last:]


class Build:
    def __init__(self, sample, work):
        self.sample, self.work, self.dropped = sample, work, set()
        self.target = os.path.join(work, "target")
        self.tree = os.path.join(work, "tree")
        shutil.rmtree(self.tree, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", ".", self.tree], check=True)
        self.files = collections.defaultdict(list)
        for number, mutant in enumerate(sample):
            self.files[mutant["file"]].append(number)
        self.sources = {file: open(os.path.join(self.tree, file), "rb").read() for file in self.files}
        for crate in sorted({m["file"].split("/")[0] for m in sample}):
            with open(os.path.join(self.tree, crate, "src/lib.rs"), "a") as f:
                f.write(SWITCH)

    def write(self):
        self.edits = {}
        for file, numbers in self.files.items():
            source = self.sources[file]
            root = PARSER.parse(source).root_node
            for number in numbers:
                if number not in self.dropped:
                    made = edit(source, root, self.sample[number], number)
                    if made is None:
                        self.dropped.add(number)
                    else:
                        self.edits[number] = made
            path = os.path.join(self.tree, file)
            with open(path, "wb") as f:
                f.write(switched(source, [self.edits[n] for n in numbers if n in self.edits]))

    def cargo(self, *arguments):
        environment = os.environ | {"CARGO_TARGET_DIR": self.target, "CARGO_PROFILE_DEV_OPT_LEVEL": "1",
                                    "CARGO_PROFILE_DEV_DEBUG": "0", "RUSTFLAGS": "--cap-lints allow"}
        run = subprocess.run(["cargo", *arguments, "--locked", "--message-format=json"], cwd=self.tree, env=environment,
                             capture_output=True, text=True)
        messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        return run, messages

    def check(self):
        """Drops the mutants that do not compile, until the rest does."""
        while True:
            self.write()
            run, messages = self.cargo("check", "--workspace")
            if run.returncode == 0:
                return
            guilty = set()
            for message in messages:
                inner = message.get("message") or {}
                if inner.get("level") == "error":
                    for span in inner["spans"]:
                        guilty |= self.at(span)
            if not guilty:
                sys.exit(run.stderr + "\n".join(m["message"]["rendered"] for m in messages if m.get("message"))[:4000])
            self.dropped |= guilty

    def at(self, span):
        """The mutants whose switches are in the lines of a compiler's error, the nearest ones."""
        if span["file_name"] not in self.files:
            return set()
        with open(os.path.join(self.tree, span["file_name"]), "rb") as f:
            text = f.read()
        near = {}
        for number in self.files[span["file_name"]]:
            if number in self.edits:
                place = text.find(b"crate::mutant(%d)" % number)
                line = text[:place].count(b"\n") + 1
                # From the switch to the end of the changed text.
                last = line + self.edits[number][2].count(b"\n")
                if line <= span["line_end"] and span["line_start"] <= last:
                    near[number] = 0
                elif span["is_primary"]:
                    near[number] = abs(line - span["line_start"])
        least = min(near.values(), default=0)
        return {number for number, distance in near.items() if distance == least and distance < 40}

    def tests(self):
        """The test programs: those of each crate and those of the user's view, with their directories."""
        crates = sorted({m["package"] for m in self.sample})
        found = collections.defaultdict(list)
        for arguments in (["--package", "pulumi-pcl", *(w for t in TESTS for w in ("--test", t))],
                          [w for c in crates for w in ("--package", c)]):
            run, messages = self.cargo("test", "--no-run", *arguments)
            if run.returncode != 0:
                sys.exit(run.stderr)
            for message in messages:
                if message.get("executable") and message["profile"]["test"] and message["target"]["kind"] != ["bin"]:
                    crate = os.path.basename(os.path.dirname(message["manifest_path"]))
                    crate = "pcl" if crate == os.path.basename(self.tree) else "pcl-" + crate
                    found[crate].append((message["executable"], os.path.dirname(message["manifest_path"])))
        order = {name: nth for nth, name in enumerate(TESTS)}
        found["pcl"].sort(key=lambda t: order.get(os.path.basename(t[0]).rsplit("-", 1)[0], 99))
        return {crate: found[crate] for crate in ["pcl", *crates]}


def passes(test, number, seconds):
    environment = os.environ | {"INSTA_UPDATE": "no", "CI": "1", "PROPTEST_RNG_SEED": "20261120"}
    if number is not None:
        environment["PCL_MUTANT"] = str(number)
    executable, directory = test
    try:
        run = subprocess.run([executable, "-q"], cwd=directory, env=environment, capture_output=True, timeout=seconds,
                             preexec_fn=lambda: __import__("resource").setrlimit(9, (6 << 30, 6 << 30)))
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minimum", type=float, default=90)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "pcl-mutants"))
    parser.add_argument("--only", default="", help="only the mutants of the sample whose names contain this")
    options = parser.parse_args()
    started = time.monotonic()
    os.makedirs(options.work, exist_ok=True)
    every = population()
    sample = random.Random(options.seed).sample(every, min(options.count, len(every)))
    sample = [m for m in sample if options.only in m["name"]]
    build = Build(sample, options.work)
    build.check()
    tests = build.tests()
    limits = {}
    for test in (t for group in tests.values() for t in group):
        begun = time.monotonic()
        if not passes(test, None, 600):
            sys.exit(f"{test[0]} fails without a mutant")
        limits[test[0]] = 30 + 5 * (time.monotonic() - begun)
    print(f"{len(sample) - len(build.dropped)} of {len(sample)} compile, after {time.monotonic() - started:.0f} s", flush=True)

    def killed(number):
        mutant = sample[number]
        own = sorted(tests[mutant["package"]], key=lambda t: limits[t[0]])
        quick, slow = [t for t in own if limits[t[0]] < 40], [t for t in own if limits[t[0]] >= 40]
        for test in quick + tests["pcl"] + slow:
            if not passes(test, number, limits[test[0]]):
                return os.path.basename(test[0]).rsplit("-", 1)[0]
        return None

    alive = [n for n in range(len(sample)) if n not in build.dropped]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcome = dict(zip(alive, pool.map(killed, alive)))

    table = collections.defaultdict(collections.Counter)
    for number, mutant in enumerate(sample):
        folder = next(f for f in FOLDERS if mutant["file"].startswith(f + "/"))
        result = "dropped" if number in build.dropped else "killed" if outcome[number] else "survived"
        table[folder][result] += 1
        table["all"][result] += 1
    print(f"{'folder':22} {'killed':>7} {'survived':>9} {'do not compile':>15} {'killed':>8}")
    for folder in [*FOLDERS, "all"]:
        counts = table[folder]
        share = 100 * counts["killed"] / max(counts["killed"] + counts["survived"], 1)
        print(f"{folder:22} {counts['killed']:7} {counts['survived']:9} {counts['dropped']:15} {share:6.1f} %")
    for number in alive:
        if outcome[number] is None:
            print(f"survives: {sample[number]['name']}")
    print(f"{len(every)} mutants in all, a sample of {len(sample)}, {time.monotonic() - started:.0f} s")
    with open(os.path.join(options.work, "outcome.json"), "w") as f:
        json.dump({sample[n]["name"]: outcome.get(n, "does not compile") for n in range(len(sample))}, f, indent=1)
    counts = table["all"]
    sys.exit(100 * counts["killed"] < options.minimum * (counts["killed"] + counts["survived"]))


main()
