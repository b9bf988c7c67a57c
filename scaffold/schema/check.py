"""Check that a JSON Schema is valid and that validators can use it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from typing import Any

from jsonschema_rs import Draft202012Validator, Validator
from jsonschema_rs import ValidationErrorKind as Kind

from scaffold.base.diagnostics import FAULTS, Fix, synonyms
from scaffold.base.diagnostics.synonyms import LIST
from scaffold.base.diagnostics.wording import is_certain, join, nearest, quote
from scaffold.editing.fixes import overwritten, replaced
from scaffold.schema.engine import VALIDATORS
from scaffold.schema.index import Index
from scaffold.schema.keywords import FORMATS, TYPES, URIS
from scaffold.schema.mismatch import boolean, findings_of, literal, shown
from scaffold.schema.references import reference_faults
from scaffold.schema.resolver import dialect_of
from scaffold.yaml.document import Document, pointer
from scaffold.yaml.finding import Finding

MAX_SCHEMAS = 10_000
"""The maximum number of nested schemas; the largest known public server has 500."""

_UNICODE = re.compile("\\\\[pPu]\\{|[\U00010000-\U0010ffff]")
_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]", re.DOTALL)
_NEEDLESS = re.compile(r"(?<!\\)(?:\\\\)*\\[^\w^$\\.*+?()\[\]{}|/]")
"""An unnecessary escape: an error in patterns that need the Unicode mode of ECMA-262."""


def faults(index: Index, at: str, document: Document) -> Iterator[Finding]:
    """Yield the errors of the schema at pointer `at`."""
    if dialect_of(index.root.schema) is None:
        message = f"the dialect {shown(index.root.keywords['$schema'])} is not supported"
        draft_7 = f'write "{URIS["draft-07"]}" for draft-07'
        hint = f"remove `$schema` for 2020-12, the default, or {draft_7}"
        yield Finding(f"{at}/$schema", "unknown-dialect", message, hint)
        return
    if len(index.all) > MAX_SCHEMAS:
        message = f"{len(index.all):,} nested schemas; at most {MAX_SCHEMAS:,} are allowed"
        hint = "split the tool, or describe the variants in `description`"
        yield Finding(at, "expensive-schema", message, hint)
        return
    every = chain(
        _meta_faults(index, at, document),
        _pattern_faults(index, at),
        reference_faults(index, at),
        _dialect_faults(index, at),
    )
    first = list(islice(every, FAULTS))
    yield from first
    if not first and (reason := index.problem()):
        yield Finding(at, "bad-schema", f"the schema cannot be compiled: {reason}", "change it")


@cache
def _meta_validator(dialect: str) -> Validator:
    validator: Validator = VALIDATORS[dialect]({"$ref": URIS[dialect]}, offline=True)
    return validator


def _meta_faults(index: Index, at: str, document: Document) -> Iterator[Finding]:
    """Yield violations of the dialect's meta-schema."""
    validator, schema = _meta_validator(index.dialect), index.root.schema
    if validator.is_valid(schema):
        return
    seen = set()
    for error in validator.iter_errors(schema):
        key = (*error.instance_path, error.kind.name)
        if key in seen or isinstance(error.kind, Kind.Format):
            continue
        seen.add(key)
        here = at + pointer(*error.instance_path)
        last = error.instance_path[-1] if error.instance_path else ""
        if isinstance(error.kind, Kind.AnyOf) and last == "type":
            yield from _unknown_types(here, error.instance, document)
        elif isinstance(error.kind, Kind.Type) and set(error.kind.types) == {"boolean", "object"}:
            above = [*error.instance_path][-2:-1]
            is_keyword = last == "type" and error.instance in TYPES
            is_keyword = is_keyword or (last == "required" and isinstance(error.instance, list))
            if is_keyword and above == ["properties"]:
                yield _not_a_property(here)
            else:
                yield _not_a_schema(here, error.instance)
        elif last == "required" and isinstance(error.instance, bool):
            yield _required_property(here, error.instance_path, error.instance)
        else:
            yield from findings_of(error, at, document)


def _required_property(here: str, path: Sequence[str | int], value: bool) -> Finding:
    """Return the finding for `required: true` in a property, as before draft 4."""
    name = path[-2] if path[1:] and len(path) > 2 and path[-3] == "properties" else "…"
    message = "`required` must be a list of names beside `properties`"
    hint = f"remove this, and write `required: [{name}]` beside `properties`"
    if not value:
        hint = "remove this: a property is optional unless that list names it"
    return Finding(here, "wrong-type", message, hint, at_key=True)


def _not_a_property(here: str) -> Finding:
    """Return the finding for `required` or `type` that is indented under `properties`."""
    message = f"`{here.rpartition('/')[2]}` belongs beside `properties`, not in it"
    hint = "indent it like `properties`"
    return Finding(here, "misplaced-keyword", message, hint, at_key=True)


def _unknown_types(here: str, value: Any, document: Document) -> Iterator[Finding]:
    names = (
        {f"{here}/{n}": v for n, v in enumerate(value)}
        if isinstance(value, list)
        else {here: value}
    )
    unknown = {at: name for at, name in names.items() if name not in TYPES}
    if not unknown:
        message, hint = "a type is listed twice", "list each type once"
        if not names:
            message, hint = "the list of types is empty", "name a type"
        yield Finding(here, "unknown-type", message, hint)
    for at, name in unknown.items():
        hint = f"the types are {join(TYPES, 'and')}"
        fix: Fix | None = None
        message = f"{shown(name)} is not a JSON Schema type"
        if name is None and not document.written(at):
            message, hint = "`type` has no value", "name a type, or remove the line"
        elif name is None:
            message, hint = "unquoted `null` is a value, not the name of a type", "write `'null'`"
            fix = overwritten(document, at, '"null"')
        elif name == "any":
            hint = "remove it: a schema without `type` allows any"
        elif name == "enum":
            hint = "remove it: `enum:` with the list of values is enough"
        elif isinstance(name, str) and (listed := LIST.fullmatch(name)):
            item = _meant(listed[1] or listed[2]) or "…"
            hint = f"write `type: array` and `items: {{type: {item}}}`"
        elif isinstance(name, str) and "|" in name:
            parts = [part.strip() for part in name.split("|")]
            known = [_meant(part) or "…" for part in parts]
            hint = f"write `type: [{', '.join(known)}]`".replace("null", "'null'")
        elif isinstance(name, str) and (format := synonyms.meant(name, synonyms.FORMATS, FORMATS)):
            hint = f"write `type: string` and `format: {format}`"
        elif isinstance(name, str) and (other := _meant(name) or nearest(name, TYPES)):
            hint = f"did you mean `{other}`?"
            if is_certain(name, other) or _meant(name):
                fix = replaced(document, at, other)
        yield Finding(at, "unknown-type", message, hint, fix=fix)


def _meant(word: str) -> str | None:
    """Return the type that a word names, in JSON Schema or in another language."""
    return word if word in TYPES else synonyms.meant(word, synonyms.TYPES, TYPES)


def _not_a_schema(here: str, value: Any) -> Finding:
    last = here.rpartition("/")[2]
    actual, hint = (
        f", not {literal(value)}",
        "write a mapping of keywords, such as `{type: string}`",
    )
    if value is None:
        actual, hint = ", but has no value", "write `{}` to allow any value"
    elif isinstance(value, list) and last == "items" and value and isinstance(value[0], str):
        hint = f"write `{{type: {value[0]}}}`: one schema for all items"
    elif isinstance(value, list) and last == "items":
        hint = "write `prefixItems` for one schema per position (2020-12)"
    elif isinstance(value, str) and (name := _meant(value)):
        hint = f"write `{{type: {name}}}`"
    elif isinstance(value, str) and (written := boolean(value)) is not None:
        hint = f"write {literal(written)}, without quotes"
    return Finding(here, "not-a-schema", f"{quote(last)} must be a schema{actual}", hint)


def patterns(index: Index, at: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the pointer of each pattern of the schema at `at`, and whether it is a key."""
    for subschema in index.all.values():
        here = at + subschema.pointer
        if isinstance(pattern := subschema.keywords.get("pattern"), str):
            yield f"{here}/pattern", pattern, False
        if isinstance(names := subschema.keywords.get("patternProperties"), dict):
            for name in names:
                yield f"{here}/patternProperties{pointer(name)}", name, True


@cache  # a spec has the same patterns again and again
def pattern_problem(pattern: str) -> tuple[str, str] | None:
    """Return the problem with a pattern and a hint; None if all engines agree on its meaning."""
    from scaffold.schema.regular.reading import PatternError, parsed  # not every spec has patterns

    try:
        parsed(pattern, lambda name: ())
        Draft202012Validator({"pattern": pattern}, offline=True)
    except PatternError as error:
        return error.message, error.hint
    except (ValueError, RecursionError):
        return (
            "not a regular expression, or too large",
            "check its brackets and quantifiers (ECMA-262)",
        )
    if _UNICODE.search(pattern) and (escape := _NEEDLESS.search(_CLASS.sub("", pattern))):
        sign = escape[0][-1]
        message = f"`\\{sign}` is not allowed in a pattern with `\\p`, `\\u{{` or emoji"
        return message, f"write `{sign}`"
    return None


def _pattern_faults(index: Index, at: str) -> Iterator[Finding]:
    for where, pattern, at_key in patterns(index, at):
        if trouble := pattern_problem(pattern):
            message = f"{quote(pattern)}: {trouble[0]}"
            yield Finding(where, "bad-pattern", message, trouble[1], at_key)


def _dialect_faults(index: Index, at: str) -> Iterator[Finding]:
    """Yield nested schemas that declare a different dialect."""
    for subschema in index.all.values():
        declared = subschema.keywords.get("$schema") if subschema.pointer else None
        if declared and dialect_of(subschema.schema) != index.dialect:
            message = "a nested schema cannot use a different dialect"
            hint = "remove this `$schema`, and write the whole schema in one dialect"
            yield Finding(f"{at}{subschema.pointer}/$schema", "unknown-dialect", message, hint)
