"""Check entries: their names, the messages of errors and prompts, and URI templates.

RFC 6570 defines how to expand a URI template, but only some templates can be reversed. The
templates accepted here are those that the SDK of the generated servers can match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scaffold.base.diagnostics.wording import did_you_mean, join, quote
from scaffold.base.files import RelPath
from scaffold.format.draft import Draft
from scaffold.format.fields import JsonObject
from scaffold.format.placeholders import BRACES, read_names
from scaffold.format.spec import Entry
from scaffold.format.texts import EXPRESSION
from scaffold.yaml.finding import Finding

_CONTENT: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "image": {"data": str, "mimeType": str},
    "audio": {"data": str, "mimeType": str},
    "resource": {"resource": dict},
    "resource_link": {"uri": str, "name": str},
}
"""The required keys of content blocks in MCP 2025-11-25 (schema ContentBlock)."""


MAX_URI_LENGTH = 8_192
MAX_VARIABLES = 256

_NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def faults(draft: Draft) -> Iterator[Finding]:
    """Yield the errors of entries, whatever their kind, and of a server that lists nothing."""
    yield from _name_faults(draft)
    yield from _error_faults(draft)
    yield from _prompt_faults(draft)
    yield from _resource_faults(draft)
    yield from _page_faults(draft)
    if draft.spec.skills is not None:
        yield from _path_faults("/skills", draft.spec.skills, "skills")


def _name_faults(draft: Draft) -> Iterator[Finding]:
    """Yield duplicate names, wrong former names, and a server that lists nothing."""
    spec = draft.spec
    is_known = not any(at.count("/") == 1 for at in draft.lost)  # else a key may be misspelt
    if is_known and not any(spec.entries.values()):
        empty = [f"/{key}" for key in spec.entries if key in spec.written]
        hint = "add a tool to `tools`" if empty == ["/tools"] else "add `tools:` with a tool"
        message = "the server has no tools, resources or prompts"
        yield Finding(empty[0] if empty else "", "empty-spec", message, hint, at_key=True)
    addressed = (*spec.resources, *spec.resource_templates)
    for entries in (spec.tools, addressed, spec.prompts):
        yield from _duplicates(
            (f"{entry.pointer}/{entry.identifier}", entry.about) for entry in entries
        )
    for entries in spec.entries.values():
        yield from _former_names(entries)
        for entry in entries:
            at = f"{entry.pointer}/examples"
            yield from _duplicates((f"{at}/{n}/name", e.name) for n, e in enumerate(entry.examples))
    yield from _duplicates((f"{error.pointer}/name", error.name) for error in spec.errors)
    yield from _duplicates(
        (f"{variable.pointer}/name", variable.name.upper()) for variable in spec.env
    )
    for prompt in spec.prompts:
        at = f"{prompt.pointer}/arguments"
        yield from _duplicates((f"{at}/{n}/name", a.name) for n, a in enumerate(prompt.arguments))


def _duplicates(named: Iterable[tuple[str, str]]) -> Iterator[Finding]:
    """Yield the names that occur twice."""
    seen: dict[str, str] = {}
    for at, name in named:
        first = seen.setdefault(name, at)
        if first != at:
            items, number, _ = first.split("/")[-3:]
            other = f"item {int(number) + 1} of `{items}`"
            message = f"duplicate name {quote(name)}: {other} has it too"
            related = (first, "already defined here")
            yield Finding(at, "duplicate-name", message, "rename one of them", related=related)


def _former_names(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield former names that are still in use or given twice; entries may swap names."""
    names = {entry.name for entry in entries if entry.renamed_from is None}
    claimed = set[str]()
    for entry in entries:
        old = entry.renamed_from
        if old is None:
            continue
        if old in (*names, *claimed, entry.name):
            used = "is still in use" if old not in claimed else "another entry has too"
            yield Finding(
                f"{entry.pointer}/renamedFrom",
                "bad-rename",
                f"`renamedFrom` has the name {quote(old)}, which {used}",
                "remove it, or write the entry's previous name",
            )
        claimed.add(old)


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


def _resource_faults(draft: Draft) -> Iterator[Finding]:
    """Yield resources with two contents or a file elsewhere, and ambiguous URI templates."""
    for resource in draft.spec.resources:
        if resource.file is None:
            continue
        at = f"{resource.pointer}/file"
        yield from _path_faults(at, resource.file, "content/about.md")
        if resource.text is not None:
            message = "the resource has both `text` and `file`"
            yield Finding(at, "two-contents", message, "remove one of them", at_key=True)
    for template in draft.spec.resource_templates:
        if trouble := problem(template.uri_template):
            yield Finding(f"{template.pointer}/uriTemplate", "bad-uri-template", *trouble)


def _page_faults(draft: Draft) -> Iterator[Finding]:
    """Yield pages whose file is elsewhere, and tools with two pages."""
    uris = {resource.uri: resource for resource in draft.spec.resources}
    for tool in draft.spec.tools:
        if tool.ui is None:
            continue
        at = f"{tool.pointer}/ui"
        yield from _path_faults(f"{at}/file", tool.ui.file, "ui/page.html")
        if "ui" in (tool.meta or {}):
            related = (f"{tool.pointer}/_meta/ui", "the other is here")
            message, hint = "the tool has both `ui` and `_meta.ui`", "remove one of them"
            yield Finding(at, "two-pages", message, hint, at_key=True, related=related)
        if other := uris.get(draft.spec.page_of(tool) or ""):
            message = f"{quote(other.uri)} is the page of the tool {quote(tool.name)}"
            yield Finding(f"{other.pointer}/uri", "two-pages", message, "use another URI")


def _path_faults(at: str, path: str, example: str) -> Iterator[Finding]:
    """Yield the finding for a path that is not below the directory of the spec."""
    try:
        RelPath.beside(path)
    except ValueError:
        message = f"{quote(path)} is not a path below the directory of the spec"
        hint = f"write a path with `/` and without `..`: `{example}`"
        yield Finding(at, "bad-relative-path", message, hint)


def problem(template: str) -> tuple[str, str] | None:
    """Return why URIs cannot be matched against a template, and a hint; None if they can.

    Also return None for invalid syntax, which the format reports.
    """
    if len(template) > MAX_URI_LENGTH:
        return f"a URI template has at most {MAX_URI_LENGTH:,} characters", "shorten it"
    names: set[str] = set()
    long = ""
    queries = done = 0
    for expression in EXPRESSION.finditer(template):
        operator, variables = expression.groups()
        apart = not names or expression.start() > done
        done = expression.end()
        queries += operator == "?"
        if queries > 1:
            return "a URI has only one `?`", "write the second expression as `{&…}`"
        for number, variable in enumerate(variables.split(",")):
            name, _, length = variable.rstrip("*").partition(":")
            exploded = variable.endswith("*")
            if length:
                return f"`{variable}` keeps only the beginning of a value", f"write `{name}`"
            if not _NAME.fullmatch(name):
                hint = "use letters, digits and `_`, with single dots between them"
                return f"invalid variable name {quote(name)}", hint
            if name in names:
                return f"duplicate variable {quote(name)}", "rename one of them"
            if exploded and operator not in ("/", ".", ";"):
                return (
                    f"the list items of `{{{operator}{variable}}}` cannot be told apart",
                    f"write `{{{operator}{name}}}` for one value, or `{{/{name}*}}` for a path",
                )
            if (exploded or (number == 0 and operator in ("", "+"))) and not apart:
                return (
                    f"nothing separates {quote(name)} from the variable before it",
                    "put a character between them, such as `/`",
                )
            if (exploded or operator in ("+", "#")) and long:
                message = f"both {quote(long)} and {quote(name)} can contain a `/`"
                return message, "let only one variable do so"
            long = name if exploded or operator in ("+", "#") else long
            names.add(name)
            apart = False
    if len(names) > MAX_VARIABLES:
        return f"the template has {len(names)} variables", f"use at most {MAX_VARIABLES}"
    return None
