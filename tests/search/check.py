#!/usr/bin/env python3
"""Compares what `pcl schema search` finds first with what people want.

    python3 tests/search/check.py PCL SHARED [--count N] [--queries FILE]

Each line of queries.tsv has a query and the token, or tokens, that have to come first, over the schemas of providers in the
shared directory. At least 95 % have to be the first, and 99 % among the first five. `--count` takes only so many queries, evenly.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

FIRST, AMONG_FIVE = 95, 99


def search(pcl, schemas, query):
    """The tokens that are found, the best first."""
    words = [pcl, "schema", "search", "--isolated", "--schema-dir", schemas, "--limit", "5"]
    done = subprocess.run([*words, "--output-format", "json", "--", *query.split()], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{query}: {done.stderr}")
    return [member["token"] for member in json.loads(done.stdout)["members"]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pcl", type=pathlib.Path)
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--queries", type=pathlib.Path, default=pathlib.Path(__file__).with_name("queries.tsv"))
    options = parser.parse_args()
    schemas = options.shared / "corpus/schemas/providers"
    lines = [line.split("\t") for line in options.queries.read_text().splitlines()]
    count = min(options.count or len(lines), len(lines))
    lines = [lines[at * len(lines) // count] for at in range(count)]
    first = among_five = 0
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        found = threads.map(lambda line: search(options.pcl, schemas, line[0]), lines)
        for (query, wanted), tokens in zip(lines, found):
            places = [at for at, token in enumerate(tokens) if token in wanted.split("|")]
            first += places[:1] == [0]
            among_five += bool(places)
            if places[:1] != [0]:
                place = f"at {places[0] + 1}" if places else "not among five"
                print(f"{query}: {wanted} is {place}, {tokens[0] if tokens else 'nothing'} is first")
    print(f"{count} queries: {first} first, {among_five} among five")
    if first * 100 < FIRST * count or among_five * 100 < AMONG_FIVE * count:
        sys.exit(f"at least {FIRST} % have to be first, and {AMONG_FIVE} % among five")


if __name__ == "__main__":
    main()
