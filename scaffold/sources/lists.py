"""Convert the lists of an MCP server, as responses or saved as JSON, to a spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.diagnostics.wording import join
from scaffold.format.entries import unsent
from scaffold.format.fields import JsonObject
from scaffold.format.spec import LISTS
from scaffold.sources.source import KINDS, Source, server_name, server_version

_FIRST = ("name", "uri", "uriTemplate", "title", "description", "mimeType", "arguments")
_LAST = ("annotations", "icons", "_meta")
_INFO = ("title", "description", "websiteUrl", "icons")
_FLAGS = {
    "tools": ("listChanged",),
    "resources": ("subscribe", "listChanged"),
    "prompts": ("listChanged",),
}

_STATIC = ("contents", "messages")
"""What the catalog of a generated server has besides lists: the content of resources and prompts."""

_WRAPPED = "x-fastmcp-wrap-result"


def read_listing(value: object, source: str, name: str) -> Source:
    """Return the source in a JSON value; `name` is the server's, if the value has none.

    The value is an array of tools; an object with `tools` and the like, as in the answer to
    `tools/list` or the catalog of a generated server; a JSON-RPC response; or an array of pages.
    Raises ScaffoldError if it is none of these, or if pages are missing.
    """
    pages = [*_pages(value)]
    if isinstance(value, dict) and "environment" in value and "serverInfo" not in value:
        message, hint = "this report has no MCP lists", "run `fastmcp inspect --format mcp`"
        raise ScaffoldError.of("not-importable", message, source, hint)
    if not pages:
        message = "this is not a tool list"
        hint = (
            "use an array of tools, an object with `tools`, a `tools/list` response, "
            "or an OpenAPI document"
        )
        raise ScaffoldError.of("not-importable", message, source, hint)
    lists: dict[str, list[JsonObject]] = {}
    whole: dict[str, Any] = {}
    for kind in KINDS:
        of_kind = [page for page in pages if isinstance(page.get(kind), list)]
        if of_kind and of_kind[-1].get("nextCursor"):
            message = f"the list of `{kind}` is not complete: its last page has a `nextCursor`"
            hint = "save the other pages too, such as in an array of all pages"
            raise ScaffoldError.of("not-importable", message, source, hint)
    for page in pages:
        for kind in KINDS:
            lists.setdefault(kind, []).extend(_entries(page.get(kind), kind, source))
        whole |= page
    server = whole.get("serverInfo") or whole.get("server")
    info = server if isinstance(server, dict) else {}
    instructions = whole.get("instructions") or info.get("instructions")
    source_lists = from_lists(source, name, lists, info, instructions, whole.get("capabilities"))
    static = [key for key in _STATIC if whole.get(key)]
    if not static:
        return source_lists
    loss = f"the static content in {join(static, 'and')} was left out"
    note = f"{loss}: the `mcp.yaml` of the server's project has it"
    return replace(source_lists, notes=(*source_lists.notes, note))


def _pages(value: object) -> Iterator[dict[str, Any]]:
    """Yield the pages in a value, each an object with some of the lists."""
    if isinstance(value, list):
        if value and all(
            isinstance(each, dict) and {"name", "inputSchema"} <= {*each} for each in value
        ):
            yield {"tools": value}
        else:
            for item in value:
                yield from _pages(item)
    elif isinstance(value, dict):
        if isinstance(value.get("result"), dict):
            yield from _pages(value["result"])
        elif any(isinstance(value.get(kind), list) for kind in KINDS) or "serverInfo" in value:
            yield value


def _entries(value: object, kind: str, source: str) -> Sequence[JsonObject]:
    entries = value if isinstance(value, list) else []
    for at, entry in enumerate(entries):
        if not isinstance(entry, dict):
            message = f"item {at + 1} of `{kind}` is not an object"
            raise ScaffoldError.of("not-importable", message, source, "remove it")
    return entries


def from_lists(
    source: str,
    name: str,
    lists: Mapping[str, Sequence[JsonObject]],
    info: JsonObject,
    instructions: object = None,
    capabilities: object = None,
) -> Source:
    """Return `source` with these lists, by MCP's keys.

    `info` is the server's Implementation object and `capabilities` its ServerCapabilities, as far
    as they are known; `name` stands in for the server's name.
    """
    if is_default_name(str(info.get("name"))):
        info = {key: value for key, value in info.items() if key != "name"}
    given = str(info.get("name") or name)
    notes: list[str] = []
    spec: dict[str, object] = {
        "name": server_name(given),
        "version": server_version(info.get("version") or ""),
    }
    if info.get("name") and spec["name"] != given:
        spec["title"] = given
        notes.append(f"the server's name is `{spec['name']}`, and `{given}` its title")
    spec |= {key: info[key] for key in _INFO if info.get(key)}
    if isinstance(instructions, str) and instructions.strip():
        spec["instructions"] = instructions
    listed = {kind: [*map(_without_nulls, lists[kind])] for kind in KINDS if lists.get(kind)}
    for kind, entries in listed.items():
        if own := sorted(unsent(LISTS[kind]) & {key for entry in entries for key in entry}):
            notes.append(f"left out of `{kind}`, since MCP does not have it: {join(own, 'and')}")
            listed[kind] = [
                {key: entry[key] for key in entry if key not in own} for entry in entries
            ]
    if declared := _declared(capabilities, listed):
        spec["capabilities"] = declared
    notes += _dropped(capabilities)
    spec |= {kind: [*map(_in_order, entries)] for kind, entries in listed.items()}
    assumed = frozenset(key for key in ("name", "version") if not info.get(key))
    return Source(source, spec, listed, tuple(notes), assumed=assumed)


def _without_nulls(entry: JsonObject) -> JsonObject:
    """Return an entry without keys that are null: MCP has no such values, and some servers do."""
    return {
        key: [*map(_without_nulls, value)] if key in ("arguments", "icons") and _is_rows(value)
        else _without_nulls(value) if key == "annotations" and isinstance(value, dict)
        else value
        for key, value in entry.items()
        if value is not None
    }  # fmt: skip


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _in_order(entry: JsonObject) -> JsonObject:
    """Return an entry with its keys in the order in which people read them."""
    between = [key for key in entry if key not in (*_FIRST, *_LAST)]
    return {key: entry[key] for key in (*_FIRST, *between, *_LAST) if key in entry}


def _declared(capabilities: object, listed: Iterable[str]) -> JsonObject:
    """Return the capabilities that a spec must declare: the others follow from its lists."""
    if not isinstance(capabilities, dict):
        return {}
    kept: dict[str, object] = {
        key: {} for key in ("completions", "logging") if capabilities.get(key) is not None
    }
    kinds = {"resources" if kind == "resourceTemplates" else kind for kind in listed}
    for kind, names in _FLAGS.items():
        flags = capabilities.get(kind)
        set_ = {name: True for name in names if isinstance(flags, dict) and flags.get(name) is True}
        if kind in kinds and set_:
            kept[kind] = set_
    return kept


def _dropped(capabilities: object) -> Iterator[str]:
    """Yield a note on each capability that has no place in a spec."""
    for key, value in capabilities.items() if isinstance(capabilities, dict) else ():
        if key not in ("completions", "logging", *_FLAGS) and value:
            yield f"the capability `{key}` was left out: a spec cannot declare it"


def is_default_name(name: str) -> bool:
    """Return whether this is the name that a library gives to servers without one."""
    return re.fullmatch("FastMCP(-[0-9a-f]{4})?|mcp-server", name) is not None


def without_library(source: Source) -> Source:
    """Return a source without what libraries add to it, such as a property `result` around text."""
    plain = {kind: [*map(_plain, entries)] for kind, entries in source.listed.items()}
    if plain == source.listed:
        return source
    spec = {**source.spec, **{kind: [*map(_plain, source.spec[kind])] for kind in plain}}
    note = "left out what the server's library adds: its `_meta`, and the `result` around text"
    return replace(source, spec=spec, listed=plain, notes=(*source.notes, note))


def _plain(entry: JsonObject) -> JsonObject:
    result: dict[str, Any] = {**entry}
    if isinstance(meta := entry.get("_meta"), dict) and meta:
        result["_meta"] = {key: meta[key] for key in meta if key.lstrip("_") != "fastmcp"}
        if not result["_meta"]:
            del result["_meta"]
    if isinstance(output := entry.get("outputSchema"), dict):
        result["outputSchema"] = {key: output[key] for key in output if key != _WRAPPED}
        is_made = _WRAPPED in output or output.get("title") == f"{entry.get('name')}Output"
        if is_made and _is_text(output.get("properties")):
            del result["outputSchema"]
    return result


def _is_text(properties: object) -> bool:
    """Return whether the only property is a `result` that can be any text."""
    match properties:
        case {"result": {"type": "string", **more}, **others}:
            return not others and more.keys() <= {"title"}
    return False
