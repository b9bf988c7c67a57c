"""Find keywords of a tool's schema that are written beside it, one level too high."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scaffold.base.diagnostics import Fix
from scaffold.base.diagnostics.wording import join
from scaffold.schema.keywords import KEYWORDS, TYPES
from scaffold.spec.entries import Tool
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.edits import column, indented
from scaffold.yaml.finding import Finding

_SCHEMAS = ("inputSchema", "outputSchema")
_OWN = {field.alias or name for name, field in Tool.model_fields.items()}


def misplaced(tool: Mapping[str, Any], at: str, document: Document) -> Finding | None:
    """Return the finding about the misplaced keywords of the tool at a JSON Pointer, if any."""
    keywords = [key for key in tool if key in KEYWORDS and key not in _OWN]
    if not keywords or ("type" in keywords and tool["type"] not in TYPES):
        return None
    above = [key for key in [*tool][: [*tool].index(keywords[0])] if key in _SCHEMAS]
    schema = above[-1] if above else "inputSchema"
    inner = tool.get(schema)
    if not (inner is None or isinstance(inner, dict)) or {*keywords} & {*(inner or {})}:
        return None
    them = "them" if keywords[1:] else "it"
    hint = f"indent {them} under `{schema}`"
    if not above:
        hint = f"write `{schema}:` above, and indent {them} under it"
    if document.is_flow(at):
        hint = f"move {them} into `{schema}`"
    message = f"{join(keywords, 'and')} {'belong' if keywords[1:] else 'belongs'} to `{schema}`"
    here = at + pointer(keywords[0])
    related = (at + pointer(schema), "the schema") if schema in tool else None
    fix = _fix(tool, schema, keywords, at, document) if above else None
    return Finding(here, "misplaced-keyword", message, hint, True, related, fix)


def _fix(
    tool: Mapping[str, Any], schema: str, keywords: list[str], at: str, document: Document
) -> Fix | None:
    """Return the fix that indents the keywords, if they follow their schema in block style."""
    keys = [*tool]
    first = keys.index(schema) + 1
    inner, outer = tool[schema], column(document, at + pointer(schema))
    if keys[first : first + len(keywords)] != keywords or outer is None:
        return None
    columns = 2
    if inner:
        nested = column(document, at + pointer(schema, next(iter(inner))))
        if nested is None or document.is_flow(at + pointer(schema)):
            return None
        columns = nested - outer
    elif inner is not None:
        return None
    moved = [at + pointer(key) for key in keywords]
    return indented(document, moved, columns, at + pointer(schema, keywords[0]))
