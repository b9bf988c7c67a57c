"""Refuse what servers without dependencies cannot do, rather than generate half of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold.base.diagnostics.wording import join, quote
from scaffold.languages.python.patterns import translated
from scaffold.schema.check import pattern_problem, patterns
from scaffold.schema.index import Index
from scaffold.schema.regular.reading import PatternError
from scaffold.spec.draft import Draft
from scaffold.spec.format import Spec
from scaffold.yaml.finding import Finding

_USE = "use the pack `python`"
_HINT = f"{_USE}, or write the handlers by hand"

UNKNOWN_FORMATS = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference"})
"""The formats that would have to be checked, and are not: they need tables of Unicode."""

_URI_TEMPLATE = re.compile(r"(?:[^{}?]|\{[+/]?\w+\})*(?:\{\?\w+(?:,\w+)*\})?")
"""The templates whose values are found by a simple pattern."""

_METASCHEMAS = ("https://json-schema.org/draft/", "http://json-schema.org/draft-")

_DECIDING = {"if", "maxContains", "not", "oneOf"}
"""The keywords by which a value can be valid because it does not fit a schema."""


def unsupported(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each part of a spec that the pack `python-stdlib` cannot serve."""
    spec = draft.spec
    if spec.upstream:
        message = "the pack `python-stdlib` cannot pass calls on to another MCP server"
        yield Finding("/upstream", "pack-lacks", message, _HINT, at_key=True)
    if spec.skills is not None:
        message = "the pack `python-stdlib` cannot serve skills"
        yield Finding("/skills", "pack-lacks", message, f"remove them, or {_USE}", at_key=True)
    if "stdio" not in spec.transports:
        message = "the pack `python-stdlib` serves clients over standard input and output only"
        hint = "add `stdio`, or use the pack `python` for HTTP"
        yield Finding("/transports", "pack-lacks", message, hint)
    for tool in spec.tools:
        if tool.task:
            message = "the pack `python-stdlib` has no tasks"
            hint = f"remove `task`, or {_USE}"
            yield Finding(f"{tool.pointer}/task", "pack-lacks", message, hint, at_key=True)
    yield from _uri_templates(draft)
    yield from _schemas(draft)
    yield from _patterns(draft)


def left_out(spec: Spec) -> Iterator[Finding]:
    """Yield a finding for the transports and the telemetry that the pack leaves out."""
    if others := [one for one in spec.transports if one != "stdio"]:
        message = f"the pack `python-stdlib` leaves out {join(others, 'and')}"
        hint = "use the pack `python` to serve them too"
        yield Finding("/transports", "pack-lacks", message, hint)
    if spec.telemetry:
        message = "the pack `python-stdlib` leaves out `telemetry`"
        yield Finding("/telemetry", "pack-lacks", message, "use the pack `python`", at_key=True)


def served(spec: Spec) -> Spec:
    """Return the spec of what the pack `python-stdlib` serves of a spec."""
    return spec.model_copy(update={"transports": ["stdio"], "auth": None, "telemetry": False})


def _uri_templates(draft: Draft) -> Iterator[Finding]:
    for one in draft.spec.resource_templates:
        if not _URI_TEMPLATE.fullmatch(one.uri_template):
            message = f"the pack `python-stdlib` cannot match {quote(one.uri_template)}"
            hint = "write `{name}`, `{+name}` or `{/name}`, and `{?one,two}` at the end"
            yield Finding(f"{one.pointer}/uriTemplate", "pack-lacks", message, hint)


def _schemas(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each format and each reference that is not known without a library."""
    for at, index in draft.spec.schemas:
        for part in index.all.values():
            format, reference = part.keywords.get("format"), part.keywords.get("$ref")
            here = f"{at}{part.pointer}"
            if format in UNKNOWN_FORMATS:
                message = f"the pack `python-stdlib` cannot check the format `{format}`"
                hint = f"remove it, write a `pattern`, or {_USE}"
                yield Finding(f"{here}/format", "pack-lacks", message, hint)
            if isinstance(reference, str) and reference.startswith(_METASCHEMAS):
                message = "the pack `python-stdlib` does not have the meta-schemas"
                yield Finding(f"{here}/$ref", "pack-lacks", message, f"remove it, or {_USE}")
            if "$dynamicRef" in part.keywords:
                message = "the pack `python-stdlib` does not follow `$dynamicRef`"
                hint = f"write `$ref`, or {_USE}"
                yield Finding(f"{here}/$dynamicRef", "pack-lacks", message, hint, at_key=True)


def _patterns(draft: Draft) -> Iterator[Finding]:
    """Yield a finding for each pattern that Python's `re` cannot search, or not in short time."""
    for at, index in draft.spec.schemas:
        for where, pattern, at_key in patterns(index, at):
            if pattern_problem(pattern):
                continue
            try:
                _check_limit(pattern, at_key, index)
            except PatternError as error:
                message, hint = f"{quote(pattern)}: {error.message}", f"{error.hint}; or {_USE}"
                yield Finding(where, "pack-lacks", message, hint, at_key)


def _check_limit(pattern: str, is_key: bool, index: Index) -> None:
    """Raise PatternError if a pattern must match texts that take Python too long.

    A long text does not match it, and is refused. It may not be accepted for that reason.
    """
    longest = translated(pattern).limit
    if longest is None:
        return
    every = [part.keywords for part in index.all.values()]
    is_decided_upon = any(not _DECIDING.isdisjoint(part) for part in every)
    is_short = all(
        isinstance(most := part.get("maxLength"), int) and most <= longest
        for part in every
        if part.get("pattern") == pattern
    )
    if not is_key and (is_short or not is_decided_upon):
        return
    message = "a search for it in long texts can take Python minutes"
    hint = f"write `maxLength: {longest}` beside it"
    raise PatternError(message, "begin it with `^`, and write fewer loops" if is_key else hint)
