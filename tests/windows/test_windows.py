"""The command for Windows, under Wine. The environment variable PCL_WINDOWS names `pcl.exe`, and
PCL_WINE the command `wine`, with WINEPREFIX as it takes it; without them the tests are skipped.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "editor"))

import client  # noqa: E402

COMMAND, WINE = os.environ.get("PCL_WINDOWS"), os.environ.get("PCL_WINE")
# Without it, Wine reads names of files as ASCII.
ENVIRONMENT = {**os.environ, "WINEDEBUG": "-all", "LC_ALL": "C.UTF-8"}

# Two mistakes in the first line, of which one can be fixed; the third line is not formatted.
PROGRAM = b'a = lenght(["\xc3\xa9"], )\r\n\r\nb   = a + 1 // a comment\r\n'
TEXT = "a = length([1])\r\nb   = a\r\n\r\nnote = <<EOT\r\none\r\ntwo\r\nEOT\r\n"


def setUpModule():
    if not COMMAND or not WINE:
        raise unittest.SkipTest("PCL_WINDOWS or PCL_WINE is not set")
    global DRIVE, PCL, HOLD, TOOLS
    TOOLS = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(TOOLS.cleanup)
    tools = pathlib.Path(TOOLS.name)
    PCL, HOLD = tools / "pcl.exe", tools / "hold.exe"
    # What debuggers need makes every start seconds longer.
    subprocess.run(["x86_64-w64-mingw32-strip", "-o", PCL, COMMAND], check=True)
    compiler = ["x86_64-w64-mingw32-gcc", "-municode", "-O1"]
    subprocess.run([*compiler, "-o", HOLD, HERE / "hold.c"], check=True)
    # The first process makes the drives if there are none yet. While one runs, others start at once.
    first = contextlib.ExitStack()
    first.enter_context(hold(f"Z:{HOLD}", "w"))
    unittest.addModuleCleanup(first.close)
    DRIVE = pathlib.Path(os.environ.get("WINEPREFIX", pathlib.Path.home() / ".wine")) / "drive_c"
    library = DRIVE / "windows/system32/bcryptprimitives.dll"
    if not library.exists():
        build = [compiler[0], "-shared", "-o", library, HERE / "bcryptprimitives.c", "-ladvapi32"]
        subprocess.run(build, check=True)


@contextlib.contextmanager
def hold(path, share):
    """Another process that has a file open."""
    command = [WINE, HOLD, path, share]
    with subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        said = process.stdout.readline().strip()
        try:
            assert said == b"held", f"{path} cannot be opened"
            yield
        finally:
            process.stdin.close()
            process.wait(timeout=60)


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pcl-", dir=DRIVE)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.windows = f"C:\\{self.folder.name}"
        self.slashes = f"C:/{self.folder.name}"

    def write(self, name, content=PROGRAM):
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    def pcl(self, *words, status=0, input=None, **environment):
        """Runs the command in the folder. Returns what it says, on standard output and on standard error."""
        done = subprocess.run(
            [WINE, PCL, *map(str, words)],
            cwd=self.folder,
            env={**ENVIRONMENT, **environment},
            input=input,
            capture_output=True,
        )
        said, complained = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, f"{words}:\n{said}{complained}")
        return said, complained

    def json(self, *words, status=1):
        return json.loads(self.pcl("check", "--output-format", "json", *words, status=status)[0])

    def held(self, name, share):
        return hold(f"{self.windows}\\{name}", share)


class LineEnds(Case):
    def test_positions(self):
        self.write("main.pp")
        found = self.json("main.pp")["programs"][0]["diagnostics"][0]
        self.assertEqual(found["code"], "PCL0601")
        self.assertEqual(found["range"]["start"], {"byte": 4, "line": 1, "column": 5})
        self.write("main.pp", b"a = 1\r\n\r\nb = lenght([])\r\n")
        found = self.json("main.pp")["programs"][0]["diagnostics"][0]
        self.assertEqual(found["range"]["start"], {"byte": 13, "line": 3, "column": 5})
        said, _ = self.pcl("check", "main.pp", status=1)
        self.assertNotIn("\r", said)
        self.assertIn("main.pp:3:5", said)

    def test_formatting_keeps_them(self):
        place = self.write("main.pp", TEXT)
        self.pcl("fmt", "main.pp")
        text = place.read_bytes()
        self.assertIn(b"\r\nb = a\r\n", text)
        self.assertNotIn(b"\n", text.replace(b"\r\n", b""))
        self.pcl("fmt", "--check", "main.pp")
        said, _ = self.pcl("fmt", "-", input=TEXT.encode())
        self.assertEqual(said.encode(), text, "standard output is that of the file")

    def test_fixes_keep_them(self):
        for broken, expected in [
            (b"a = lenght([])\r\nb = a\r\n", b"a = length([])\r\nb = a\r\n"),
            (b'output "a" = 1\r\n', b'output "a" {\r\n  value = 1\r\n}\r\n'),
            (b"a = [\r\n  1,\r\n", b"a = [\r\n  1,\r\n]\r\n"),
        ]:
            place = self.write("main.pp", broken)
            self.pcl("check", "--fix", "--unsafe-fixes", "main.pp")
            self.assertEqual(place.read_bytes(), expected)

    def test_terminals(self):
        """A pipe gets no escape sequences, unless they are asked for."""
        self.write("main.pp")
        self.assertNotIn("\x1b", "".join(self.pcl("check", "main.pp", status=1)))
        self.assertIn("\x1b[", self.pcl("check", "--color", "always", "main.pp", status=1)[0])


class Paths(Case):
    def setUp(self):
        super().setUp()
        self.write("infra/web/main.pp")
        self.write("infra/web/more.pp", "c = 1\r\n")

    def test_every_way_to_write_a_path(self):
        ways = [
            ("infra\\web", "infra/web/main.pp"),
            ("infra/web", "infra/web/main.pp"),
            ("infra\\web/", "infra/web/main.pp"),
            (".\\infra\\web", "./infra/web/main.pp"),
            ("infra\\web\\main.pp", "infra/web/main.pp"),
            (f"{self.windows}\\infra\\web", f"{self.slashes}/infra/web/main.pp"),
            (f"{self.slashes}/infra/web", f"{self.slashes}/infra/web/main.pp"),
            ("C:infra\\web", "C:infra/web/main.pp"),
            (f"\\{self.folder.name}\\infra\\web", f"/{self.folder.name}/infra/web/main.pp"),
            (f"\\\\?\\{self.windows}\\infra\\web", f"{self.slashes}/infra/web/main.pp"),
        ]
        for written, shown in ways:
            with self.subTest(written):
                said, _ = self.pcl("check", "--output-format", "concise", written, status=1)
                self.assertTrue(said.startswith(f"{shown}:1:5: error[PCL0601]"), said)

    def test_a_program_that_is_named_twice_is_checked_once(self):
        for other in ["infra/web", "INFRA\\Web", f"{self.windows}\\infra\\web", "infra\\web\\main.pp"]:
            with self.subTest(other):
                self.assertEqual(len(self.json("infra\\web", other)["programs"]), 1)

    def test_formats(self):
        (self.folder / ".git").mkdir()
        inside, outside = "infra\\web", f"{self.windows}\\infra\\web"
        for named, shown in [(inside, "infra/web"), (outside, f"{self.slashes}/infra/web")]:
            found = self.json(named)["programs"][0]
            self.assertEqual(found["path"], shown)
            self.assertEqual(found["diagnostics"][0]["file"], f"{shown}/main.pp")
        for named in [inside, outside]:
            check = ["check", named, "--output-format"]
            said, _ = self.pcl(*check, "github", status=1)
            self.assertIn(",file=infra/web/main.pp,", said)
            said, _ = self.pcl(*check, "gitlab", status=1)
            self.assertEqual(json.loads(said)[0]["location"]["path"], "infra/web/main.pp")
            said, _ = self.pcl(*check, "rdjson", status=1)
            self.assertEqual(json.loads(said)["diagnostics"][0]["location"]["path"], "infra/web/main.pp")
            said, _ = self.pcl(*check, "junit", status=1)
            self.assertIn('file="infra/web/main.pp"', said)
            run = json.loads(self.pcl(*check, "sarif", status=1)[0])["runs"][0]
            self.assertEqual(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], f"file:///{self.slashes}/")
            place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
            self.assertEqual(place, {"uri": "infra/web/main.pp", "uriBaseId": "%SRCROOT%"})

    def test_another_drive(self):
        """Wine has the root of the machine as drive Z."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "main.pp").write_bytes(PROGRAM)
            (self.folder / ".git").mkdir()
            named = f"Z:{folder}"
            check = ["check", "infra\\web", named.replace("/", "\\"), "--output-format"]
            results = json.loads(self.pcl(*check, "sarif", status=1)[0])["runs"][0]["results"]
            uris = [it["locations"][0]["physicalLocation"]["artifactLocation"] for it in results]
            self.assertIn({"uri": f"file:///{named}/main.pp"}, uris)
            said, _ = self.pcl(*check, "concise", status=1)
            self.assertIn(f"{named}/main.pp:1:5: error[PCL0601]", said)

    def test_fingerprints_are_those_of_other_platforms(self):
        linux = os.environ.get("PCL_BINARY")
        if not linux:
            self.skipTest("PCL_BINARY is not set")
        (self.folder / ".git").mkdir()
        check = ["check", "infra/web", "--output-format", "json"]
        done = subprocess.run([linux, *check], cwd=self.folder, capture_output=True)
        self.assertEqual(json.loads(done.stdout), self.json("infra\\web"))

    def test_schemas(self):
        shutil.copytree(ROOT / "corpus/schemas", self.folder / "schemas")
        shutil.copytree(ROOT / "corpus/valid/webserver", self.folder / "shop")
        check = ["check", "shop"]
        clean = "checked 1 program: no errors\n"
        for place in ["schemas", ".\\schemas", f"{self.windows}\\schemas", "C:schemas"]:
            self.assertEqual(self.pcl(*check, "--schema-dir", place)[1], clean, place)
        (self.folder / "schemas").rename(self.folder / "packages")
        self.pcl(*check, status=1)
        for place in ["..\\packages", "../packages", f"{self.windows}\\packages"]:
            self.write("shop/pcl.toml", f"schema-dirs = ['{place}']\r\n")
            self.assertEqual(self.pcl(*check)[1], clean, place)
            (self.folder / "shop/pcl.toml").unlink()
            self.assertEqual(self.pcl(*check, PCL_SCHEMA_DIRS=f"['{self.windows}\\packages']")[1], clean)
        for file in (self.folder / "packages").iterdir():
            if file.is_file():
                word = f"{file.name.split('-')[0].split('.')[0]}={self.windows}\\packages\\{file.name}"
                self.pcl("check", "infra\\web", "--schema", word, status=1)

    def test_a_cache(self):
        shutil.copytree(ROOT / "corpus/schemas", self.folder / "schemas")
        shutil.copytree(ROOT / "corpus/valid/webserver", self.folder / "shop")
        check = ["check", "shop", "--schema-dir", "schemas"]
        for _ in range(2):
            self.pcl(*check, PCL_CACHE_DIR=f"{self.windows}\\cache")

    def test_selection(self):
        self.write("infra/old/main.pp")
        self.write("infra/new/main.pp", "a = 1\r\n")
        programs = lambda *words: [it["path"] for it in self.json("-r", *words)["programs"]]
        self.assertEqual(programs("infra"), ["infra/new", "infra/old", "infra/web"])
        self.assertEqual(programs("infra", "--exclude", "infra/old"), ["infra/new", "infra/web"])
        self.assertEqual(programs("infra", "--exclude", "/infra/o*"), ["infra/new", "infra/web"])
        self.assertEqual(programs(f"{self.windows}\\infra", "--exclude", "infra/old")[1:], [f"{self.slashes}/infra/web"])
        ignore = self.write(".pclignore", "/infra/old/\r\n")
        self.assertEqual(programs("infra"), ["infra/new", "infra/web"])
        ignore.unlink()
        self.write("pcl.toml", "exclude = ['infra/old', '/infra/new']\r\n")
        self.assertEqual(programs("infra"), ["infra/web"])

    def test_components(self):
        self.write("shop/main.pp", 'component "a" "./parts/a" {\r\n}\r\ncomponent "b" "/parts/a" {\r\n}\r\n')
        self.write("shop/parts/a/main.pp", 'config "name" "string" {\r\n}\r\n')
        self.write("shop/Pulumi.yaml", "name: shop\r\nruntime: pcl\r\n")
        found = self.json("shop")["programs"][0]["diagnostics"]
        said = json.dumps(found)
        self.assertNotIn("\\\\", said)
        self.assertNotIn("outside", said)
        fix = next(fix for it in found if it["code"] == "PCL0511" for fix in it["fixes"])
        self.assertEqual(fix["edits"][0]["text"], '"./parts/a"')
        self.write("shop/main.pp", 'component "a" "./parts/aa" {\r\n}\r\n')
        said, _ = self.pcl("check", "shop", status=1)
        self.assertIn("./parts/a", said)
        self.assertNotIn("\\", said)

    def test_places(self):
        self.write("main.pp", "a = 1\r\nb = a\r\n")
        for place in ["main.pp:2:5", f"{self.windows}\\main.pp:2:5", ".\\main.pp:2:5"]:
            self.assertIn("main.pp:1:1", self.pcl("query", "def", place)[0], place)

    def test_names(self):
        """A program file ends in `.pp`, in lower case, on all platforms; names of any letters are read."""
        self.write("ünï/tést.pp")
        said, _ = self.pcl("check", "--output-format", "concise", "ünï", status=1)
        self.assertTrue(said.startswith("ünï/tést.pp:1:5: "), said)
        self.write("upper/main.PP")
        self.pcl("check", "upper", status=1)
        # Devices are no programs.
        for device in ["NUL", "CON", "infra\\nul"]:
            _, complained = self.pcl("fmt", device, status=2)
            self.assertIn("error[PCL0001]", complained)

    def test_reports(self):
        self.write("main.pp")
        report = f"{self.windows}\\report.json"
        self.pcl("check", "main.pp", "--output-format", f"json={report}", status=1)
        self.assertEqual(json.loads((self.folder / "report.json").read_bytes())["programs"][0]["errors"], 1)
        self.pcl("check", "main.pp", "--output-format", "json=NUL", status=1)


class Files(Case):
    def names(self):
        return sorted(file.name for file in self.folder.iterdir())

    def test_a_file_that_nobody_may_open(self):
        place = self.write("main.pp", TEXT)
        with self.held("main.pp", "n"):
            _, complained = self.pcl("fmt", "main.pp", status=2)
            self.assertIn("main.pp", complained)
            self.assertIn("(os error 32)", complained)
            said, complained = self.pcl("check", "main.pp", status=2)
            self.assertIn("(os error 32)", said + complained)
            self.pcl("check", "--fix", "main.pp", status=2)
        self.assertEqual(place.read_bytes(), TEXT.encode())
        self.assertEqual(self.names(), ["main.pp"])
        self.pcl("fmt", "main.pp")

    def test_a_file_that_nobody_may_write(self):
        place = self.write("main.pp", TEXT)
        with self.held("main.pp", "r"):
            self.pcl("check", "main.pp")
            self.pcl("fmt", "--check", "main.pp", status=1)
            _, complained = self.pcl("fmt", "main.pp", status=2)
            self.assertIn("error: cannot write `main.pp`:", complained)
            self.assertIn("(os error 32)", complained)
        self.assertEqual(place.read_bytes(), TEXT.encode())
        self.assertEqual(self.names(), ["main.pp"])

    def test_a_file_that_is_open(self):
        place = self.write("main.pp", TEXT)
        self.write("report.json", "old")
        with self.held("main.pp", "w"), self.held("report.json", "w"):
            self.pcl("fmt", "main.pp")
            self.pcl("check", "main.pp", "--output-format", "json=report.json")
        self.assertIn(b"\r\nb = a\r\n", place.read_bytes())
        self.assertTrue((self.folder / "report.json").read_bytes().startswith(b'{"format_version"'))
        self.assertEqual(self.names(), ["main.pp", "report.json"])

    def test_a_read_only_file(self):
        place = self.write("main.pp", TEXT)
        place.chmod(0o444)
        if os.access(place, os.W_OK):
            self.skipTest("the user may write all files, and Wine follows the system")
        _, complained = self.pcl("fmt", "main.pp", status=2)
        self.assertIn("error: cannot write `main.pp`:", complained)
        self.assertEqual(place.read_bytes(), TEXT.encode())
        self.assertEqual(self.names(), ["main.pp"])


class Server(Case):
    """The language server with the URIs of Visual Studio Code, whose drives are `c%3A`, and with those of Neovim."""

    def session(self, drive):
        root = f"file:///{drive}/{self.folder.name}"
        original, client.uri = client.uri, lambda path: f"{root}/{path}" if path else root
        self.addCleanup(setattr, client, "uri", original)
        return root, client.Client([WINE, str(PCL), "server"], "", environment=ENVIRONMENT)

    def test_programs(self):
        for drive in ["c%3A", "C:", "c:", "C%3A"]:
            with self.subTest(drive):
                self.write("shop/main.pp", "a = 1\r\n")
                self.write("shop/other.pp", "b = c\r\n")
                root, editor = self.session(drive)
                # What is typed counts, not what is on the disk.
                editor.open("shop/main.pp", "c = 1\r\n\r\nd = lenght([])\r\n")
                found = editor.diagnostics("shop/main.pp")
                self.assertEqual([it["code"] for it in found], ["PCL0601"])
                self.assertEqual(found[0]["range"]["start"], {"line": 2, "character": 4})
                editor.open("shop/other.pp", "b = c\r\n")
                self.assertEqual(editor.diagnostics("shop/other.pp"), [])
                where = {"textDocument": {"uri": f"{root}/shop/other.pp"}, "position": {"line": 0, "character": 4}}
                (link,) = editor.request("textDocument/definition", where)
                self.assertEqual(link["targetUri"], f"{root}/shop/main.pp")
                self.assertEqual(editor.exit(), 0)

    def test_files_that_are_not_open(self):
        self.write("shop/main.pp", "a = 1\r\n")
        self.write("shop/parts/main.pp", 'config "x" "string" {\r\n}\r\n')
        _, editor = self.session("c%3A")
        editor.open("shop/other.pp", 'b = a\r\ncomponent "p" "./parts" {\r\n  x = ""\r\n}\r\n')
        self.assertEqual(editor.diagnostics("shop/other.pp"), [])
        uri = f"file:///c%3A/{self.folder.name}/shop/other.pp"
        where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 4}}
        (link,) = editor.request("textDocument/definition", where)
        self.assertEqual(link["targetUri"], f"file:///c%3A/{self.folder.name}/shop/main.pp")
        links = editor.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
        self.assertEqual([it["target"] for it in links], [f"file:///c%3A/{self.folder.name}/shop/parts/main.pp"])
        self.assertEqual(editor.exit(), 0)

    def test_formatting(self):
        self.write("main.pp", TEXT)
        _, editor = self.session("c%3A")
        editor.open("main.pp", TEXT)
        edits = editor.request(
            "textDocument/formatting",
            {
                "textDocument": {"uri": client.uri("main.pp")},
                "options": {"tabSize": 2, "insertSpaces": True},
            },
        )
        self.assertTrue(edits)
        for edit in edits:
            self.assertNotIn("\n", edit["newText"].replace("\r\n", ""))
        self.assertEqual(editor.exit(), 0)

    def test_configuration(self):
        shutil.copytree(ROOT / "corpus/schemas", self.folder / "packages")
        shutil.copytree(ROOT / "corpus/valid/webserver", self.folder / "shop")
        self.write("pcl.toml", "schema-dirs = ['packages']\r\n")
        _, editor = self.session("c%3A")
        text = (self.folder / "shop/outputs.pp").read_text()
        editor.open("shop/outputs.pp", text)
        self.assertEqual(editor.diagnostics("shop/outputs.pp"), [])
        self.assertEqual(editor.exit(), 0)


if __name__ == "__main__":
    unittest.main()
