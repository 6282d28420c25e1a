#!/usr/bin/env python3
"""Measures the server in one program of 10,000 lines: from a keystroke to diagnostics and to
completion, from opening to the first diagnostics, and its memory.

    python3 tests/editor/latency.py PCL [SCHEMA]

SCHEMA is a large schema, `azure-native-*.json.gz`; without it the program uses the small one of
`tests/performance`. Times are the 99th percentile of 300 keystrokes. Run it on a quiet machine: the
figures that CI holds are instructions (`tests/performance/figures.py`).
"""

import gzip
import json
import pathlib
import statistics
import sys
import tempfile
import time

from client import Client

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "performance"))
import programs  # noqa: E402
from soak import lines  # noqa: E402

KEYSTROKES = 300
TYPED = "  typed = pet0.i"


def percentile(times, part):
    return statistics.quantiles(times, n=100)[part - 1] * 1e3


def open_once(pcl, folder, path, text, environment):
    """The seconds from opening to the first diagnostics, and the client."""
    client = Client([pcl, "server", "--schema-dir", str(folder / "schemas")], folder, environment=environment)
    start = time.perf_counter()
    client.open(path, text)
    items = client.diagnostics(path)
    return client.answered - start, client, items


def main():
    pcl = str(pathlib.Path(sys.argv[1]).resolve())
    schema = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "schemas").mkdir()
        (folder / "program").mkdir()
        path = folder / "program" / "main.pp"
        text = lines(10_000)
        small = programs.SCHEMA
        (folder / "schemas" / small.name).write_bytes(small.read_bytes())
        if schema:
            unpacked = gzip.decompress(schema.read_bytes())
            (folder / "schemas" / schema.name.removesuffix(".gz")).write_bytes(unpacked)
            token = next(iter(json.loads(unpacked)["resources"]))
            text += f'resource large "{token}" {{\n}}\n'
        text += "last = {\n\n}\n"
        path.write_text(text)
        environment = {"PCL_CACHE_DIR": str(folder / "cache")}
        _, client, _ = open_once(pcl, folder, path, text, environment)
        client.exit()
        opened = []
        for _ in range(5):
            seconds, client, _ = open_once(pcl, folder, path, text, environment)
            opened.append(seconds)
            if len(opened) < 5:
                client.exit()
        line = text.count("\n") - 2
        version, column = 1, 0
        diagnosed, completed = [], []
        for number in range(KEYSTROKES):
            if column == len(TYPED):
                version += 1
                end = {"line": line, "character": column}
                whole = {"start": {"line": line, "character": 0}, "end": end}
                client.change(path, version, [{"range": whole, "text": ""}])
                client.diagnostics(path)
                column = 0
            place = {"line": line, "character": column}
            version += 1
            start = time.perf_counter()
            change = {"range": {"start": place, "end": place}, "text": TYPED[column]}
            client.change(path, version, [change])
            column += 1
            document = {"uri": f"file://{path}"}
            if number % 2:
                client.diagnostics(path)
                diagnosed.append(client.answered - start)
            else:
                place = {"line": line, "character": column}
                client.request("textDocument/completion", {"textDocument": document, "position": place})
                completed.append(client.answered - start)
        memory = client.memory()
        client.exit()
    print(f"open to diagnostics (best of 5)      {min(opened) * 1e3:7.1f} ms")
    print(f"keystroke to diagnostics, 99th, 50th {percentile(diagnosed, 99):7.1f} {percentile(diagnosed, 50):6.1f} ms")
    print(f"keystroke to completion, 99th, 50th  {percentile(completed, 99):7.1f} {percentile(completed, 50):6.1f} ms")
    print(f"memory                               {memory / 1024:7.1f} MiB")


if __name__ == "__main__":
    main()
