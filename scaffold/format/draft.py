"""Parse a document into a typed spec, as far as it matches the format.

Invalid parts are reported and left out. The rules then see typed values only, and can still report
errors elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from jsonschema_rs import Draft7Validator, Validator
from msgspec import Struct, field
from pydantic import ValidationError

from scaffold.base.diagnostics import FAULTS
from scaffold.base.diagnostics.wording import join
from scaffold.base.shipped import shipped
from scaffold.format.fields import JsonObject
from scaffold.format.spec import LISTS, Item, Spec, Tool
from scaffold.schema.keywords import KEYWORDS, TYPES
from scaffold.schema.mismatch import mismatches
from scaffold.yaml.document import Document, pointer, tokens
from scaffold.yaml.finding import Finding

M = TypeVar("M", bound=Item)

_STAND_INS = {"name": "server", "version": "0"}
"""Defaults for texts that rules need and a document lacks."""

_SCHEMAS = ("inputSchema", "outputSchema")
_OF_TOOLS = {field.alias or name for name, field in Tool.model_fields.items()}


class Draft(Struct, frozen=True):
    """The valid part of a document.

    `lost` holds the pointers of everything left out: entries, the lists that contained them, and
    keys.
    """

    document: Document
    spec: Spec
    lost: frozenset[str]


def draft(document: Document) -> tuple[Draft | None, list[Finding]]:
    """Return the valid part of a document, and findings about the rest.

    There is no draft if the document is not a mapping, or has `FAULTS` errors or more.
    """
    value = document.value
    reader = _Reader(document, is_valid=_engine(Spec)[0].is_valid(value))
    if not isinstance(value, dict):
        return None, reader.faults(Spec, value, "")
    read: dict[str, tuple[Item, ...]] = {}
    for key, model in LISTS.items():
        if isinstance(items := value.get(key), list):
            read[key] = reader.items(model, items, f"/{key}")
    spec = reader.root(value, read)
    if spec is None or len(reader.findings) >= FAULTS:
        return None, reader.findings[:FAULTS]
    return Draft(document, spec, frozenset(reader.lost)), reader.findings


class _Reader(Struct, frozen=True):
    """A reader that reads entries one by one and collects findings.

    A document that `is_valid` as a whole has none.
    """

    document: Document
    is_valid: bool
    findings: list[Finding] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)

    def items(self, model: type[M], written: list[Any], at: str) -> tuple[M, ...]:
        """Return the valid items of a list; stop after `FAULTS` findings."""
        read = []
        for number, value in enumerate(written):
            here = f"{at}/{number}"
            if (item := self.item(model, value, here)) is not None:
                read.append(item)
            else:
                self.lost.update((at, here))
            if len(self.findings) >= FAULTS:
                break
        return tuple(read)

    def item(self, model: type[M], written: Any, at: str) -> M | None:
        """Return the object without invalid parts; None if a required key is missing or invalid."""
        faults = self.faults(model, written, at)
        if not isinstance(written, dict):
            self.findings.extend(faults)
            return None
        if faults and model is Tool and (finding := _misplaced(written, at, self.document)):
            self.findings.append(finding)  # further findings depend on where they belong
            return None
        self.findings.extend(faults)
        return self._read(model, written, at, faults)

    def root(self, written: JsonObject, lists: dict[str, tuple[Item, ...]]) -> Spec | None:
        """Return the spec with the lists that were read before."""
        rest = {**written, **{key: [] for key in lists}}
        faults = self.faults(Spec, rest, "")
        self.findings.extend(faults)
        absent = {k: v for k, v in _STAND_INS.items() if not isinstance(written.get(k), str)}
        if (spec := self._read(Spec, {**rest, **absent}, "", faults)) is None:
            return None
        names = {field.alias or name: name for name, field in Spec.model_fields.items()}
        whole = spec.model_copy(update={names[key]: part for key, part in lists.items()})
        whole._written = {**spec.whole, **{key: written[key] for key in lists}}
        return whole

    def faults(self, model: type[Item], written: Any, at: str) -> list[Finding]:
        """Return what is wrong with a value, by the published JSON Schema of its model.

        Editors use the same schema and report the same errors.
        """
        if self.is_valid:
            return []
        return list(islice(mismatches(*_engine(model), written, at, self.document), FAULTS))

    def _read(
        self, model: type[M], written: JsonObject, at: str, faults: list[Finding]
    ) -> M | None:
        """Return the object without invalid optional keys; None if it is still invalid."""
        depth = len(tokens(at))
        wrong = {token for f in faults for token in tokens(f.pointer)[depth : depth + 1]}
        left = {key: v for key, v in written.items() if key not in wrong or model.needs(key)}
        self.lost.update(at + pointer(key) for key in written.keys() - left.keys())
        try:
            return model.read(left, at)
        except ValidationError:
            if not faults:
                raise
            return None


def _misplaced(tool: Mapping[str, Any], at: str, document: Document) -> Finding | None:
    """Return the finding about keywords of a tool's schema that are beside it, one level too high."""
    keywords = [key for key in tool if key in KEYWORDS and key not in _OF_TOOLS]
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
    return Finding(here, "misplaced-keyword", message, hint, True, related)


@cache
def _engine(model: type[Item]) -> tuple[Validator, JsonObject]:
    """Return the validator of a model, and its JSON Schema."""
    schema = _published()
    part = schema if model is Spec else {"$ref": f"#/definitions/{model.__name__}"}
    part = {**part, "definitions": schema["definitions"]}
    return Draft7Validator(part, offline=True), part


@cache
def _published() -> dict[str, Any]:
    """Return the schema that `mcp-scaffold schema` made of the models, which takes long."""
    text = (shipped("specs") / "mcp-scaffold.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
