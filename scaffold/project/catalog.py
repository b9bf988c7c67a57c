"""The catalog: JSON from which the generated server answers lists and static content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic_core import to_json

from scaffold.base.files import RelPath
from scaffold.base.text import json_visible
from scaffold.format.fields import JsonObject
from scaffold.format.settings import ValueType, Variable
from scaffold.format.spec import Resource, Spec, Tool
from scaffold.project.checks import checks

_APPS = "io.modelcontextprotocol/ui"
_PAGE = "text/html;profile=mcp-app"
"""The extension and the media type of MCP Apps, pages that show the results of tools (SEP-1865)."""

_INFO = ("name", "version", "title", "description", "websiteUrl", "icons")
"""The keys of the spec that belong to MCP's Implementation."""

_MADE_UP = {ValueType.INTEGER: "1", ValueType.NUMBER: "1", ValueType.BOOLEAN: "true"}


def catalog(spec: Spec, package: str, attached: Mapping[RelPath, str]) -> str:
    """Return the catalog as JSON text. Its lists hold the objects of the spec, unchanged.

    Keys: `serverInfo` (MCP's Implementation), `instructions`, declared `capabilities`; the lists
    `tools`, `resources`, `resourceTemplates`, `prompts`; `toolsets` by name; `contents` of static
    resources by URI; `messages` of static prompts by name; `legacyTools` as they were before
    2026-07-28, if that differs. `checks` are made by the client script and the tests. `standIns`
    are variables with which a server touches nothing real, with `{folder}` for an empty folder and
    `{address}` for one that does not answer. Empty keys are left out, but a server with resources
    or resource templates always has both lists.
    """
    apps = [*_pages(spec, attached)]
    whole: dict[str, object] = {
        "serverInfo": {key: spec.written[key] for key in _INFO if spec.written.get(key)},
        "instructions": spec.instructions,
        "capabilities": _capabilities(spec),
        "tools": [_wire(tool, spec) for tool in spec.tools],
        "toolsets": spec.written.get("toolsets"),
        "resources": [*(resource.wire for resource in spec.resources), *map(_listed, apps)],
        "resourceTemplates": [template.wire for template in spec.resource_templates],
        "prompts": [prompt.wire for prompt in spec.prompts],
        "contents": {r.uri: _contents(r, attached) for r in spec.resources if r.is_static}
        | {page["uri"]: page for page in apps},
        "messages": {
            prompt.name: [{"role": m.role, "content": m.block} for m in prompt.messages]
            for prompt in spec.prompts
            if prompt.messages is not None
        },
        "legacyTools": _legacy_tools(spec),
        "standIns": stand_ins(spec, package),
    }
    has_resources = spec.resources or spec.resource_templates or apps or spec.skills_path
    kept = {"resources", "resourceTemplates"} if has_resources else ()
    used = {key: value for key, value in whole.items() if value or key in kept}
    return json_visible(to_json({**used, "checks": checks(spec, used)}, indent=2).decode())


def stand_ins(spec: Spec, package: str) -> dict[str, str]:
    """Return variables with which a server touches nothing real, as `standIns` of the catalog has them."""
    handlers = [tool.handler.http for tool in spec.tools if tool.handler and tool.handler.http]
    urls = [spec.api and spec.api.url, *(handler.url for handler in handlers)]
    addresses = {url.env for url in urls if url}
    upstream = {f"{package.upper()}_UPSTREAM": "http://{address}"} if spec.upstream else {}
    return {v.name: _stand_in(v, spec, v.name in addresses) for v in spec.env} | upstream


def _stand_in(variable: Variable, spec: Spec, is_address: bool) -> str:
    """Return the made-up value of a variable; an empty one counts as not set."""
    shared = {variable.env: name for name, variable in spec.replicas or () if variable}
    is_address |= variable.type == ValueType.URL or "://" in (variable.default or "")
    if variable.required and (purpose := shared.get(variable.name)):
        return "made-up-" * 4 if purpose == "state_keys" else "redis://{address}"
    if variable.secret and not is_address:
        return "" if variable.name in shared else "made-up"
    if not variable.required and variable.default is None:
        return ""
    if variable.type == ValueType.PATH:
        return f"{{folder}}/{variable.name.lower()}"
    if is_address:
        return "http://{address}"
    return _MADE_UP.get(variable.type, "made-up") if variable.required else ""


def _capabilities(spec: Spec) -> JsonObject:
    """Return the capabilities to announce: those in use, and those declared in the spec.

    The result is empty if servers can derive them.
    """
    has_pages = any(tool.ui for tool in spec.tools)
    has = {
        "tools": spec.tools,
        "resources": spec.resources or spec.resource_templates or has_pages or spec.skills_path,
        "prompts": spec.prompts,
    }
    declared = {
        **spec.written.get("capabilities", {}),
        **({"extensions": {_APPS: {}}} if has_pages else {}),
    }
    if not declared:
        return {}
    return {**{kind: {} for kind, entries in has.items() if entries}, **declared}


def _legacy_tools(spec: Spec) -> list[JsonObject]:
    """Return the tools without output schemas of values that are not objects, if there are any.

    Before 2026-07-28, only objects were structured (MCP 2025-11-25, server/tools).
    """
    odd = [t for t in spec.tools if t.result and t.result.root.keywords.get("type") != "object"]
    if not odd:
        return []
    return [
        {key: value for key, value in _wire(tool, spec).items() if key != "outputSchema"}
        if tool in odd
        else dict(_wire(tool, spec))
        for tool in spec.tools
    ]


def _wire(tool: Tool, spec: Spec) -> JsonObject:
    """Return the object of a tool in the list, which names its page."""
    if tool.ui is None:
        return tool.wire
    page = {"resourceUri": spec.page_of(tool), "visibility": list(tool.ui.visibility)}
    return {**tool.wire, "_meta": {**(tool.meta or {}), "ui": page}}


def _pages(spec: Spec, attached: Mapping[RelPath, str]) -> Iterator[JsonObject]:
    """Yield the content of the resource that is the page of a tool, for all tools that have one."""
    for tool in spec.tools:
        if tool.ui is None:
            continue
        about = tool.ui.model_dump(
            by_alias=True, include={"csp", "prefers_border"}, exclude_unset=True
        )
        content = {"uri": spec.page_of(tool), "mimeType": _PAGE, "text": attached[tool.ui.path]}
        yield {**content, "_meta": {"ui": about}} if about else content


def _listed(page: JsonObject) -> JsonObject:
    """Return the object of a page in the list of resources."""
    name = page["uri"].rpartition("/")[2]
    return {"name": name, **{key: value for key, value in page.items() if key != "text"}}


def _contents(resource: Resource, attached: Mapping[RelPath, str]) -> JsonObject:
    text = resource.text if resource.path is None else attached[resource.path]
    contents = {"uri": resource.uri, "mimeType": resource.mime_type, "text": text}
    return {key: value for key, value in contents.items() if value is not None}
