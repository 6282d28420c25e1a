#!/usr/bin/env python3
"""Uses packages of components in PCL from programs in other languages, with the real `pulumi`
command.

    PCL_BINARY=... PCL_HOST_BINARY=... PCL_ENGINE_DIR=... PCL_HOSTS=... PCL_MODULES=... \\
        PCL_PYTHON=... python3 tests/generated/component_packages.py

The variables are those of plugins.py; without the hosts, or what a language needs, its tests are
skipped. The packages are in ../engine/packages and ../engine/providers.
"""

import json
import os
import pathlib
import shutil
import signal
import time
import unittest

from plugins import HOSTS, MODULES, PYTHON, Plugins, setUpModule  # noqa: F401

from end_to_end import SECRET
from engine import HERE

# Each program has a component whose texts depend on the outputs of another one, which are unknown
# in the first preview.
YAML = """
name: shop
runtime: yaml
config:
  directory: {type: string}
  password: {type: string, secret: true}
  text: {type: string}
resources:
  first:
    type: library:Shelf
    properties:
      directory: ${pulumi.cwd}
      texts: {first: "${text}"}
  shelf:
    type: library:Shelf
    properties:
      directory: ${directory}
      texts:
        poems: ${text}
        count: ${first.lengths.first}
      password: ${password}
outputs:
  lengths: ${shelf.lengths}
  diary: ${shelf.diary}
  note: ${shelf.note}
"""
TYPESCRIPT = """
import * as pulumi from "@pulumi/pulumi";
import * as library from "@pulumi/library";

const config = new pulumi.Config();
const text = config.require("text");
const first = new library.Shelf("first", { directory: process.cwd(), texts: { first: text } });
const shelf = new library.Shelf("shelf", {
    directory: config.require("directory"),
    texts: { poems: text, count: first.lengths.apply((lengths) => `${lengths.first}`) },
    password: config.requireSecret("password"),
});
export const lengths = shelf.lengths;
export const diary = shelf.diary;
export const note = shelf.note;
"""
PROGRAM_IN_PYTHON = """
import os

import pulumi
import pulumi_library as library

config = pulumi.Config()
text = config.require("text")
first = library.Shelf("first", directory=os.getcwd(), texts={"first": text})
shelf = library.Shelf(
    "shelf",
    directory=config.require("directory"),
    texts={"poems": text, "count": first.lengths.apply(lambda lengths: str(lengths["first"]))},
    password=config.require_secret("password"),
)
pulumi.export("lengths", shelf.lengths)
pulumi.export("diary", shelf.diary)
pulumi.export("note", shelf.note)
"""
NOTE = "kept with the component"
# .ci/slow makes 1,000 in one run, each of which the engine writes into its snapshot.
CONSTRUCTIONS = int(os.environ.get("PCL_CONSTRUCTIONS", "100"))


class Components(Plugins):
    def project(self, files):
        """A project beside the packages, with a stack."""
        for packages in ("packages", "providers"):
            shutil.copytree(HERE / packages, self.place, dirs_exist_ok=True)
        place = self.place / "shop"
        place.mkdir()
        for name, text in files.items():
            (place / name).write_text(text)
        self.pulumi(place, "stack", "init", "dev")
        return place

    def configure(self, place, text, directory=None):
        self.pulumi(place, "config", "set", "text", text)
        self.pulumi(place, "config", "set", "directory", directory or place)
        self.pulumi(place, "config", "set", "--secret", "password", "--", SECRET)

    def up(self, place, *flags, status=0):
        return self.pulumi(place, "up", "--yes", "--skip-preview", *flags, status=status)

    def outputs(self, place):
        return json.loads(self.pulumi(place, "stack", "output", "--json"))

    def texts(self, place):
        return {path.stem: path.read_text() for path in place.glob("*.txt")}

    def live(self, place):
        """Deploys a project that uses the component, changes and replaces what is in it, and
        destroys it."""
        self.configure(place, "roses are red")
        preview = self.pulumi(place, "preview")
        self.assertRegex(preview, r"\+ +library:index:Shelf +shelf +create")
        self.assertRegex(self.up(place), r"\+ +7 created")
        texts = self.texts(place)
        self.assertEqual(texts["poems"], "roses are red")
        self.assertEqual(float(texts["count"]), 13)
        self.assertEqual(texts["diary"], f"the password is {SECRET}")
        outputs = self.outputs(place)
        self.assertEqual(outputs["lengths"]["poems"], 13)
        self.assertEqual((outputs["note"], outputs["diary"]), (NOTE, "[secret]"))
        self.pulumi(place, "preview", "--expect-no-changes")

        self.configure(place, "violets are blue")
        self.assertRegex(self.up(place), r"~ +[0-9]+ updated")
        self.assertEqual(self.texts(place)["poems"], "violets are blue")

        elsewhere = place / "elsewhere"
        elsewhere.mkdir()
        self.configure(place, "violets are blue", elsewhere)
        self.assertRegex(self.up(place), r"\+-3 replaced")
        self.assertEqual(self.texts(elsewhere)["poems"], "violets are blue")
        self.assertNotIn("poems", self.texts(place))

        self.pulumi(place, "destroy", "--yes", "--skip-preview")
        self.assertEqual(self.texts(place).keys() - {"requirements"}, set())
        self.assertEqual(self.texts(elsewhere), {})


class Yaml(Components):
    def test_a_component_in_yaml(self):
        shop = self.project({"Pulumi.yaml": YAML})
        self.pulumi(shop, "package", "add", "../library")
        self.live(shop)

    def test_a_schema_is_asked_for(self):
        shop = self.project({"Pulumi.yaml": "name: shop\nruntime: yaml\n"})
        schema = self.pulumi(shop, "package", "get-schema", "../library")
        # Warnings about hosts on the PATH come before it.
        schema = json.loads(schema[schema.index("{\n") :])
        self.assertEqual(schema["version"], "1.2.0")
        self.assertIn("library:index:Shelf", schema["resources"])

    def test_an_error_in_a_component_has_its_place(self):
        shop = self.project({"Pulumi.yaml": YAML})
        self.pulumi(shop, "package", "add", "../library")
        (self.place / "library/Shelf/note.txt").unlink()
        self.configure(shop, "roses are red")
        said = self.up(shop, status=1)
        self.assertIn("main.pp:", said)
        self.assertIn("note.txt", said)


class Pcl(Components):
    def test_many_constructions(self):
        program = (
            'resource info "builtin-info-component:index:BuiltinInfo" {\n'
            f"  options {{\n    range = {CONSTRUCTIONS}\n  }}\n}}\n"
            "output stacks { value = length(info[*].stack) }\n"
        )
        files = {"Pulumi.yaml": "name: shop\nruntime: pcl\n", "main.pp": program}
        shop = self.project(files)
        self.pulumi(shop, "package", "add", "../builtin-info-component")
        self.assertRegex(self.up(shop), rf"\+ +{CONSTRUCTIONS + 1} created")
        self.assertEqual(self.outputs(shop), {"stacks": CONSTRUCTIONS})

    def test_a_killed_plugin_leaves_no_process(self):
        program = (
            "package {\n"
            '  baseProviderName    = "shelf"\n  baseProviderVersion = "0.1.0"\n}\n'
            'resource slow "shelf:index:Book" {\n'
            '  path  = "${cwd()}/slow.txt"\n  text  = "slow"\n  delay = 30\n}\n'
            'resource shelf "library:index:Shelf" {\n'
            '  directory = cwd()\n  texts     = { poems = "red" }\n}\n'
        )
        files = {"Pulumi.yaml": "name: shop\nruntime: pcl\n", "main.pp": program}
        shop = self.project(files)
        self.pulumi(shop, "package", "add", "../library")
        process = self.home.start(shop, "up", "--yes", "--skip-preview")
        poems = shop / "poems.txt"
        end = time.monotonic() + 60
        while not poems.exists() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(poems.exists())
        hosts = [pid for pid, command in self.processes() if "pulumi-language-pcl" in command]
        self.assertNotEqual(hosts, [])
        for pid in hosts:
            os.kill(pid, signal.SIGKILL)
        output, _ = process.communicate(timeout=120)
        self.printed.append(output)
        self.assertNotEqual(process.returncode, 0, output)
        end = time.monotonic() + 10
        while self.processes() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.processes(), [])


class Programs(Components):
    @unittest.skipUnless(MODULES, "PCL_MODULES is not set")
    def test_a_component_in_typescript(self):
        modules = pathlib.Path(MODULES).resolve()
        self.environment["PATH"] = f"{modules}/node/bin:{self.environment['PATH']}"
        self.environment["PCL_MODULES"] = os.fspath(modules)
        self.thin("nodejs", "--check")
        shop = self.project({
            "Pulumi.yaml": "name: shop\nruntime: nodejs\n",
            "index.ts": TYPESCRIPT,
            "package.json": '{"name": "shop", "main": "index.ts", "dependencies": {}}\n',
        })
        self.pulumi(shop, "package", "add", "../library")
        self.live(shop)

    def python(self, program):
        """A project in Python that uses the package."""
        self.thin("python", "--python", os.path.abspath(PYTHON))
        shop = self.project({
            "Pulumi.yaml": "name: shop\nruntime: python\n",
            "__main__.py": program,
            "requirements.txt": "",
        })
        (shop / "cmd").symlink_to(pathlib.Path(HOSTS).resolve() / "python-sdk/cmd")
        self.pulumi(shop, "package", "add", "../library")
        return shop

    @unittest.skipUnless(PYTHON, "PCL_PYTHON is not set")
    def test_a_component_in_python(self):
        self.live(self.python(PROGRAM_IN_PYTHON))

    @unittest.skipUnless(PYTHON, "PCL_PYTHON is not set")
    def test_wrong_inputs_are_named(self):
        # Python does not check texts, so the component itself has to.
        program = PROGRAM_IN_PYTHON.replace('{"first": text}', '"poems"')
        shop = self.python(program)
        self.configure(shop, "roses are red")
        said = self.up(shop, status=1)
        self.assertIn("texts", said)
        self.assertIn('expected an object, found the string "poems"', said)
        self.assertNotIn("diary", self.texts(shop))


if __name__ == "__main__":
    unittest.main()
