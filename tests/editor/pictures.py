#!/usr/bin/env python3
"""Draws the pictures of `docs/editors.md`: Neovim in a terminal, with the real server.

    python3 tests/editor/pictures.py NVIM PCL [OUT]

Needs tmux. Writes `hover.svg`, `completion.svg` and `hints.svg`.
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS, ROWS = 84, 18
CELL, LINE, MARGIN = 8.4, 19, 14
SESSION = "pcl-pictures"
BACKGROUND, FOREGROUND = "#1b1e28", "#d8dee9"

TEXT = """\
config petCount "int" {
  default = 2
}

resource pet "random:index/randomPet:RandomPet" {
  length = petCount
}

names = [for number in [1, 2, 3] : "pet-${number}"]
longest = max(length(names), 3)

output name {
  value = pet.id
}
"""

INIT = """
vim.o.termguicolors = true
vim.o.background = "dark"
vim.o.laststatus = 0
vim.o.ruler = false
vim.o.showmode = false
vim.o.shortmess = "atTIcF"
vim.o.number = true
vim.o.signcolumn = "no"
vim.o.completeopt = "menu,menuone,popup,noinsert"
vim.filetype.add({ extension = { pp = "pcl" } })
vim.lsp.config("pcl", { cmd = { PCL, "server", "--schema-dir", "schemas" }, filetypes = { "pcl" }, root_dir = "." })
vim.lsp.enable("pcl")
vim.api.nvim_create_autocmd("LspAttach", {
  callback = function(args)
    if HINTS then vim.lsp.inlay_hint.enable(true, { bufnr = args.buf }) end
    vim.lsp.completion.enable(true, args.data.client_id, args.buf, { autotrigger = false })
  end,
})
"""

# Each picture: the keys to press, and whether inlay hints are shown.
SCENES = {
    "hover": (["/RandomPet", "Enter", ":noh", "Enter", "K"], False),
    "completion": (["/length = ", "Enter", ":noh", "Enter", "o", "C-x", "C-o"], False),
    "hints": ([], True),
}


def tmux(*arguments):
    run = subprocess.run(["tmux", "-L", SESSION, *arguments], capture_output=True, text=True, check=True)
    return run.stdout


def cells(line):
    """The characters of a captured line with their foreground, background and weight."""
    foreground, background, bold, found = None, None, False, []
    for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
        if not part.startswith("\x1b"):
            found += [(character, foreground, background, bold) for character in part]
            continue
        codes = [int(code or 0) for code in re.split("[;:]", part[2:-1])]
        while codes:
            code = codes.pop(0)
            if code == 0:
                foreground, background, bold = None, None, False
            elif code == 1:
                bold = True
            elif code == 22:
                bold = False
            elif code == 39:
                foreground = None
            elif code == 49:
                background = None
            elif code in (38, 48) and codes and codes.pop(0) == 2:
                red, green, blue = codes[:3]
                del codes[:3]
                color = f"#{red:02x}{green:02x}{blue:02x}"
                if code == 38:
                    foreground = color
                else:
                    background = color
    return found


def svg(screen):
    """A picture of a captured screen."""
    lines = [cells(line) for line in screen.split("\n")]
    while lines and not any(character.strip() for character, *_ in lines[-1]):
        lines.pop()
    width = COLUMNS * CELL + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row, line in enumerate(lines):
        at = 0
        while at < len(line):
            _, foreground, background, bold = line[at]
            end = at
            while end < len(line) and line[end][1:] == line[at][1:]:
                end += 1
            text = "".join(character for character, *_ in line[at:end]).rstrip()
            x, y = MARGIN + at * CELL, MARGIN + row * LINE
            if background and background != "#14161b":
                parts.append(f'<rect x="{x:g}" y="{y:g}" width="{(end - at) * CELL:g}" height="{LINE}" fill="{background}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                parts.append(
                    f'<text x="{x:g}" y="{y + 14:g}" fill="{foreground or FOREGROUND}"{weight}'
                    f' textLength="{len(text) * CELL:g}" xml:space="preserve">{html.escape(text)}</text>'
                )
            at = end
    return "\n".join([*parts, "</svg>", ""])


def shoot(nvim, pcl, keys, hints):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "schemas").mkdir()
        for schema in (ROOT / "tests" / "performance").glob("random-*.json"):
            (place / "schemas" / schema.name).write_bytes(schema.read_bytes())
        (place / "main.pp").write_text(TEXT)
        setup = f'PCL = "{pcl}"\nHINTS = {"true" if hints else "false"}\n{INIT}'
        (place / "init.lua").write_text(setup)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        start = ["tmux", "-L", SESSION, "-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS)]
        command = f"cd {place} && exec {nvim} --clean -u init.lua main.pp"
        subprocess.run([*start, command], env=environment, check=True)
        try:
            tmux("set-option", "-g", "status", "off")
            tmux("set-option", "-sa", "terminal-overrides", ",*:Tc")
            time.sleep(4)
            for key in keys:
                tmux("send-keys", key)
                time.sleep(0.6)
            time.sleep(2)
            return tmux("capture-pane", "-p", "-e", "-N")
        finally:
            tmux("kill-server")


def main():
    nvim, pcl = (os.path.abspath(name) for name in sys.argv[1:3])
    out = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "docs" / "pictures"
    out.mkdir(exist_ok=True)
    for name, (keys, hints) in SCENES.items():
        (out / f"{name}.svg").write_text(svg(shoot(nvim, pcl, keys, hints)))


if __name__ == "__main__":
    main()
