"""Models for servers without dependencies: frozen dataclasses with the attributes of pydantic's.

At run time, their annotations decide how JSON is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from scaffold.format.spec import Spec
from scaffold.languages.python.stdlib.limits import UNKNOWN_FORMATS
from scaffold.languages.python.stdlib.patterns import translated
from scaffold.languages.python.types.definitions import (
    Definition,
    Field,
    Model,
    class_of,
    docstring,
    names_of,
)
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    Quoted,
    Union,
    quoted,
)
from scaffold.schema.check import patterns
from scaffold.schema.index import Index
from scaffold.schema.keywords import FORMATS, SEVERAL

RARE_KEYWORDS = frozenset({
    "contains", "contentEncoding", "contentMediaType", "dependentRequired", "maxProperties",
    "minProperties", "multipleOf", "not", "prefixItems", "propertyNames", "uniqueItems",
})  # fmt: skip
CHOICES = frozenset({"$ref", "allOf", "anyOf", "oneOf", "patternProperties"})
CONDITIONS = SEVERAL - CHOICES - RARE_KEYWORDS - {"$dynamicRef"}
"""The keywords of modules that projects have only if their schemas use them."""

_FORMATS = FORMATS - UNKNOWN_FORMATS


class Plain(Struct, frozen=True, kw_only=True):
    """Code of a server without dependencies.

    `models` are the sources of the models of arguments and results, in order of dependency.
    `patterns` are rows that lead from the patterns of schemas to those of Python. `schema` is the
    class that knows all keywords of schemas. `uses` says whether they, or forms, use `formats` of
    text, and whether they use `rare` keywords, `choices` or references, both or conditions (`any`).
    """

    models: tuple[str, ...]
    patterns: tuple[str, ...]
    schema: str
    uses: Mapping[str, bool]


def plain(spec: Spec, definitions: Sequence[Definition]) -> Plain:
    """Return the code of a server without dependencies; `definitions` are those of all handlers."""
    indexes = [index for _, index in spec.schemas]
    parts = [part.keywords for index in indexes for part in index.all.values()]
    formats = [format for part in parts if isinstance(format := part.get("format"), str)]
    schema = schema_class(indexes)
    return Plain(
        models=tuple(sources(definitions)),
        patterns=_patterns(spec),
        schema=schema,
        uses={
            "formats": spec.client_capabilities.forms or not _FORMATS.isdisjoint(formats),
            "rare": schema in ("RareSchema", "AnySchema"),
            "choices": schema in ("ChoiceSchema", "AnySchema"),
            "any": schema == "AnySchema",
        },
    )


def schema_class(indexes: Sequence[Index]) -> str:
    """Return the class that knows the keywords of these schemas."""
    parts = (part.keywords for index in indexes for part in index.all.values())
    used = frozenset[str]().union(*parts)
    is_rare = not RARE_KEYWORDS.isdisjoint(used)
    if used.isdisjoint(CHOICES | CONDITIONS):
        return "RareSchema" if is_rare else "Schema"
    has_draft_7 = any(index.dialect == "draft-07" for index in indexes)
    needs_all = is_rare or has_draft_7 or not CONDITIONS.isdisjoint(used)
    return "AnySchema" if needs_all else "ChoiceSchema"


def sources(definitions: Sequence[Definition]) -> Iterator[str]:
    """Yield the source of each definition."""
    strings: set[str] = set()
    for definition in definitions:
        if isinstance(definition, Model):
            yield class_of(definition, _annotated)
            continue
        annotation = _plain(definition.annotation)
        # A string cannot be a part of `|`.
        if isinstance(definition.annotation, Quoted) or not strings.isdisjoint(
            names_of(definition)
        ):
            strings.add(definition.name)
            annotation = Quoted(annotation)
        yield f"{definition.name}: TypeAlias = {annotation}{docstring(definition.description, 0)}"


def _annotated(field: Field, attribute: str) -> str:
    """Return the annotation of a field, its property if that has another name, and its default."""
    annotation, default = _plain(field.annotation), field.default
    about: list[Expression] = []
    if attribute != field.key:
        about.append(Labelled("key=", quoted(field.key)))
    if isinstance(default, Brackets) and default.head == "Field":
        about += default.items
    elif about and default is not None:
        about.append(Labelled("default=", default))
    if about:
        return f"{annotation} = {Brackets('Field', '(', tuple(about))}"
    return str(annotation) if default is None else f"{annotation} = {default}"


def _plain(annotation: Expression) -> Expression:
    """Return an annotation without pydantic's hints, and without quotes."""
    match annotation:
        case Brackets("Annotated", _, (type, *_)) | Quoted(type):
            return _plain(type)
        case Brackets(head, open_, items):
            return Brackets(head, open_, tuple(map(_plain, items)))
        case Union(members):
            return Union(tuple(map(_plain, members)))
    return annotation


def _patterns(spec: Spec) -> tuple[str, ...]:
    """Return rows from each pattern to that of Python, and the length of texts that it may take."""
    every = dict.fromkeys(p for at, index in spec.schemas for _, p, _ in patterns(index, at))
    rows = ((pattern, translated(pattern)) for pattern in every)
    return tuple(
        f"{quoted(pattern)}: ({python.written}, {python.limit})" for pattern, python in rows
    )
