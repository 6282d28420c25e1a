"""The provider plugin `shelf`: its resource `Book` keeps a text file, and `read` reads one.

What a program does is seen on disk. A book whose directory does not exist cannot be created, and
one with a `delay` takes that many seconds.
"""

import asyncio
import json
import pathlib
import sys

from pulumi.provider.experimental import provider
from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.server import main

VERSION = "0.1.0"
TEXT = {"type": "string"}
INPUTS = {"path": TEXT, "text": TEXT, "delay": {"type": "number"}}
SCHEMA = {
    "name": "shelf",
    "version": VERSION,
    "resources": {
        "shelf:index:Book": {
            "inputProperties": INPUTS,
            "requiredInputs": ["path", "text"],
            "properties": INPUTS | {"length": {"type": "integer"}},
            "required": ["path", "text", "length"],
        }
    },
    "functions": {
        "shelf:index:read": {
            "inputs": {"properties": {"path": TEXT}, "required": ["path"]},
            "outputs": {"properties": {"text": TEXT}, "required": ["text"]},
        }
    },
}


def write(properties):
    """Writes the file of a book. Returns the properties of the book."""
    text = properties["text"]
    pathlib.Path(properties["path"].value).write_text(text.value, encoding="utf-8")
    length = PropertyValue(float(len(text.value)), is_secret=text.is_secret)
    return dict(properties) | {"length": length}


def read(path):
    return PropertyValue(pathlib.Path(path).read_text(encoding="utf-8"))


class Shelf(provider.Provider):
    async def get_schema(self, request):
        return provider.GetSchemaResponse(json.dumps(SCHEMA))

    async def configure(self, request):
        # Without support for previews, all outputs are unknown in a preview.
        return provider.ConfigureResponse(accept_secrets=True, supports_preview=False)

    async def create(self, request):
        if "delay" in request.properties:
            await asyncio.sleep(request.properties["delay"].value)
        properties = write(request.properties)
        return provider.CreateResponse(properties["path"].value, properties)

    async def read(self, request):
        path = PropertyValue(request.resource_id)
        inputs = {"path": path, "text": read(path.value)}
        outputs = inputs | {"length": PropertyValue(float(len(inputs["text"].value)))}
        return provider.ReadResponse(request.resource_id, outputs, inputs)

    async def diff(self, request):
        old, new = request.old_state, request.new_inputs
        diffs = [name for name in INPUTS if old.get(name) != new.get(name)]
        replaces = [name for name in diffs if name == "path"]
        return provider.DiffResponse(bool(diffs), replaces=replaces, diffs=diffs)

    async def update(self, request):
        return provider.UpdateResponse(write(request.news))

    async def delete(self, request):
        pathlib.Path(request.resource_id).unlink()

    async def invoke(self, request):
        return provider.InvokeResponse({"text": read(request.args["path"].value)})


main(sys.argv[1:], VERSION, Shelf())
