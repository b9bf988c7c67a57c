"""Pages that show the results of tools: MCP Apps (SEP-1865)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from scaffold.base.diagnostics import Diagnostic, Severity
from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import RelPath
from scaffold.format.check import LoadedSpec
from scaffold.format.entries import Tool
from scaffold.format.fields import JsonObject
from scaffold.format.spec import Spec
from scaffold.yaml.document import Document, Node

EXTENSION = "io.modelcontextprotocol/ui"
_TYPE = "text/html;profile=mcp-app"
_NOTHING = Node(None, 0, 0, None, 0)
_FETCHED = re.compile(
    r"""(?:\bsrc\s*=|<link\b[^>]*\bhref\s*=|\burl\(|\bfetch\(|\bWebSocket\(|\bimport\b[^;"'\n]*)\s*"""
    r"""["'`]?(?P<origin>(?:https?|wss?)://(?P<host>[^\s/"'`)>]+))"""
)


def wire(tool: Tool, spec: Spec) -> JsonObject:
    """Return the object of a tool in the list, which names its page."""
    if tool.ui is None:
        return tool.wire
    page = {"resourceUri": spec.page_of(tool), "visibility": list(tool.ui.visibility)}
    return {**tool.wire, "_meta": {**(tool.meta or {}), "ui": page}}


def pages(spec: Spec, attached: Mapping[RelPath, str]) -> Iterator[JsonObject]:
    """Yield the content of the resource that is the page of a tool, for all tools that have one."""
    for tool in spec.tools:
        if tool.ui is None:
            continue
        about = tool.ui.model_dump(
            by_alias=True, include={"csp", "prefers_border"}, exclude_unset=True
        )
        content = {"uri": spec.page_of(tool), "mimeType": _TYPE, "text": attached[tool.ui.path]}
        yield {**content, "_meta": {"ui": about}} if about else content


def listed(page: JsonObject) -> JsonObject:
    """Return the object of a page in the list of resources."""
    name = page["uri"].rpartition("/")[2]
    return {"name": name, **{key: value for key, value in page.items() if key != "text"}}


def blocked_hosts(attached: Mapping[RelPath, str], loaded: LoadedSpec) -> Iterator[Diagnostic]:
    """Yield a warning for each host that a page uses and its policy does not allow."""
    spec = loaded.spec
    for tool in spec.tools if "page-host" not in spec.lint.ignore else ():
        if tool.ui is None or tool.ui.path not in attached:
            continue
        path = str(Path(loaded.document.name).parent / tool.ui.path)
        document = Document(path, attached[tool.ui.path], None, _NOTHING)
        policy = tool.ui.csp.model_dump() if tool.ui.csp else {}
        allowed = [origin for origins in policy.values() for origin in origins]
        for match in _FETCHED.finditer(document.text):
            host = match["host"].split(":")[0]
            known = {origin.partition("://")[2].split(":")[0] for origin in allowed}
            if host not in known and f"*.{host.partition('.')[2]}" not in known:
                message = f"the page uses {quote(host)}, which hosts block for {quote(tool.name)}"
                hint = f"add `{match['origin']}` to a key of `ui.csp`, or put the file in the page"
                place = document.at(*match.span("host"))
                yield Diagnostic("page-host", message, place, hint, Severity.WARNING)
