"""The patterns and formats of a spec's schemas, for servers that check them without a library."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold.jsonschema.check import patterns
from scaffold.jsonschema.index import Index
from scaffold.python.expressions import quoted
from scaffold.python.patterns import limit, written
from scaffold.spec.format import Spec

FORMATS = frozenset({
    "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "json-pointer",
    "relative-json-pointer", "time", "uri", "uri-reference", "uri-template", "uuid",
})  # fmt: skip
"""The formats that are checked."""

UNKNOWN_FORMATS = frozenset({"idn-email", "idn-hostname", "iri", "iri-reference", "regex"})
"""The formats that would have to be checked, and are not: they need tables of Unicode, or a parser."""


def patterns_of(spec: Spec) -> tuple[str, ...]:
    """Return rows from each pattern to that of Python, and the length of texts that it may take."""
    every = dict.fromkeys(p for index in _schemas(spec) for _, p, _ in patterns(index, ""))
    return tuple(f"{quoted(one)}: ({written(one)}, {limit(one)})" for one in every)


def has_formats(spec: Spec) -> bool:
    """Return whether a schema names a format that is checked."""
    keywords = (part.keywords for index in _schemas(spec) for part in index.all.values())
    return any(part.get("format") in FORMATS for part in keywords)


def _schemas(spec: Spec) -> Iterator[Index]:
    for tool in spec.tools:
        yield tool.arguments
        if tool.result:
            yield tool.result
