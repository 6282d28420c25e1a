#!/usr/bin/env python3
"""Makes a release of the command, without publishing anything.

    python3 packaging/release.py archive OUT [--target TARGET] [--binary BINARY]
    python3 packaging/release.py finish OUT [--key KEY]
    python3 packaging/release.py changelog

`archive` builds the command for a target (by default that of this machine), strips it, and writes
`pcl-VERSION-TARGET.tar.gz` with manual pages and licences; `--binary` takes a command that is built
already, or a wheel with it. Run it on each machine, and collect the archives in one directory OUT.
`finish` writes `SHA256SUMS`, the formula for Homebrew and the notes of the release, and with a key
of Ed25519 in PEM the signature `SHA256SUMS.sig`. `changelog` gives the section "Unreleased" of
CHANGELOG.md the version and the date of today.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
DOWNLOADS = "https://github.com/pcl-lang/pcl/releases/download"


def version():
    manifest = (ROOT / "Cargo.toml").read_text()
    return re.search(r'\[workspace\.package\]\s+version = "([^"]+)"', manifest)[1]


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def host():
    return re.search(r"^host: (.+)$", run("rustc", "-vV"), re.MULTILINE)[1]


def build(target):
    """Builds the command for a target, and returns its path."""
    own = ["--target", target] if target != host() else []
    subprocess.run(["cargo", "build", "--profile", "dist", "--locked", "--bin", "pcl", *own], cwd=ROOT, check=True)
    folder = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    suffix = ".exe" if "windows" in target else ""
    return folder.joinpath(*own[1:], "dist", f"pcl{suffix}")


def copy(binary, command):
    """Copies a built command, which may be in a wheel."""
    if binary.suffix != ".whl":
        shutil.copy(binary, command)
        return
    with zipfile.ZipFile(binary) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(f".data/scripts/{command.name}")]
        command.write_bytes(wheel.read(name))
    command.chmod(0o755)


def strip(binary, target):
    tool = "x86_64-w64-mingw32-strip" if target.endswith("windows-gnu") else "strip"
    if shutil.which(tool):
        # What debuggers need goes, the table of symbols of macOS stays valid.
        flags = ["-x"] if "apple" in target else []
        subprocess.run([tool, *flags, binary], check=True)


def archive(out, target, binary):
    """Writes the archive of one target. The same files give the same bytes."""
    out.mkdir(parents=True, exist_ok=True)
    target = target or host()
    built = binary or build(target)
    name = f"pcl-{version()}-{target}"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = folder / ("pcl.exe" if "windows" in target else "pcl")
        copy(built, command)
        if target == host():
            # A command of this machine can say what it is and write its manual.
            (folder / "man").mkdir()
            said = run(command, "version").strip()
            if said != f"pcl {version()}":
                sys.exit(f"{built} says that it is {said}")
            run(command, "man", folder / "man")
        strip(command, target)
        for source in ["README.md", "CHANGELOG.md", "SECURITY.md"]:
            shutil.copy(ROOT / source, folder / source)
        for source in (ROOT / "LICENSES").iterdir():
            shutil.copy(source, folder / f"LICENSE-{source.name}")
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for file in sorted(it for it in folder.rglob("*") if it.is_file()):
                entry = tar.gettarinfo(file, f"{name}/{file.relative_to(folder)}")
                entry.uid = entry.gid = entry.mtime = 0
                entry.uname = entry.gname = ""
                entry.mode = 0o755 if file == command else 0o644
                with file.open("rb") as content:
                    tar.addfile(entry, content)
        place = out / f"{name}.tar.gz"
        place.write_bytes(gzip.compress(data.getvalue(), 9, mtime=0))
        print(f"{place}: {command.stat().st_size} bytes stripped, {place.stat().st_size} bytes packed")


def sections(text):
    """The sections of a changelog by their titles."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() + "\n" for part in parts[2::2])))


def notes():
    """The section of this version, or of what is not released yet."""
    found = {title.split(" ")[0]: text for title, text in sections(CHANGELOG.read_text()).items()}
    return found.get(version()) or found.get("Unreleased", "")


def finish(out, key):
    archives = sorted(out.glob(f"pcl-{version()}-*.tar.gz"))
    if not archives:
        sys.exit(f"{out} has no archive of version {version()}")
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in archives}
    listed = out / "SHA256SUMS"
    listed.write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    if key:
        signature = out / "SHA256SUMS.sig"
        run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", listed, "-out", signature)
    (out / "NOTES.md").write_text(notes())
    formula = (ROOT / "packaging/homebrew/pcl.rb").read_text().split("\n", 1)[1]
    formula = formula.replace("@VERSION@", version())
    missing = set()

    def fill(match):
        name = f"pcl-{version()}-{match[2]}.tar.gz"
        if name not in sums:
            missing.add(match[2])
        address = f"{DOWNLOADS}/v{version()}/{name}"
        return address if match[1] == "URL" else sums.get(name, "")

    formula = re.sub(r"@(URL|SHA256) ([^@]+)@", fill, formula)
    if missing:
        print(f"no formula for Homebrew, because there is no archive for {', '.join(sorted(missing))}")
    else:
        (out / "pcl.rb").write_text(formula)


def changelog():
    text = CHANGELOG.read_text()
    if not sections(text).get("Unreleased", "").strip():
        sys.exit("CHANGELOG.md has nothing under Unreleased")
    today = datetime.date.today().isoformat()
    CHANGELOG.write_text(text.replace("## Unreleased\n", f"## Unreleased\n\n## {version()} ({today})\n", 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("archive")
    command.add_argument("out", type=pathlib.Path)
    command.add_argument("--target")
    command.add_argument("--binary", type=pathlib.Path)
    command = commands.add_parser("finish")
    command.add_argument("out", type=pathlib.Path)
    command.add_argument("--key", type=pathlib.Path)
    commands.add_parser("changelog")
    arguments = parser.parse_args()
    if arguments.command == "archive":
        archive(arguments.out.resolve(), arguments.target, arguments.binary)
    elif arguments.command == "finish":
        finish(arguments.out.resolve(), arguments.key and arguments.key.resolve())
    else:
        changelog()


if __name__ == "__main__":
    main()
