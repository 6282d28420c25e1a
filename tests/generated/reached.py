"""The part of a schema that programs reach. A schema may have 100 MB, which hosts and generators of
SDKs read for many seconds."""

import json
import re
import urllib.parse


def names(token):
    """The names by which programs use a token: some modules are left out or made short."""
    package, module, member = token.split(":")
    yield token
    first, _, last = module.partition("/")
    if not last or last == member[:1].lower() + member[1:]:
        yield f"{package}:{first}:{member}"
        if first == "index":
            yield f"{package}:{member}"


def reached(schema, programs):
    """A schema with those resources and functions whose tokens a text of programs has, the types of
    those and their methods."""
    used = set(re.findall(r"[\w-]+:(?:[\w./-]+:)?\w+", programs))
    kept = {"types": {}, "resources": {}, "functions": {}}
    unread = [
        (section, token)
        for section in ("resources", "functions")
        for token in schema.get(section, {})
        if not used.isdisjoint(names(token))
    ]
    unread += references({"provider": schema.get("provider"), "config": schema.get("config")})
    while unread:
        section, token = unread.pop()
        found = schema.get(section, {}).get(token)
        if found is not None and token not in kept[section]:
            kept[section][token] = found
            unread += references(found)
    return schema | kept


def references(part):
    """The sections and tokens that a part of a schema refers to."""
    text = json.dumps(part)
    for section, token in re.findall(r'"#/(types|resources)/([^"]+)"', text):
        yield section, urllib.parse.unquote(token)
    for methods in re.findall(r'"methods": (\{[^{}]*\})', text):
        for token in json.loads(methods).values():
            yield "functions", token
