#!/usr/bin/env python3
"""Draws the picture of the README: what `pcl check` prints about a program with mistakes.

    python3 docs/pictures/check.py PCL [--check]

Writes `check.svg` beside this file; with `--check`, fails if it would change. `cargo xtask generate`
runs it.
"""

import html
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMMAND = ["check", "--schema-dir", "corpus/schemas", "corpus/broken/webserver"]
# The diagnostics that are shown; the rest would make the picture too tall.
SHOWN = {"PCL0601", "PCL0302"}
CELL, LINE, MARGIN = 8.4, 19, 14
BACKGROUND, FOREGROUND, FAINT = "#1b1e28", "#d8dee9", "#7b8394"
# The colours that `pcl` uses, by their codes.
COLOURS = {"31": "#ff6b6b", "32": "#98c379", "33": "#e5c07b", "36": "#56b6c2", "38;5;9": "#ff6b6b"}


def runs(line):
    """The parts of a line: text, colour and weight."""
    colour, bold, found = FOREGROUND, False, []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b"):
            if part:
                found.append((part, colour, bold))
            continue
        code = part[2:-1]
        if code in ("", "0"):
            colour, bold = FOREGROUND, False
        elif code == "1":
            bold = True
        elif code in COLOURS:
            colour = COLOURS[code]
        else:
            sys.exit(f"the colour {code} is unknown: add it to COLOURS")
    return found


def lines(pcl):
    """The command, the diagnostics that are shown, and the summary."""
    run = subprocess.run([pcl, *COMMAND, "--color", "always"], cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 1:
        sys.exit(run.stderr or "the program has no errors")
    text = run.stdout + run.stderr
    plain = re.compile(r"\x1b\[[0-9;]*m")
    blocks = text.strip("\n").split("\n\n")
    found = [[("$ ", FAINT, False), (" ".join(["pcl", *COMMAND]), FOREGROUND, True)], []]
    for block in blocks[:-1]:
        if any(f"[{code}]" in plain.sub("", block).split("\n")[0] for code in SHOWN):
            found += [runs(line) for line in block.split("\n")] + [[]]
    return found + [runs(line) for line in blocks[-1].split("\n")]


def svg(found):
    columns = max(sum(len(text) for text, *_ in line) for line in found)
    width, height = columns * CELL + 2 * MARGIN, len(found) * LINE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img"'
        ' aria-label="pcl check shows two mistakes of a program, and how to fix them"'
        ' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row, line in enumerate(found):
        at = 0
        for text, colour, bold in line:
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                parts.append(
                    f'<text x="{MARGIN + at * CELL:g}" y="{MARGIN + row * LINE + 14}" fill="{colour}"{weight}'
                    f' textLength="{len(text) * CELL:g}" xml:space="preserve">{html.escape(text)}</text>'
                )
            at += len(text)
    return "\n".join([*parts, "</svg>", ""])


def main():
    pcl, *flags = sys.argv[1:]
    drawn = svg(lines(pathlib.Path(pcl).resolve()))
    place = HERE / "check.svg"
    if "--check" in flags:
        if place.read_text() != drawn:
            sys.exit("docs/pictures/check.svg is not what pcl prints: run `cargo xtask generate`, and look at it")
    else:
        place.write_text(drawn)


main()
