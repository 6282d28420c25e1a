"""The engine's answers to pairs of programs, which are kept in a directory.

A directory below that of the cache is named after the version of the engine and the providers. In
it, `states` has the programs that were deployed with their states, `answers` the changed programs
with the engine's previews, each in a directory that is named after its texts, and `schemas` the
schemas of the packages. What is complete gets its name last, so several processes may work in one
cache, and one that was interrupted is of no harm.
"""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from programs import PROJECT, SECRETS, STACK, VERSIONS

HERE = pathlib.Path(__file__).resolve().parent
ENGINE_TESTS = HERE.parent / "engine"
sys.path.append(os.fspath(ENGINE_TESTS))

from engine import Home, Trouble  # noqa: E402

PASSPHRASE = "correct-horse-7731"
TIMEOUT = 120
PREVIEW = ["preview", "--json", "--show-sames", "--show-replacement-steps", "--parallel", "1"]
# Makes a preview a stream of events.
EVENTS = "PULUMI_ENABLE_STREAMING_JSON_PREVIEW"


def digest(*parts):
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Stack:
    """A home with one stack, whose checkpoint and configuration can be replaced."""

    def __init__(self, place, engine, host, template=None):
        self.home = Home(place, engine, host, PASSPHRASE)
        # The providers of the suite, one of which is there.
        for name, version in VERSIONS.items():
            if name not in ("component", "simple"):
                target = pathlib.Path(engine).resolve() / "pulumi-resource-simple"
                self.home.plugin(name, version).symlink_to(target)
        self.place = pathlib.Path(place)
        self.checkpoint = self.place / f"stacks/.pulumi/stacks/{PROJECT}/{STACK}.json"
        self.template = template or self.make_template()
        self.checkpoint.parent.mkdir(parents=True, exist_ok=True)

    def run(self, directory, *arguments):
        """Runs `pulumi`. Returns its status and its output."""
        process = subprocess.Popen(
            ["pulumi", "--non-interactive", "--color", "never", *map(os.fspath, arguments)],
            cwd=directory,
            env=self.home.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Trouble(f"pulumi {arguments} is not done after {TIMEOUT} s") from None
        if "panic: " in errors:
            kill_session(process.pid)
        return process.returncode, output, errors

    def must(self, directory, *arguments):
        status, output, errors = self.run(directory, *arguments)
        if status != 0:
            raise Trouble(
                f"pulumi {' '.join(map(str, arguments))} in {directory}:\n{output}{errors}"
            )
        return output

    def make_template(self):
        """An empty stack: its checkpoint, its configuration, and the ciphertexts of the secrets."""
        directory = self.place / "template"
        directory.mkdir()
        project_file(directory)
        self.must(directory, "stack", "init", STACK)
        secrets = {}
        for number, secret in enumerate(SECRETS):
            self.must(directory, "config", "set", "--secret", f"secret{number}", "--", secret)
        text = (directory / f"Pulumi.{STACK}.yaml").read_text()
        for number, secret in enumerate(SECRETS):
            secrets[secret] = re.search(rf"{PROJECT}:secret{number}:\s+secure: (\S+)", text)[1]
        salt = re.search("encryptionsalt: .*", text)[0]
        return {"checkpoint": self.checkpoint.read_text(), "salt": salt, "secrets": secrets}

    def config_file(self, values):
        """The text of the file of the stack with values by key."""
        lines = [self.template["salt"]] + ["config:"] * bool(values)
        for key, value in values.items():
            if isinstance(value, dict):
                lines += [f"  {key}:", f"    secure: {self.template['secrets'][value['secure']]}"]
            else:
                lines.append(f"  {key}: {json.dumps(value)}")
        return "\n".join(lines) + "\n"


def kill_session(number):
    """Ends the plugins that an engine leaves when it crashes."""
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(int(path.name)) == number:
                os.kill(int(path.name), signal.SIGKILL)


def project_file(directory, project=PROJECT):
    (directory / "Pulumi.yaml").write_text(f"name: {project}\nruntime: pcl\n")


def write_program(directory, files, config):
    directory.mkdir(parents=True)
    project_file(directory)
    (directory / f"Pulumi.{STACK}.yaml").write_text(config)
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)


class Answers:
    """The cache."""

    def __init__(self, cache, engine, host):
        self.engine, self.host = pathlib.Path(engine), host
        self.place = pathlib.Path(cache).resolve() / self.version()
        for name in ("states", "answers", "schemas"):
            (self.place / name).mkdir(parents=True, exist_ok=True)
        with self.draft("template.json") as draft:
            if draft:
                with tempfile.TemporaryDirectory(prefix="pcl-plan-") as place:
                    stack = Stack(place, self.engine, self.host)
                    self.save_schemas(stack)
                    draft.write_text(json.dumps(stack.template))
        self.template = json.loads((self.place / "template.json").read_text())

    def version(self):
        """The version of the engine, with a digest of the providers."""
        done = subprocess.run(
            [self.engine / "pulumi", "version"],
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "true"},
            capture_output=True,
            text=True,
            check=True,
        )
        sources = sorted((ENGINE_TESTS / "provider").iterdir())
        return f"{done.stdout.strip()}-{digest(*(path.read_text() for path in sources))[:8]}"

    def save_schemas(self, stack):
        for name, version in VERSIONS.items():
            text = stack.must(stack.place, "package", "get-schema", f"{name}@{version}")
            (self.place / f"schemas/{name}-{version}.json").write_text(text)

    @contextlib.contextmanager
    def draft(self, name):
        """A path to write, which gets a name if all goes well, or None if that is there."""
        path = self.place / name
        if path.exists():
            yield None
            return
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            yield draft
            with contextlib.suppress(OSError):
                draft.rename(path)
        finally:
            if draft.is_dir():
                shutil.rmtree(draft)

    @contextlib.contextmanager
    def stack(self):
        """A stack to work with."""
        with tempfile.TemporaryDirectory(prefix="pcl-plan-") as place:
            yield Stack(place, self.engine, self.host, self.template)

    def state(self, stack, files, values):
        """Deploys a program, unless its state is there. Returns the directory of both."""
        place = self.place / "states" / digest(files, values)
        with self.draft(f"states/{place.name}") as draft:
            if draft:
                write_program(draft, files, stack.config_file(values))
                stack.checkpoint.write_text(self.template["checkpoint"])
                stack.must(
                    draft, "up", "--yes", "--skip-preview", "--parallel", "1", "--stack", STACK
                )
                stack.must(
                    draft, "stack", "export", "--file", draft / "state.json", "--stack", STACK
                )
                shutil.copy(stack.checkpoint, draft / "checkpoint.json")
        return place

    def answer(self, stack, pair):
        """Previews the second program of a pair on the state of the first one, unless that is done.
        Returns the paths of the state, and of the program with the engine's answer."""
        before, after = ((program.files(), program.values) for program in (pair.before, pair.after))
        flags, edits = pair.flags, pair.edits
        state = self.state(stack, *before)
        parts = [state.name, *after, flags] + [edits] * bool(edits)
        place = self.place / "answers" / digest(*parts)
        with self.draft(f"answers/{place.name}") as draft:
            if draft:
                write_program(draft, after[0], stack.config_file(after[1]))
                edit(state / "checkpoint.json", stack.checkpoint, edits)
                edit(state / "state.json", draft / "state.json", edits)
                said = preview(stack, draft, flags)
                said |= {"state": state.name, "flags": flags}
                (draft / "answer.json").write_text(json.dumps(said, indent=1))
        edited = place / "state.json"
        return edited if edited.exists() else state / "state.json", place


def preview(stack, directory, flags):
    """The engine's preview of a program. The engine cannot print one with a secret
    `replacementTrigger`; its events tell the same, but for the dependencies."""
    words = [*PREVIEW, "--stack", STACK, *flags]
    status, output, errors = stack.run(directory, *words)
    if "panic: " in errors:
        stack.home.environment[EVENTS] = "true"
        status, output, errors = stack.run(directory, *words)
        del stack.home.environment[EVENTS]
        said = of_events(output)
    else:
        said = json.loads(output[output.find("{") :]) if "{" in output else {}
    if status == 0 and "steps" not in said:
        raise Trouble(f"the preview has no steps:\n{output}\n{errors}")
    return {"status": status, "errors": errors} | said


def of_events(output):
    """The steps and diagnostics of a stream of events."""
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    names = {
        "op": "op",
        "urn": "urn",
        "old": "oldState",
        "new": "newState",
        "diffs": "diffReasons",
        "keys": "replaceReasons",
        "detailedDiff": "detailedDiff",
    }
    metadata = [
        each["resourcePreEvent"]["metadata"] for each in events if "resourcePreEvent" in each
    ]
    return {
        "steps": [{to: each.get(name) for name, to in names.items()} for each in metadata],
        "diagnostics": [each["diagnosticEvent"] for each in events if "diagnosticEvent" in each],
    }


def edit(source, target, edits):
    """Copies a state, with other members of some resources. One to be deleted is there twice."""
    state = json.loads(source.read_text())
    deployment = state.get("deployment") or state["checkpoint"]["latest"]
    for urn, members in edits:
        found = next(each for each in deployment["resources"] if each["urn"] == urn)
        if "delete" in members:
            found = found.copy()
            deployment["resources"].append(found)
        found.update(members)
    target.write_text(json.dumps(state, indent=1))
