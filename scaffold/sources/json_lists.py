"""Read the lists of a server from a JSON file, in the shapes that tools write.

These are an array of tools; an object with `tools` and the like, as in the answer to `tools/list`,
the catalog of a generated server or `fastmcp inspect`; JSON-RPC responses; and arrays of pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from scaffold.diagnostics import ScaffoldError
from scaffold.sources.listing import from_lists
from scaffold.sources.source import KINDS, Source
from scaffold.spec.fields import JsonObject

_FASTMCP = {
    "templates": "resourceTemplates",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "uri_template": "uriTemplate",
    "mime_type": "mimeType",
    "meta": "_meta",
    "website_url": "websiteUrl",
}
"""The keys of `fastmcp inspect --format fastmcp`, and MCP's."""

_FASTMCP_ONLY = ("key", "tags", "enabled", "parameters")


def read_listing(value: object, source: str, name: str) -> Source:
    """Return the source in a JSON value; `name` is the server's, if the value has none.

    Raises ScaffoldError if the value is none of the shapes.
    """
    pages = [*_pages(value)]
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
    found = from_lists(source, name, lists, info, instructions, whole.get("capabilities"))
    return replace(found, spec={**found.spec, **dict(_static(found.spec, whole))})


def _pages(value: object) -> Iterator[dict[str, Any]]:
    """Yield the pages in a value, each an object with some of the lists."""
    if isinstance(value, list):
        if value and all(map(_is_tool, value)):
            yield {"tools": value}
        else:
            for item in value:
                yield from _pages(item)
    elif isinstance(value, dict):
        if isinstance(value.get("result"), dict):
            yield from _pages(value["result"])
        elif isinstance(value.get("server"), dict) and "environment" in value:
            yield _from_fastmcp(value)
        elif any(isinstance(value.get(kind), list) for kind in KINDS) or "serverInfo" in value:
            yield value


def _is_tool(item: object) -> bool:
    return isinstance(item, dict) and "name" in item and "inputSchema" in item


def _entries(value: object, kind: str, source: str) -> Sequence[JsonObject]:
    entries = value if isinstance(value, list) else []
    for at, entry in enumerate(entries):
        if not isinstance(entry, dict):
            message = f"item {at + 1} of `{kind}` is not an object"
            raise ScaffoldError.of("not-importable", message, source, "remove it")
    return entries


def _from_fastmcp(value: dict[str, Any]) -> dict[str, Any]:
    """Return the report of `fastmcp inspect --format fastmcp` with MCP's keys."""

    def renamed(row: dict[str, Any]) -> dict[str, Any]:
        return {_FASTMCP.get(key, key): v for key, v in row.items() if key not in _FASTMCP_ONLY}

    page = {
        key: [renamed(entry) if isinstance(entry, dict) else entry for entry in below]
        for key, below in renamed(value).items()
        if key in KINDS and isinstance(below, list)
    }
    server = renamed(value["server"])
    return {**page, "serverInfo": server, "capabilities": server.get("capabilities")}


def _static(spec: JsonObject, catalog: JsonObject) -> Iterator[tuple[str, list[JsonObject]]]:
    """Yield the lists of a spec whose entries have static content in a generated catalog."""
    for kind, table, key in (
        ("resources", "contents", "text"),
        ("prompts", "messages", "messages"),
    ):
        found = catalog.get(table)
        if not isinstance(found, dict) or kind not in spec:
            continue
        content = {name: value["text"] if key == "text" else value for name, value in found.items()}
        yield (
            kind,
            [
                {**entry, key: content[entry[KINDS[kind]]]}
                if entry.get(KINDS[kind]) in content
                else entry
                for entry in spec[kind]
            ],
        )
