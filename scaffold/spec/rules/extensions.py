"""Check the extensions of MCP: where skills are, and the pages of tools."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics.wording import quote
from scaffold.base.files import RelPath
from scaffold.spec.draft import Draft
from scaffold.yaml.finding import Finding


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield paths that lead elsewhere, and tools with two pages."""
    spec = draft.spec
    if spec.skills is not None:
        yield from bad_path("/skills", spec.skills, "skills")
    uris = {resource.uri: resource for resource in spec.resources}
    for tool in spec.tools:
        if tool.ui is None:
            continue
        at = f"{tool.pointer}/ui"
        yield from bad_path(f"{at}/file", tool.ui.file, "ui/page.html")
        if "ui" in (tool.meta or {}):
            related = (f"{tool.pointer}/_meta/ui", "the other is here")
            message, hint = "the tool has both `ui` and `_meta.ui`", "remove one of them"
            yield Finding(at, "two-pages", message, hint, at_key=True, related=related)
        if other := uris.get(spec.page_of(tool) or ""):
            message = f"{quote(other.uri)} is the page of the tool {quote(tool.name)}"
            yield Finding(f"{other.pointer}/uri", "two-pages", message, "use another URI")


def bad_path(at: str, path: str, example: str) -> Iterator[Finding]:
    """Yield the finding for a path that is not below the directory of the spec."""
    try:
        RelPath.beside(path)
    except ValueError:
        message = f"{quote(path)} is not a path below the directory of the spec"
        hint = f"write a path with `/` and without `..`: `{example}`"
        yield Finding(at, "bad-relative-path", message, hint)
