#!/usr/bin/env python3
"""Runs the programs in `programs` with the real `pulumi` command.

    PCL_HOST_BINARY=target/debug/pulumi-language-pcl PCL_ENGINE_DIR=$(tests/engine/build.sh CACHE) \
        python3 tests/engine/end_to_end.py

Each test has a home, stacks and copies of programs of its own in a temporary directory. Nothing is
looked up on the network. The providers are `simple` and `component` of the conformance suite, and
`shelf` (shelf.py), whose effects are seen on disk.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from engine import HERE, Home

HOST = os.environ.get("PCL_HOST_BINARY")
ENGINE = os.environ.get("PCL_ENGINE_DIR")
PCL = os.environ.get("PCL_BINARY")
# What must never be seen in an output or in a state.
PASSPHRASE = "correct-horse-7731"
SECRET = "open-sesame-4096"
TIMEOUT = 120


def setUpModule():
    if not HOST or not ENGINE:
        raise unittest.SkipTest("PCL_HOST_BINARY and PCL_ENGINE_DIR are not set")


class Project:
    """A copy of a program, with the stack `dev`."""

    def __init__(self, test, name, config=()):
        self.test = test
        self.place = test.place / name
        shutil.copytree(HERE / "programs" / name, self.place)
        self.pulumi("stack", "init", "dev")
        for key, value in dict(config).items():
            self.configure(key, value)

    def pulumi(self, *arguments, status=0):
        """Runs a command, which has to end with a status. Returns what it prints."""
        return self.test.pulumi(self.place, *arguments, status=status)

    def configure(self, key, value, *flags):
        self.pulumi("config", "set", *flags, key, "--", value)

    def preview(self, *flags, status=0):
        return self.pulumi("preview", *flags, status=status)

    def up(self, *flags, status=0):
        return self.pulumi("up", "--yes", "--skip-preview", *flags, status=status)

    def destroy(self, *flags):
        return self.pulumi("destroy", "--yes", "--skip-preview", *flags)

    def outputs(self):
        return json.loads(self.pulumi("stack", "output", "--json"))

    def state(self):
        """The resources of the stack by name, without providers."""
        deployment = json.loads(self.pulumi("stack", "export"))["deployment"]
        resources = deployment.get("resources", [])
        resources = {resource["urn"].rpartition("::")[2]: resource for resource in resources}
        providers = "pulumi:providers:"
        return {n: r for n, r in resources.items() if not r["type"].startswith(providers)}

    def texts(self):
        """The text files that there are, by name."""
        return {path.name: path.read_text() for path in self.place.glob("*.txt")}


class Case(unittest.TestCase):
    """A test with a home of its own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="pcl-end-to-end-")
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name).resolve()
        self.addCleanup(self.kill_what_is_left)
        self.home = Home(self.place, ENGINE, HOST, PASSPHRASE)
        self.printed = []

    def tearDown(self):
        """Secrets are nowhere in what was printed and in the states."""
        states = [path.read_text() for path in (self.place / "stacks").rglob("*.json*")]
        for text in self.printed + states:
            self.assertNotIn(SECRET, text)
            self.assertNotIn(PASSPHRASE, text)

    def processes(self):
        """The processes of this test that run, with their commands."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                environment = os.fsdecode((process / "environ").read_bytes())
                command = os.fsdecode((process / "cmdline").read_bytes())
            except OSError:
                continue
            if f"={self.place}/" in environment:
                found.append((int(process.name), command))
        return found

    def kill_what_is_left(self):
        for pid, _ in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def pulumi(self, directory, *arguments, status=0):
        process = self.home.start(directory, *arguments)
        try:
            output, _ = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            self.fail(f"pulumi {arguments} is not done after {TIMEOUT} s:\n{output}")
        self.printed.append(output)
        self.assertEqual(process.returncode, status, f"pulumi {arguments}:\n{output}")
        return output


class Deployment(Case):
    @unittest.skipUnless(PCL, "PCL_BINARY is not set")
    def test_a_new_project_is_deployed(self):
        self.pulumi(self.place, "login", f"file://{self.place}/stacks")
        place = self.place / "shop"
        subprocess.run([PCL, "new", "empty", place, "--name", "shop"], check=True, capture_output=True)
        self.pulumi(place, "stack", "init", "dev")
        self.pulumi(place, "up", "--yes")
        outputs = json.loads(self.pulumi(place, "stack", "output", "--json"))
        self.assertEqual(outputs, {"message": "Hello from shop!"})
        self.pulumi(place, "destroy", "--yes")

    def test_a_stack_from_its_creation_to_its_end(self):
        self.pulumi(self.place, "login", f"file://{self.place}/stacks")
        library = Project(self, "library")
        library.configure("password", SECRET, "--secret")

        preview = library.preview()
        self.assertRegex(preview, r"\+ +3 to create")
        self.assertEqual(library.texts(), {})

        up = library.up()
        self.assertRegex(up, r"\+ +3 created")
        self.assertRegex(up, r"diary +: \[secret\]")
        diary = f"the password is {SECRET}"
        self.assertEqual(library.texts(), {"poems.txt": "roses are red", "diary.txt": diary})
        place = f"{library.place}/poems.txt"
        outputs = {"place": place, "length": 13, "diary": "[secret]"}
        self.assertEqual(library.outputs(), outputs)
        library.preview("--expect-no-changes")
        library.up("--expect-no-changes")

        library.configure("text", "violets are blue")
        self.assertRegex(library.preview(), r"~ +1 to update")
        self.assertEqual(library.texts()["poems.txt"], "roses are red")
        self.assertRegex(library.up(), r"~ +1 updated")
        self.assertEqual(library.texts()["poems.txt"], "violets are blue")
        self.assertEqual(library.outputs()["length"], 16)

        library.configure("name", "verses")
        self.assertRegex(library.preview(), r"\+-1 to replace")
        self.assertRegex(library.up(), r"\+-1 replaced")
        self.assertEqual(library.texts(), {"verses.txt": "violets are blue", "diary.txt": diary})
        library.preview("--expect-no-changes")

        self.assertRegex(library.destroy(), r"- +3 deleted")
        self.assertEqual(library.texts(), {})
        self.assertEqual(library.state(), {})

    def test_secrets_are_encrypted(self):
        library = Project(self, "library")
        library.configure("password", SECRET, "--secret")
        library.up()
        state = library.state()
        diary = state["diary"]
        self.assertIn("ciphertext", diary["inputs"]["text"])
        self.assertIn("ciphertext", diary["outputs"]["text"])
        self.assertIn("ciphertext", state["library-dev"]["outputs"]["diary"])
        self.assertEqual(state["poems"]["outputs"]["text"], "roses are red")
        # A preview and an update with all details hide them too.
        library.configure("text", "violets are blue")
        library.preview("--diff")
        library.preview("--json")
        library.up("--diff")


class Failure(Case):
    def test_a_resource_that_fails_stops_what_depends_on_it(self):
        failure = Project(self, "failure")
        up = failure.up(status=1)
        self.assertIn("shelf:index:Book (lost)", up)
        self.assertIn("No such file or directory", up)
        self.assertNotIn("(dependent)", up)
        self.assertEqual(set(failure.state()), {"failure-dev", "independent"})
        self.assertEqual(failure.texts(), {"independent.txt": "found"})

        (failure.place / "missing").mkdir()
        self.assertRegex(failure.up(), r"\+ +2 created")
        self.assertEqual(failure.texts()["dependent.txt"], "lost")
        failure.preview("--expect-no-changes")

    def test_a_mistake_of_the_program_has_a_position(self):
        mistake = Project(self, "mistake", {"position": "1"})
        preview = mistake.preview(status=1)
        self.assertIn("main.pp:8:", preview)

    def test_a_program_with_errors_does_not_run(self):
        mistake = Project(self, "mistake", {"position": "1"})
        source = mistake.place / "main.pp"
        source.write_text(source.read_text().replace("element", "elemnt"))
        preview = mistake.preview(status=1)
        self.assertIn("main.pp:4:", preview)
        self.assertIn("there is no function `elemnt`", preview)

    def test_a_missing_value_of_the_configuration_is_named(self):
        mistake = Project(self, "mistake")
        self.assertIn("position", mistake.preview(status=1))


class StackReference(Case):
    def test_outputs_of_another_stack(self):
        library = Project(self, "library")
        library.configure("password", SECRET, "--secret")
        library.up()
        reader = Project(self, "reader")
        reader.up()
        self.assertEqual(reader.outputs(), {"length": 13, "diary": "[secret]"})
        diary = reader.state()["reader-dev"]["outputs"]["diary"]
        self.assertIn("ciphertext", diary)


class Ranges(Case):
    def test_numbers_lists_maps_and_conditions(self):
        config = {"count": "2", "names": '["a", "b"]', "wanted": '{"x": true, "y": false}'}
        ranges = Project(self, "ranges", config | {"last": "true"})
        self.assertRegex(ranges.up(), r"\+ +8 created")
        names = {"numbered-0", "numbered-1", "listed-0", "listed-1", "keyed-x", "keyed-y"}
        self.assertEqual(set(ranges.state()), names | {"optional", "ranges-dev"})
        outputs = {"numbered": [True, False], "listed": [False, True]}
        self.assertEqual(ranges.outputs(), outputs)
        ranges.preview("--expect-no-changes")

        ranges.configure("count", "3")
        ranges.configure("wanted", '{"y": false}')
        ranges.configure("last", "false")
        preview = ranges.preview()
        self.assertRegex(preview, r"\+ +1 to create")
        self.assertRegex(preview, r"- +2 to delete")
        ranges.up()
        names = names - {"keyed-x"} | {"numbered-2", "ranges-dev"}
        self.assertEqual(set(ranges.state()), names)


class Component(Case):
    def test_what_is_inside_has_the_component_as_its_parent(self):
        component = Project(self, "component")
        self.assertRegex(component.up(), r"\+ +7 created")
        labels = ["upstairs", "under upstairs"]
        self.assertEqual(component.outputs(), {"labels": labels})
        self.assertEqual(set(component.texts()), {f"{label}.txt" for label in labels})
        state = component.state()
        for name in ("upstairs", "downstairs"):
            floor = state[name]
            self.assertEqual(floor["parent"], state["component-dev"]["urn"])
            self.assertEqual(floor["outputs"]["text"], "the light is on")
            for child in ("light", "sign"):
                self.assertEqual(state[f"{name}-{child}"]["parent"], floor["urn"])
        component.preview("--expect-no-changes")
        component.destroy()
        self.assertEqual(component.texts(), {})

    def test_a_component_of_a_provider(self):
        remote = Project(self, "remote")
        self.assertRegex(remote.up(), r"\+ +4 created")
        self.assertEqual(remote.outputs(), {"copy": "inside, copied"})
        state = remote.state()
        self.assertEqual(state["remote-child"]["parent"], state["remote"]["urn"])
        remote.preview("--expect-no-changes")


class Invoke(Case):
    def test_a_function_waits_for_the_resource_that_it_depends_on(self):
        invoke = Project(self, "invoke")
        (invoke.place / "old.txt").write_text("written before")
        self.assertRegex(invoke.preview(), r"new: +\[unknown\]")
        invoke.up()
        outputs = {"old": "written before", "new": "written by the program"}
        self.assertEqual(invoke.outputs(), outputs)
        invoke.preview("--expect-no-changes")

    def test_a_function_that_fails(self):
        invoke = Project(self, "invoke")
        preview = invoke.preview(status=1)
        self.assertIn("main.pp:13:", preview)
        self.assertIn("No such file or directory", preview)


class Hooks(Case):
    def test_hooks_run_at_their_time(self):
        hooks = Project(self, "hooks")
        hooks.preview()
        self.assertEqual(set(hooks.texts()), {"planned.txt"})
        (hooks.place / "planned.txt").unlink()

        hooks.up()
        texts = hooks.texts()
        self.assertEqual(set(texts), {"before.txt", "planned.txt", "book.txt", "book-copy.txt"})
        self.assertNotIn("book.txt", texts["before.txt"])
        self.assertEqual(texts["book-copy.txt"], "hooked")

        hooks.destroy("--run-program")
        self.assertEqual(set(hooks.texts()), set(texts) - {"book.txt"} | {"removed.txt"})


class Packages(Case):
    def test_a_package_is_added_from_its_schema(self):
        added = Project(self, "added")
        schema = added.place / "shelf.json"
        schema.write_text(self.pulumi(added.place, "package", "get-schema", "shelf@0.1.0"))
        added.pulumi("package", "add", "./shelf.json")
        added.up()
        self.assertEqual(added.texts(), {"book.txt": "added"})


class Convert(Case):
    def test_a_converted_project_does_the_same(self):
        component = Project(self, "component")
        converted = self.place / "converted"
        flags = ["--from", "pcl", "--language", "pcl", "--out", os.fspath(converted)]
        component.pulumi("convert", *flags)
        shutil.rmtree(component.place)
        shutil.copytree(converted, component.place)
        component.pulumi("stack", "select", "dev")
        self.assertRegex(component.up(), r"\+ +7 created")
        self.assertEqual(component.outputs(), {"labels": ["upstairs", "under upstairs"]})


class Import(Case):
    def test_the_program_of_an_import_agrees_with_the_resource(self):
        added = Project(self, "added")
        main, book = added.place / "main.pp", added.place / "book.txt"
        main.write_text("")
        book.write_text("found")
        added.pulumi("import", "shelf:index:Book", "book", book, "--yes", "--out", main)
        self.assertIn('resource book "shelf:index:Book"', main.read_text())
        added.preview("--expect-no-changes")

        # What changed since then is found and undone.
        book.write_text("changed")
        self.assertRegex(added.pulumi("refresh", "--yes", "--skip-preview"), r"~ +1 updated")
        self.assertRegex(added.up(), r"~ +1 updated")
        self.assertEqual(book.read_text(), "found")


class Interrupt(Case):
    def running(self):
        """An update that creates the first of two books, and what it printed."""
        project = Project(self, "interrupted")
        process = self.home.start(project.place, "up", "--yes", "--skip-preview")
        self.addCleanup(process.stdout.close)
        limit = threading.Timer(TIMEOUT, process.kill)
        self.addCleanup(limit.cancel)
        limit.start()
        output = ""
        for line in process.stdout:
            output += line
            if "Book first creating" in output:
                break
        self.assertEqual(len(self.hosts()), 1, output)
        return project, process, output

    def hosts(self):
        return [pid for pid, command in self.processes() if "pulumi-language-pcl" in command]

    def assert_hosts_end(self):
        end = time.monotonic() + 10
        while self.hosts() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(self.hosts(), [])

    def test_an_interrupted_command(self):
        project, process, output = self.running()
        process.send_signal(signal.SIGINT)
        output += process.communicate(timeout=TIMEOUT)[0]
        self.printed.append(output)
        self.assertNotEqual(process.returncode, 0, output)
        self.assertNotIn("second.txt", project.texts())
        self.assert_hosts_end()

        project.up()
        self.assertEqual(project.texts(), {"first.txt": "first", "second.txt": "first"})
        project.preview("--expect-no-changes")

    def test_a_host_ends_when_its_engine_is_gone(self):
        _, process, _ = self.running()
        process.kill()
        process.wait()
        self.assert_hosts_end()


if __name__ == "__main__":
    unittest.main()
