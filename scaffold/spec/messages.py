"""Faults of the texts that are filled in: the messages of errors and of static prompts."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from typing import Any

from scaffold.spec.document import Document
from scaffold.spec.finding import Finding, listing, nearest, shown
from scaffold.spec.placeholders import placeholders

_BRACES = "write `{name}` for a value, and `{{` and `}}` for braces themselves"

_CONTENT: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "image": {"data": str, "mimeType": str},
    "audio": {"data": str, "mimeType": str},
    "resource": {"resource": dict},
    "resource_link": {"uri": str, "name": str},
}
"""The content blocks of MCP 2025-11-25 (schema ContentBlock), with what each must have."""


def error_faults(document: Document) -> Iterator[Finding]:
    """Domain errors whose name or message cannot become an exception class."""
    for at, error in document.mappings("errors"):
        name, message = error.get("name"), error.get("message")
        if isinstance(name, str) and (
            keyword.iskeyword(name) or hasattr(builtins, name) or name == "ToolError"
        ):
            yield Finding(
                f"{at}/name",
                "bad-error-name",
                f"`{name}` already means something in the generated code",
                "choose a name that says what failed: `ChunkNotFound`",
            )
        if not isinstance(message, str):
            continue
        for field, finding in _names(message, f"{at}/message"):
            if finding:
                yield finding
            elif not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", field) or keyword.iskeyword(field):
                yield Finding(
                    f"{at}/message",
                    "bad-placeholder",
                    f"{shown(field)} in braces cannot name a field",
                    "use a name of letters, digits and `_`, a letter first; " + _BRACES,
                )
            elif field in ("self", "message", "args"):
                yield Finding(
                    f"{at}/message",
                    "bad-placeholder",
                    f"the field name `{field}` is taken",
                    "choose another name",
                )


def prompt_faults(document: Document) -> Iterator[Finding]:
    """Prompts whose messages are no content, or name arguments that are not declared."""
    for at, prompt in document.mappings("prompts"):
        arguments, messages = prompt.get("arguments"), prompt.get("messages")
        known = [
            str(argument["name"])
            for argument in (arguments if isinstance(arguments, list) else ())
            if isinstance(argument, dict) and isinstance(argument.get("name"), str)
        ]
        for number, message in enumerate(messages if isinstance(messages, list) else ()):
            if not isinstance(message, dict):
                continue
            content = message.get("content")
            here = f"{at}/messages/{number}/content"
            if isinstance(content, dict):
                yield from _content_faults(content, here)
                content, here = content.get("text"), f"{here}/text"
            if isinstance(content, str):
                yield from _argument_faults(content, known, here)


def _argument_faults(text: str, known: list[str], here: str) -> Iterator[Finding]:
    for name, finding in _names(text, here):
        if finding:
            yield finding
        elif name not in known:
            meant = nearest(name, known)
            yield Finding(
                here,
                "unknown-argument",
                f"{shown(name)} in braces is not an argument of this prompt",
                f"did you mean `{meant}`?"
                if meant
                else "add it to `arguments`; write `{{` and `}}` for braces themselves",
            )


def _content_faults(content: dict[str, Any], here: str) -> Iterator[Finding]:
    kind = content.get("type")
    if not isinstance(kind, str) or kind not in _CONTENT:
        yield Finding(
            here,
            "bad-content",
            "this is no content block of MCP",
            f"write the text itself, or give a `type`: {listing(_CONTENT)}",
        )
        return
    for key, type_ in _CONTENT[kind].items():
        if not isinstance(content.get(key), type_):
            yield Finding(
                here,
                "bad-content",
                f"a content block of type `{kind}` must have `{key}`",
                f"add `{key}`, {'a mapping' if type_ is dict else 'a text'}",
            )


def _names(text: str, here: str) -> Iterator[tuple[str, Finding | None]]:
    """The names in braces, or one finding where they cannot be read."""
    try:
        yield from ((name, None) for name in placeholders(text))
    except ValueError as error:
        yield "", Finding(here, "bad-placeholder", str(error), _BRACES)
