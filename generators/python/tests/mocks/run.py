"""Runs projects one after the other under the mocks of Pulumi's SDK for Python. The answers are
those of the engine that the registrations were recorded with.

    python run.py RESULTS < PROGRAMS

PROGRAMS is a list of {id, directory, sdks, config, configSecretKeys, responses, organization,
isPreview}. RESULTS has a line of {id, events, error} for each.
"""

import asyncio
import importlib
import json
import os
import pathlib
import runpy
import signal
import sys
import traceback

import pulumi
from google.protobuf import empty_pb2, json_format, struct_pb2
from pulumi.runtime import mocks, settings
from pulumi.runtime.proto import provider_pb2, resource_pb2

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e"
OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
TIMEOUT = 60

REGISTRATION = """type name parent custom remote object dependencies propertyDependencies provider
providers version pluginDownloadURL protect retainOnDelete deleteBeforeReplace
deleteBeforeReplaceDefined ignoreChanges replaceOnChanges additionalSecretOutputs hideDiffs importId
deletedWith replaceWith replacementTrigger envVarMappings customTimeouts aliases hooks""".split()
READ = """id type name parent properties dependencies provider version
additionalSecretOutputs""".split()


def wire(value):
    """The wire form of a value in the notation of the vectors."""
    if isinstance(value, list):
        return [wire(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "$secret" in value:
        return {SIGNATURE: SECRET, "value": wire(value["$secret"])}
    if "$ref" in value:
        return {SIGNATURE: RESOURCE, **value["$ref"]}
    if "$output" in value:
        inner = value["$output"]
        dependencies = inner.get("dependencies")
        return {SIGNATURE: OUTPUT, "value": wire(inner.get("value")), "dependencies": dependencies}
    return {key: wire(each) for key, each in value.items()}


def struct(value):
    message = struct_pb2.Struct()
    json_format.ParseDict(value, message)
    return message


def alias_of(alias):
    if "urn" in alias:
        return alias["urn"]
    spec = {key: each for key, each in alias.get("spec", {}).items() if each}
    if "::pulumi:pulumi:Stack::" in spec.get("parentUrn", ""):
        del spec["parentUrn"]
    return {"spec": spec}


def fields(request, names):
    """The fields of a request that are set, under their names in JSON."""
    found = json_format.MessageToDict(request)
    found = {
        name: found[name]
        for name in names
        if found.get(name) or name in found and name in ("args", "object", "properties")
    }
    for name in ("dependencies", "additionalSecretOutputs"):
        if name in found:
            found[name] = sorted(found[name])
    if "propertyDependencies" in found:
        of_properties = found["propertyDependencies"].items()
        urns = {name: {"urns": sorted(each.get("urns", []))} for name, each in of_properties}
        found["propertyDependencies"] = urns
    if "aliases" in found:
        found["aliases"] = [alias_of(alias) for alias in found["aliases"]]
    return found


class Engine(mocks.MockMonitor):
    """The answers, and the requests that were made."""

    def __init__(self, program):
        super().__init__(None)
        self.is_preview = program.get("isPreview", False)
        self.responses = program.get("responses") or {}
        self.states = {}
        self.events = []

    def record(self, method, request):
        self.events.append({"method": method, "request": request})

    def response(self, *names):
        """The answer about the first of the names that has one; a failure is raised."""
        found = next((self.responses[name] for name in names if name in self.responses), {})
        if "error" in found:
            raise RuntimeError(found["error"])
        return found

    def urn(self, parent, kind, name):
        above = parent.split("::")[2] if parent else ""
        qualified = f"{above}${kind}" if above not in ("", "pulumi:pulumi:Stack") else kind
        return f"urn:pulumi:dev::proj::{qualified}::{name}"

    def RegisterResource(self, request):
        found = fields(request, REGISTRATION)
        self.record("RegisterResource", found)
        response = self.response(found["name"], found["type"])
        urn = self.urn(found.get("parent"), found["type"], found["name"])
        outputs = response.get("previewOutputs" if self.is_preview else "outputs")
        state = {**found.get("object", {}), **wire(outputs or {})}
        is_known = found.get("custom") and not self.is_preview and not response.get("unknown")
        own = response.get("id")
        identity = own if own is not None else f"{found['name']}-id" if is_known else ""
        self.states[urn] = state
        result = resource_pb2.Result.Value(response.get("result", "SUCCESS"))
        return resource_pb2.RegisterResourceResponse(
            urn=urn, id=identity, object=struct(state), result=result
        )

    def ReadResource(self, request):
        found = fields(request, READ)
        self.record("ReadResource", found)
        response = self.response(found["name"], found["type"])
        urn = self.urn(found.get("parent"), found["type"], found["name"])
        state = {**found.get("properties", {}), **wire(response.get("outputs") or {})}
        self.states[urn] = state
        identity = found.get("id")
        return resource_pb2.ReadResourceResponse(urn=urn, id=identity, properties=struct(state))

    def ExistsResource(self, request):
        found = fields(request, ["type", "id", "properties"])
        self.record("ExistsResource", found)
        response = self.response(f"exists:{found.get('id')}")
        exists, unknown = (response.get(name) is True for name in ("exists", "unknown"))
        return resource_pb2.ExistsResourceResponse(exists=exists, unknown=unknown)

    def asked(self, method, names, request, answer):
        found = fields(request, names)
        self.record(method, found)
        if found["tok"] == "pulumi:pulumi:getResource":
            urn = found["args"]["urn"]
            state = {"urn": urn, "id": "", "state": self.states.get(urn, {})}
            return answer(**{"return": struct(state)})
        response = self.response(found["tok"])
        reasons = response.get("failures") or []
        failures = [provider_pb2.CheckFailure(reason=reason) for reason in reasons]
        outputs = struct(wire(response.get("outputs") or {}))
        return answer(**{"failures": failures, "return": outputs})

    def Invoke(self, request):
        names = ["tok", "args", "provider", "version"]
        return self.asked("Invoke", names, request, resource_pb2.ResourceInvokeResponse)

    def Call(self, request):
        return self.asked("Call", ["tok", "args"], request, provider_pb2.CallResponse)

    def RegisterResourceOutputs(self, request):
        found = json_format.MessageToDict(request)
        outputs = found.get("outputs", {})
        self.record("RegisterResourceOutputs", {"urn": found["urn"], "outputs": outputs})
        return empty_pb2.Empty()

    def RegisterResourceHook(self, request):
        self.record("RegisterResourceHook", fields(request, ["name", "onDryRun"]))
        return empty_pb2.Empty()

    def RegisterErrorHook(self, request):
        self.record("RegisterErrorHook", fields(request, ["name"]))
        return empty_pb2.Empty()


class Log(mocks.MockEngine):
    """The engine itself, which is asked for its version only."""

    def __init__(self):
        super().__init__(None)

    def RequirePulumiVersion(self, _):
        return empty_pb2.Empty()


def run(program):
    """The result of a program."""
    engine = Engine(program)
    features = set(engine.GetDeploymentInfo(empty_pb2.Empty()).supportedFeatures)
    settings.configure(
        mocks.MockSettings(
            monitor=engine,
            monitor_features=features,
            engine=Log(),
            project="proj",
            stack="dev",
            dry_run=engine.is_preview,
            organization=program.get("organization", "acme"),
            root_directory=program["directory"],
            callbacks=None,
            parallel=1,
        )
    )
    pulumi.runtime.set_all_config(program.get("config") or {}, program.get("configSecretKeys"))
    os.chdir(program["directory"])
    sys.path.insert(0, program["directory"])
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    error = None
    try:
        main = os.path.join(program["directory"], "__main__.py")
        ran = pulumi.runtime.run_in_stack(lambda: runpy.run_path(main, run_name="__main__"))
        loop.run_until_complete(ran)
    except BaseException as failure:  # A program may do anything.
        error = "".join(traceback.format_exception(failure))[-1500:]
    events = json.dumps(engine.events).replace(program["directory"], "<dir>")
    return {"id": program["id"], "events": json.loads(events), "error": error}


def forked(work):
    """Does work in a process of its own, and returns its status."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.waitpid(child, 0)[1]


def run_one(program, results):
    """Runs a program in a process of its own: the SDK keeps what one leaves behind."""
    place = f"{sys.argv[1]}.one"

    def work():
        signal.alarm(TIMEOUT)
        result = run(program)
        with open(place, "w") as one:
            json.dump(result, one)

    status = forked(work)
    if status == 0:
        with open(place) as one:
            results.write(one.read() + "\n")
    else:
        ended = {"id": program["id"], "events": [], "error": f"it ended with {status}"}
        results.write(json.dumps(ended) + "\n")


def run_group(sdks, programs):
    """Runs programs with the same SDKs. A large one takes seconds to be imported, so the programs
    find it imported already."""
    sys.path[:0] = sdks
    for sdk in sdks:
        for package in sorted(pathlib.Path(sdk).glob("*/__init__.py")):
            importlib.import_module(package.parent.name)
    with open(sys.argv[1], "a") as results:
        for program in programs:
            run_one(program, results)


def main():
    groups = {}
    for program in json.load(sys.stdin):
        groups.setdefault(tuple(program["sdks"]), []).append(program)
    open(sys.argv[1], "w").close()
    for sdks, programs in groups.items():
        status = forked(lambda: run_group(list(sdks), programs))
        if status != 0:
            sys.exit(f"the programs of {', '.join(sdks)} ended with {status}")


if __name__ == "__main__":
    main()
