"""Check the messages of domain errors and static prompts: placeholders and content blocks."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.base.diagnostics.wording import did_you_mean, join, quote
from scaffold.spec.draft import Draft
from scaffold.spec.fields import JsonObject
from scaffold.spec.placeholders import BRACES, read_names
from scaffold.yaml.finding import Finding

_CONTENT: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "image": {"data": str, "mimeType": str},
    "audio": {"data": str, "mimeType": str},
    "resource": {"resource": dict},
    "resource_link": {"uri": str, "name": str},
}
"""The required keys of content blocks in MCP 2025-11-25 (schema ContentBlock)."""


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield invalid messages, and errors that tools do not declare."""
    yield from _error_faults(draft)
    yield from _prompt_faults(draft)


def _error_faults(draft: Draft) -> Iterator[Finding]:
    """Yield messages with invalid placeholders, and undeclared errors."""
    for error in draft.spec.errors:
        _, broken = read_names(error.message)
        if broken:
            yield Finding(f"{error.pointer}/message", "bad-placeholder", broken, BRACES)
    if "/errors" in draft.lost:
        return
    declared = [error.name for error in draft.spec.errors]
    for tool in draft.spec.tools:
        for number, name in enumerate(tool.errors):
            if name not in declared:
                at, message = f"{tool.pointer}/errors/{number}", f"undeclared error {quote(name)}"
                declare = f"declare it: `errors: [{{name: {name}, message: …}}]`"
                hint = did_you_mean(name, declared, declare)
                yield Finding(at, "unknown-error", message, hint)


def _prompt_faults(draft: Draft) -> Iterator[Finding]:
    """Yield invalid content blocks, and placeholders of undeclared arguments."""
    for prompt in draft.spec.prompts:
        arguments = [argument.name for argument in prompt.arguments]
        is_known = f"{prompt.pointer}/arguments" not in draft.lost
        for number, message in enumerate(prompt.messages or ()):
            at = f"{prompt.pointer}/messages/{number}/content"
            content: object = message.content
            if not isinstance(message.content, str):
                yield from _content_faults(message.content, at)
                content, at = message.content.get("text"), f"{at}/text"
            if isinstance(content, str) and is_known:
                yield from _argument_faults(content, arguments, at)


def _argument_faults(text: str, known: list[str], at: str) -> Iterator[Finding]:
    names, broken = read_names(text)
    for name in names:
        if name not in known:
            add = "add it to `arguments`, or write `{{` and `}}` for literal braces"
            message = f"{quote(name)} in braces is not an argument of this prompt"
            yield Finding(at, "unknown-argument", message, did_you_mean(name, known, add))
    if broken:
        yield Finding(at, "bad-placeholder", broken, BRACES)


def _content_faults(content: JsonObject, at: str) -> Iterator[Finding]:
    kind = content.get("type")
    if not isinstance(kind, str) or kind not in _CONTENT:
        hint = f"write the text itself, or a mapping with a `type`: {join(_CONTENT)}"
        yield Finding(at, "bad-content", "this is not an MCP content block", hint)
        return
    for key, type_ in _CONTENT[kind].items():
        if not isinstance(content.get(key), type_):
            message = f"a content block of type `{kind}` needs the key `{key}`"
            hint = f"add `{key}`, a {'mapping' if type_ is dict else 'string'}"
            yield Finding(at, "bad-content", message, hint)
