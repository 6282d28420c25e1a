#!/usr/bin/env python3
"""Runs Pulumi's own commands with `pcl` as the generator of programs, as `pcl pulumi install` sets
it up, and previews what they write.

    PCL_BINARY=... PCL_HOST_BINARY=... PCL_ENGINE_DIR=... PCL_HOSTS=... PCL_MODULES=... \\
        PCL_PYTHON=... python3 tests/generated/plugins.py

The hosts are what build.sh makes: Pulumi's own for YAML, and a thin one in the place of those for
Node.js and Python, whose packages are in the directory and beside the interpreter that the last two
variables name. Without one of these, the tests of its language are skipped.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(os.fspath(HERE.parent / "engine"))

from end_to_end import PCL, Case  # noqa: E402
from engine import program  # noqa: E402

HOSTS = os.environ.get("PCL_HOSTS")
MODULES = os.environ.get("PCL_MODULES")
PYTHON = os.environ.get("PCL_PYTHON")

# What a preview shows of the program for all languages.
GREETING = "Hello from pcl"
EVERYWHERE = f"""
# The words.
config words string {{ default = "{GREETING}" }}
output greeting {{ value = "${{words}}!" }}
"""
BOOK = """
package {
  baseProviderName    = "shelf"
  baseProviderVersion = "0.1.0"
}
resource book "shelf:index:Book" {
  path = "${cwd()}/book.txt"
  text = "once"
}
output length { value = book.length }
"""
YAML = """
name: shop
runtime: yaml
description: A shop
variables:
  words: ${pulumi.project}
resources:
  book:
    type: shelf:Book
    properties: {path: "${pulumi.cwd}/book.txt", text: "${words}"}
outputs: {length: "${book.length}"}
"""
READ = """
name: shop
runtime: yaml
resources:
  # What was there before.
  book:
    type: shelf:Book
    get: {id: "${pulumi.cwd}/book.txt"}
outputs: {length: "${book.length}"}
"""


def setUpModule():
    if not PCL or not HOSTS:
        raise unittest.SkipTest("PCL_BINARY and PCL_HOSTS are not set")


class Plugins(Case):
    def setUp(self):
        super().setUp()
        self.binaries = self.place / "bin"
        self.environment = self.home.environment
        (self.binaries / "pcl").symlink_to(program(PCL))
        for name in ("pulumi-language-yaml", "pulumi-converter-yaml"):
            (self.binaries / name).symlink_to(program(pathlib.Path(HOSTS) / name))

    def thin(self, language, *options):
        """Puts the thin host in the place of that of a language."""
        words = [pathlib.Path(HOSTS).resolve() / "thin-host", "--language", language, *options]
        host = self.binaries / f"pulumi-language-{language}"
        command = shlex.join(map(str, words))
        # Whoever started the host ends it by the process that it knows.
        host.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        host.chmod(0o755)

    def pcl(self, *arguments, status=0):
        run = subprocess.run(
            ["pcl", *arguments],
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout + run.stderr

    def program(self, text, name="main.pp"):
        source = self.place / "source"
        source.mkdir()
        (source / name).write_text(text)
        return source

    def convert(self, source, origin, language, *flags, status=0):
        words = ["--from", origin, "--language", language, "--out", "../out", *flags]
        return self.pulumi(source, "convert", *words, status=status)

    def preview(self):
        out = self.place / "out"
        self.pulumi(out, "stack", "init", "dev")
        return self.pulumi(out, "preview")

    def written(self, path):
        return (self.place / "out" / path).read_text()


class Yaml(Plugins):
    def test_a_program_becomes_yaml(self):
        self.pcl("pulumi", "install", "yaml")
        source = self.program(BOOK + EVERYWHERE)
        (source / "Pulumi.yaml").write_text(
            "name: shop\nruntime: pcl\ndescription: A shop\n"
            "config:\n  tags:\n    type: array\n    items: {type: string}\n    default: []\n"
        )
        self.convert(source, "pcl", "pcl-yaml")
        settings = (
            'name: shop\ndescription: "A shop"\nruntime: yaml\nconfig:\n  tags:\n'
            "    default: []\n    items:\n      type: string\n    type: array\n"
        )
        self.assertEqual(self.written("Pulumi.yaml"), settings)
        self.assertIn("# The words.\n", self.written("Main.yaml"))
        preview = self.preview()
        self.assertRegex(preview, r"\+ +shelf:index:Book +book +create")
        self.assertIn(GREETING, preview)

    def test_yaml_becomes_yaml(self):
        self.pcl("pulumi", "install", "yaml")
        self.convert(self.program(YAML, "Pulumi.yaml"), "yaml", "pcl-yaml")
        self.assertIn("description: \"A shop\"\nruntime: yaml\n", self.written("Pulumi.yaml"))
        self.assertRegex(self.preview(), r"\+ +shelf:index:Book +book +create")

    def test_the_converter_keeps_comments_and_reads(self):
        self.pcl("pulumi", "install", "yaml")
        source = self.program(READ, "Pulumi.yaml")
        self.convert(source, "pcl-yaml", "pcl")
        self.assertIn("# What was there before.\nread", self.written("main.pp"))
        self.assertIn("runtime: pcl", self.written("Pulumi.yaml"))

    def test_the_converter_reports_what_it_cannot_convert(self):
        self.pcl("pulumi", "install", "yaml")
        source = self.program(YAML.replace("book.length", "bok.length"), "Pulumi.yaml")
        said = self.convert(source, "pcl-yaml", "pcl", status=1)
        self.assertIn("Pulumi.yaml:11", said)
        self.assertIn("`bok`", said)

    def test_what_yaml_lacks_is_a_warning(self):
        self.pcl("pulumi", "install", "yaml")
        source = self.program(f"output cheers {{ value = 1 > length(words) }}\n{EVERYWHERE}")
        said = self.convert(source, "pcl", "pcl-yaml")
        self.assertIn("warning: PCL1201: Pulumi YAML has no operators", said)
        self.assertIn("main.pp:1:25", said)
        self.assertIn("greeting: ", self.written("Main.yaml"))

    def test_a_program_with_errors_is_not_written(self):
        self.pcl("pulumi", "install", "yaml")
        source = self.program("output two { value = tow }\n")
        out = self.place / "out"
        said = self.convert(source, "pcl", "pcl-yaml", "--strict", status=1)
        self.assertIn("main.pp:1", said)
        self.assertIn("`tow`", said)
        self.assertEqual(list(out.iterdir()), [])

    def import_book(self, project):
        """The code that `pulumi import` generates for a resource of a project."""
        self.pulumi(
            project,
            *("import", "shelf:index:Book", "book", f"{project}/book.txt", "--yes"),
            *("--protect=false", "--out", "imported.yaml"),
        )
        self.assertNotIn("PCL0507", self.printed[-1])
        return (project / "imported.yaml").read_text()

    def test_an_import_uses_a_launcher(self):
        launchers = self.place / "launchers"
        shop = self.place / "shop"
        shop.mkdir()
        (shop / "Pulumi.yaml").write_text("name: shop\nruntime: yaml\n")
        # Pulumi's own generator quotes it in another way.
        (shop / "book.txt").write_text("once: more")
        self.pulumi(shop, "stack", "init", "dev")
        imported = self.import_book(shop)
        self.assertIn("text: 'once: more'\n", imported)

        self.pcl("pulumi", "install", "yaml", "--shadow", launchers)
        self.environment["PATH"] = f"{launchers}:{self.environment['PATH']}"
        status = self.pcl("pulumi", "status")
        self.assertIn(f"host      {self.binaries}/pulumi-language-yaml\n", status)
        self.assertIn(f"launcher  {launchers}/pulumi-language-yaml\n", status)
        imported = self.import_book(shop)
        self.assertIn('text: "once: more"\n', imported)
        self.assertNotIn("runtime", imported)
        # Everything else is asked of Pulumi's host.
        (shop / "Pulumi.yaml").write_text(YAML)
        self.assertRegex(self.pulumi(shop, "preview"), r"shelf:index:Book +book +update")
        self.pcl("pulumi", "uninstall", "yaml", "--shadow", launchers)
        self.assertEqual(list(launchers.iterdir()), [])


class Installation(Plugins):
    def content(self):
        """What is in Pulumi's home, but for the logs that each of its commands writes."""
        home = pathlib.Path(self.environment["PULUMI_HOME"])
        files = (path.relative_to(home) for path in home.rglob("*"))
        return sorted(str(path) for path in files if path.parts[0] != "logs")

    def test_nothing_is_left_of_what_was_installed(self):
        before = self.content()
        self.pcl("pulumi", "install")
        installed = self.content()
        for language in ("typescript", "python", "go", "java", "yaml"):
            plugin = f"plugins/language-pcl-{language}-v"
            self.assertTrue(any(path.startswith(plugin) for path in installed), installed)
        converter = "plugins/converter-pcl-yaml-v"
        self.assertTrue(any(path.startswith(converter) for path in installed), installed)
        self.assertIn("pcl-python\n  plugin    0", self.pcl("pulumi", "status"))
        # Again, over what is there.
        self.pcl("pulumi", "install", "python")
        self.pcl("pulumi", "uninstall")
        self.assertEqual(self.content(), before)
        self.assertIn("pcl-python is not installed", self.pcl("pulumi", "uninstall"))

    def test_a_missing_host_is_named(self):
        self.pcl("pulumi", "install", "python")
        source = self.program(EVERYWHERE)
        said = self.convert(source, "pcl", "pcl-python", status=1)
        self.assertIn("pulumi-language-python", said)
        self.assertIn("host      missing: ", self.pcl("pulumi", "status"))


class Programs(Plugins):
    @unittest.skipUnless(MODULES, "PCL_MODULES is not set")
    def test_a_program_becomes_typescript(self):
        modules = pathlib.Path(MODULES).resolve()
        node = modules / "node/bin"
        self.environment["PATH"] = f"{node}:{self.environment['PATH']}"
        self.thin("nodejs", "--check")
        self.pcl("pulumi", "install", "typescript")
        self.convert(self.program(EVERYWHERE), "pcl", "pcl-typescript", "--generate-only")
        self.assertEqual(self.written("Pulumi.yaml"), "name: source\nruntime: nodejs\n")
        self.assertIn('config.get("words")', self.written("index.ts"))
        # The thin host installs packages for the conformance suite alone.
        (self.place / "out/node_modules").symlink_to(modules)
        self.assertIn(GREETING, self.preview())

    @unittest.skipUnless(PYTHON, "PCL_PYTHON is not set")
    def test_a_program_becomes_python(self):
        self.thin("python", "--python", os.path.abspath(PYTHON))
        self.pcl("pulumi", "install", "python")
        source = self.program(YAML, "Pulumi.yaml")
        (source / "Pulumi.yaml").write_text(
            f"name: shop\nruntime: yaml\noutputs:\n  greeting: {GREETING}\n"
        )
        self.convert(source, "yaml", "pcl-python", "--generate-only")
        self.assertRegex(self.written("Pulumi.yaml"), r"^name: shop\nruntime:\n  name: python\n")
        self.assertIn('pulumi.export("greeting"', self.written("__main__.py"))
        # The thin host installs packages for the conformance suite alone.
        (self.place / "out/requirements.txt").write_text("")
        (self.place / "out/cmd").symlink_to(pathlib.Path(HOSTS).resolve() / "python-sdk/cmd")
        self.assertIn(GREETING, self.preview())


if __name__ == "__main__":
    unittest.main()
