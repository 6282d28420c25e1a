#!/usr/bin/env python3
"""Edits a program of 10,000 lines 20,000 times and compares the server with a fresh check.

    python3 tests/editor/soak.py PCL [EDITS] [SEED]

After each hundredth edit the text of the server, its symbols where it has them, and its diagnostics
have to be those of `pcl check` of the same text, and at the end the server may not use more memory
than after the first thousand edits, with a tenth and 4 MiB of tolerance.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from client import Client, Failed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "performance"))
import programs  # noqa: E402

# What a random edit inserts: much of it breaks the program.
PIECES = [
    "x", "1", "\n", "  ", '"', "${", "}", "{", "[", "]", "(", ")", "=", ".", ",", "é", "𐍈", "a = 1\n",
    "# comment\n", "/*", "*/", "<<END\n", "END\n", "for v in ", "%{ if true }", "resource ", "null",
    'resource pet "random:index/randomPet:RandomPet" {\n  length = 2\n}\n', "options {\n  range = 2\n}\n",
]


def lines(count):
    """A program of about so many lines."""
    text, nodes = "", count // 9
    text = programs.nodes(nodes)
    while text.count("\n") < count:
        nodes += max(1, nodes // 10)
        text = programs.nodes(nodes)
    return text


class Document:
    """The text as the editor has it, in lines, so that an edit costs little."""

    def __init__(self, text):
        self.lines = text.split("\n")

    def text(self):
        return "\n".join(self.lines)

    def edit(self, start, end, new):
        (first, column), (last, end_column) = start, end
        text = self.lines[first][:column] + new + self.lines[last][end_column:]
        self.lines[first : last + 1] = text.split("\n")


def units(text):
    return len(text.encode("utf-16-le")) // 2


def position(document, line, column):
    return {"line": line, "character": units(document.lines[line][:column])}


def random_edit(document, chance):
    """An edit near a random place: the range as lines and columns, and the new text."""
    first = chance.randrange(len(document.lines))
    column = chance.randint(0, len(document.lines[first]))
    last, end = first, column
    kind = chance.random()
    if kind < 0.45:
        end = min(len(document.lines[first]), column + chance.randint(1, 12))
    elif kind < 0.55:
        last = min(len(document.lines) - 1, first + chance.randint(1, 3))
        end = chance.randint(0, len(document.lines[last]))
    new = "" if kind > 0.4 and chance.random() < 0.5 else chance.choice(PIECES)
    return (first, column), (last, end), new


def fresh(pcl, path, text):
    """The codes and places of the diagnostics of a fresh check."""
    path.write_text(text, newline="")
    command = [pcl, "check", "--output-format", "json", "--max-diagnostics", "0", str(path.parent)]
    run = subprocess.run(command, capture_output=True, check=False)
    document = json.loads(run.stdout)
    found = []
    for program in document["programs"]:
        for item in program["diagnostics"]:
            found.append((item["code"], item["range"]["start"]["line"] - 1))
    return sorted(found)


def main():
    pcl = sys.argv[1]
    edits = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        path = folder / "program" / "main.pp"
        path.parent.mkdir()
        original = lines(10_000)
        path.write_text(original)
        document = Document(original)
        client = Client([pcl, "server"], folder)
        client.open(path, original)
        client.diagnostics(path)
        baseline = None
        undo = []
        for number in range(1, edits + 1):
            # Most edits are taken back, so that the program stays a program.
            if undo and (len(undo) > 20 or chance.random() < 0.5):
                start, end, new = undo.pop()
            else:
                start, end, new = random_edit(document, chance)
                removed = between(document, start, end)
                added = new.split("\n")
                after = (
                    start[0] + len(added) - 1,
                    len(added[-1]) + (start[1] if len(added) == 1 else 0),
                )
                undo.append((start, after, removed))
            change = {
                "range": {"start": position(document, *start), "end": position(document, *end)},
                "text": new,
            }
            document.edit(start, end, new)
            client.change(path, number + 1, [change])
            if number % 100 == 0:
                compare(client, pcl, path, document.text(), number, seed)
            if number == 1_000:
                baseline = client.memory()
        memory = client.memory()
        status = client.exit()
    if status != 0:
        sys.exit(f"the server ended with status {status}")
    if baseline and memory > baseline * 1.1 + 4096:
        sys.exit(f"memory grew from {baseline} to {memory} KiB")
    print(f"{edits} edits: equal to fresh checks; {baseline} KiB after 1,000 edits, {memory} at the end")


def between(document, start, end):
    """The text of a range."""
    (first, column), (last, end_column) = start, end
    if first == last:
        return document.lines[first][column:end_column]
    middle = document.lines[first + 1 : last]
    return "\n".join([document.lines[first][column:], *middle, document.lines[last][:end_column]])


def compare(client, pcl, path, text, number, seed):
    items = client.diagnostics(path)
    served = sorted((item["code"], item["range"]["start"]["line"]) for item in items)
    checked = fresh(pcl, path, text)
    if served != checked:
        failure = path.parent.parent / "failure.pp"
        failure.write_text(text)
        only = [entry for entry in served if entry not in checked][:5]
        missing = [entry for entry in checked if entry not in served][:5]
        sys.exit(f"edit {number} of seed {seed}: only the server has {only}, only the check {missing}")


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(f"a request failed: {failure}")
