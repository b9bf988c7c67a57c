"""What is allowed, and most likely not what was meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any

from jsonschema_rs import validator_map_for

from scaffold.spec.document import Document, holds_credential, pointer
from scaffold.spec.finding import FAULTS, Finding, listing, nearest, shown
from scaffold.spec.mismatch import literal
from scaffold.spec.model import Spec, Tool, Transport
from scaffold.spec.subschemas import KEYWORDS, Index

_SECRET_NAME = re.compile(
    r"(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|"
    r"CREDENTIALS?)$",
    re.IGNORECASE,
)
_LOOPBACK = re.compile(r"localhost|127(\.\d+){3}|::1", re.IGNORECASE)
_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)
_SILENT = frozenset("\u200d\u200c\ufeff")
"""Format characters that scripts and emoji need, and the mark that editors leave."""


def server_warnings(spec: Spec, document: Document) -> Iterator[Finding]:
    """Settings of the server that cannot be meant so."""
    assert isinstance(document.value, dict)
    over_http = set(spec.transports) - {Transport.STDIO}
    if "http" in document.value and not over_http:
        yield Finding(
            "/http",
            "unused-http",
            "`http` has no effect: the server is reached over stdio only",
            "add `streamable-http` to `transports`, or remove `http`",
            at_key=True,
        )
    if over_http and not spec.auth and not _LOOPBACK.fullmatch(spec.http.host):
        yield Finding(
            "/http/host",
            "open-host",
            f"the server listens at `{spec.http.host}`, beyond this machine, and lets in everyone",
            "add `auth`; without it the server starts only with `--allow-unauthenticated`",
        )
    used = {name for tool in spec.tools for name in tool.errors}
    for number, error in enumerate(spec.errors):
        if error.name not in used:
            yield Finding(
                f"/errors/{number}/name",
                "unused-error",
                f"no tool names {shown(error.name)} among its `errors`",
                f"add `errors: [{error.name}]` to the tools that raise it, or remove it",
            )
    bearer = spec.auth.bearer.env if spec.auth else None
    for number, variable in enumerate(spec.env):
        if not variable.secret and (variable.name == bearer or _SECRET_NAME.search(variable.name)):
            yield Finding(
                f"/env/{number}/name",
                "unmarked-secret",
                f"{shown(variable.name)} is a secret by its name, and is not marked as one"
                if variable.name != bearer
                else f"{shown(variable.name)} holds the token, and is not marked as a secret",
                "add `secret: true`, so that its value is never written down",
            )


def text_warnings(document: Document) -> Iterator[Finding]:
    """Texts with characters that nobody sees, or with what looks like a credential."""
    waiting: list[tuple[str, Any]] = [("", document.value)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(at + pointer(key), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{at}/{number}", item) for number, item in enumerate(value)]
        elif isinstance(value, str) and not (value.isascii() and len(value) < 16):
            yield from _text_warnings(value, at)


def _text_warnings(text: str, at: str) -> Iterator[Finding]:
    if not text.isascii():
        hidden = next(
            (c for c in text if unicodedata.category(c) in ("Cf", "Co") and c not in _SILENT), None
        )
        if hidden:
            name = unicodedata.name(hidden, "private use").lower()
            yield Finding(
                at,
                "invisible-text",
                f"this text holds U+{ord(hidden):04X} ({name}), which people do not see and models "
                "do",
                "remove it; text that hides from people is how tools are poisoned",
            )
    if holds_credential(text):
        yield Finding(
            at,
            "credential-in-text",
            "this text looks as if it held a password or a token",
            "remove it, or write a placeholder such as `<token>`",
        )


def tool_warnings(tool: Tool, at: str) -> Iterator[Finding]:
    """Annotations that contradict each other."""
    if tool.annotations.get("readOnlyHint") is True and tool.annotations.get("destructiveHint"):
        yield Finding(
            f"{at}/annotations/destructiveHint",
            "hint-contradiction",
            "a tool that only reads destroys nothing: `readOnlyHint` and `destructiveHint` are both "
            "true",
            "keep the one that is right",
        )


def schema_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Schemas that cannot be meant so."""
    for subschema in index.all.values():
        schema, here = subschema.schema, at + subschema.pointer
        yield from _keyword_warnings(schema, here)
        for low, high in _BOUNDS:
            least, most = schema.get(low), schema.get(high)
            if isinstance(least, int | float) and isinstance(most, int | float) and least > most:
                yield Finding(
                    f"{here}/{low}",
                    "contradictory-bounds",
                    f"nothing is both at least {least} and at most {most}",
                    f"exchange `{low}` and `{high}`",
                )
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and re.search(r"\\\\[dwsb](?![a-z])", pattern, re.IGNORECASE):
            yield Finding(
                f"{here}/pattern",
                "escaped-twice",
                f"{shown(pattern)} asks for a backslash: it is escaped once too often",
                "write one backslash less; in YAML, single quotes need none",
            )
    yield from _default_warnings(index, at)


def _keyword_warnings(schema: Any, here: str) -> Iterator[Finding]:
    if schema.get("nullable") is True and "null" not in schema.get("type", ()):
        yield Finding(
            f"{here}/nullable",
            "nullable",
            "`nullable` is OpenAPI's; in JSON Schema it allows nothing",
            "write `type: [string, 'null']`, with the type in question",
            at_key=True,
        )
    for keyword, value in schema.items():
        if keyword not in KEYWORDS and not keyword.startswith(("x-", "$")):
            meant = nearest(keyword, KEYWORDS, cutoff=0.84)
            if value is None:
                yield Finding(
                    here + pointer(keyword),
                    "unknown-keyword",
                    f"{shown(keyword)} is a keyword without a value, and has no effect",
                    "put the text before it in quotes if this is the rest of that: between braces, "
                    "a comma ends a text without quotes",
                    at_key=True,
                )
            elif meant:
                yield Finding(
                    here + pointer(keyword),
                    "unknown-keyword",
                    f"{shown(keyword)} is not a keyword of JSON Schema, and has no effect",
                    f"did you mean `{meant}`?",
                    at_key=True,
                )
    properties, required = schema.get("properties"), schema.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        undeclared = (item for item in enumerate(required) if item[1] not in properties)
        for number, name in islice(undeclared, FAULTS):
            meant = nearest(name, properties)
            yield Finding(
                f"{here}/required/{number}",
                "undeclared-required",
                f"{shown(name)} is required, and is not among the properties",
                f"did you mean `{meant}`?" if meant else f"add `{name}` to `properties`",
            )


def _default_warnings(index: Index, at: str) -> Iterator[Finding]:
    """Defaults that their own schema refuses."""
    holders = [sub for sub in index.all.values() if "default" in sub.schema]
    if not holders:
        return
    engines = validator_map_for(dict(index.root), offline=True)
    nulls = []
    for subschema in holders:
        engine = engines.get(f"#{subschema.pointer}")
        default = subschema.schema["default"]
        if engine is None or engine.is_valid(default):
            continue
        if default is None:
            nulls.append(subschema.pointer)
        else:
            yield Finding(
                f"{at}{subschema.pointer}/default",
                "default-mismatch",
                f"the default is {literal(default)}, which the schema itself refuses",
                "change the default or the schema",
            )
    if nulls:
        names = listing([null.rpartition("/")[2] for null in nulls[:4]], "and")
        more = " and others" if nulls[4:] else ""
        yield Finding(
            f"{at}{nulls[0]}/default",
            "default-mismatch",
            f"{names}{more} {'is' if len(nulls) == 1 else 'are'} `null` by default, which the "
            "schema itself refuses: a model that passes the default gets an error",
            "remove `default`, or allow `null` in `type`",
        )
