"""The limits of servers without libraries: unsupported features are refused, not half generated.

Each is a function of a draft, of the name of the pack, and of a hint to use another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scaffold.base.diagnostics.wording import quote
from scaffold.format.draft import Draft
from scaffold.languages.language import Limit
from scaffold.schema.check import pattern_problem, patterns
from scaffold.schema.index import Index
from scaffold.schema.regular.reading import PatternError
from scaffold.yaml.finding import Finding

UNKNOWN_FORMATS = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference"})
"""The formats that are not supported, because checking them needs tables of Unicode."""

_URI_TEMPLATE = re.compile(r"(?:[^{}?]|\{[+/]?\w+\})*(?:\{\?\w+(?:,\w+)*\})?")
"""The templates whose values are found by a simple pattern."""

_METASCHEMAS = ("https://json-schema.org/draft/", "http://json-schema.org/draft-")

_DECIDING = {"if", "maxContains", "not", "oneOf"}
"""The keywords by which a value can be valid because it does not fit a schema."""


def uri_templates(draft: Draft, pack: str, use: str) -> Iterator[Finding]:
    for template in draft.spec.resource_templates:
        if not _URI_TEMPLATE.fullmatch(template.uri_template):
            message = f"the pack `{pack}` cannot match {quote(template.uri_template)}"
            hint = "write `{name}`, `{+name}` or `{/name}`, and `{?one,two}` at the end"
            yield Finding(f"{template.pointer}/uriTemplate", "pack-lacks", message, hint)


def formats(draft: Draft, pack: str, use: str) -> Iterator[Finding]:
    """Yield a finding for each format that is not known without a library."""
    for at, index in draft.spec.schemas:
        for part in index.all.values():
            if (format := part.keywords.get("format")) in UNKNOWN_FORMATS:
                message = f"the pack `{pack}` cannot check the format `{format}`"
                hint = f"remove it, write a `pattern`, or {use}"
                yield Finding(f"{at}{part.pointer}/format", "pack-lacks", message, hint)


def references(draft: Draft, pack: str, use: str) -> Iterator[Finding]:
    """Yield a finding for each reference that is not followed without a library."""
    for at, index in draft.spec.schemas:
        for part in index.all.values():
            reference, here = part.keywords.get("$ref"), f"{at}{part.pointer}"
            if isinstance(reference, str) and reference.startswith(_METASCHEMAS):
                message = f"the pack `{pack}` does not have the meta-schemas"
                yield Finding(f"{here}/$ref", "pack-lacks", message, f"remove it, or {use}")
            if "$dynamicRef" in part.keywords:
                message = f"the pack `{pack}` does not follow `$dynamicRef`"
                hint = f"write `$ref`, or {use}"
                yield Finding(f"{here}/$dynamicRef", "pack-lacks", message, hint, at_key=True)


def searches(draft: Draft, pack: str, use: str) -> Iterator[Finding]:
    """Yield a finding for each pattern that Python's `re` cannot search, or not in short time."""
    for at, index in draft.spec.schemas:
        for where, pattern, at_key in patterns(index, at):
            if pattern_problem(pattern):
                continue
            try:
                _check_limit(pattern, at_key, index)
            except PatternError as error:
                message, hint = f"{quote(pattern)}: {error.message}", f"{error.hint}; or {use}"
                yield Finding(where, "pack-lacks", message, hint, at_key)


def _check_limit(pattern: str, is_key: bool, index: Index) -> None:
    """Raise PatternError if a pattern must match texts that take Python too long.

    A long text counts as no match, and is refused. A schema must not accept it because of that.
    """
    from scaffold.languages.python.stdlib.patterns import translated  # few specs need it

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


LIMITS: Mapping[str, Limit] = {
    "uri-templates": uri_templates,
    "formats": formats,
    "references": references,
    "patterns": searches,
}
"""The limits, by the words of packs."""
