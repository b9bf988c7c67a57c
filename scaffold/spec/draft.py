"""Parse a document into a typed spec, as far as it matches the format.

Invalid parts are reported and left out. The rules then see typed values only, and can still report
errors elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from jsonschema_rs import Draft202012Validator, Validator
from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import ValidationError

from scaffold.base.diagnostics import FAULTS
from scaffold.schema.mismatch import mismatches
from scaffold.spec.fields import JsonObject, Reading
from scaffold.spec.format import LISTS, Item, Spec, Tool
from scaffold.spec.misplaced import misplaced
from scaffold.spec.objects import known
from scaffold.yaml.document import Document, pointer, tokens
from scaffold.yaml.finding import Finding

M = TypeVar("M", bound=Item)

_STAND_INS = {"name": "server", "version": "0"}
"""Values that the rules see if a document lacks valid ones."""


class Draft(Struct, frozen=True):
    """The valid part of a document.

    `lost` holds the pointers of everything left out: entries, the lists that contained them, and
    keys. `reused` holds the pointers of entries of a spec that is known to be valid.
    """

    document: Document
    spec: Spec
    lost: frozenset[str]
    reused: frozenset[str] = frozenset()


def draft(document: Document, valid: Spec | None = None) -> tuple[Draft | None, list[Finding]]:
    """Return the valid part of a document, and findings about the rest.

    There is no draft if the document is not a mapping, or has `FAULTS` errors or more. Entries that
    the spec `valid` has at the same place are taken from there.
    """
    entries = valid.entries.values() if valid else ()
    reader = _Reader(document, {entry.pointer: entry for some in entries for entry in some})
    value = document.value
    if not isinstance(value, dict):
        return None, _explained(Spec, value, "", document)
    read: dict[str, tuple[Item, ...]] = {}
    for key, model in LISTS.items():
        if isinstance(items := value.get(key), list):
            read[key] = reader.items(model, items, f"/{key}")
    spec = reader.root({**value, **{key: [] for key in read}}, read)
    if spec is None or len(reader.findings) >= FAULTS:
        return None, reader.findings[:FAULTS]
    drafted = Draft(document, spec, frozenset(reader.lost), frozenset(reader.reused))
    return drafted, reader.findings


class _Reader(Struct, frozen=True):
    """A reader that validates entries one by one and collects findings."""

    document: Document
    valid: Mapping[str, Item]
    reading: Reading = field(default_factory=Reading)
    findings: list[Finding] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    reused: set[str] = field(default_factory=set)

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
        if not isinstance(written, dict):
            self.findings.extend(_explained(model, written, at, self.document))
            return None
        before = self.valid.get(at)
        if isinstance(before, model) and _is_same(known(written), before.written):
            self.reused.add(at)
            return before
        try:
            return model.read(written, at, self.reading)
        except ValidationError as error:
            if model is Tool and (finding := misplaced(written, at, self.document)):
                self.findings.append(finding)  # what else there is depends on where they belong
                return None
            found = _explained(model, written, at, self.document)
            found = found or [_unexplained(error, at)]
        self.findings.extend(found)
        return self._salvaged(model, written, at, found)

    def root(self, written: JsonObject, lists: dict[str, tuple[Item, ...]]) -> Spec | None:
        """Return the spec with the lists that were read before."""
        spec = self.item(Spec, written, "") or self._salvaged(
            Spec, {**written, **_STAND_INS}, "", []
        )
        names = {field.alias or name: name for name, field in Spec.model_fields.items()}
        return spec and spec.model_copy(update={names[key]: part for key, part in lists.items()})

    def _salvaged(
        self, model: type[M], written: JsonObject, at: str, found: list[Finding]
    ) -> M | None:
        """Return the object without its invalid optional keys; None if it is still invalid."""
        depth = len(tokens(at))
        wrong = {token for f in found for token in tokens(f.pointer)[depth : depth + 1]}
        left = {key: v for key, v in written.items() if key not in wrong or model.needs(key)}
        self.lost.update(at + pointer(key) for key in written.keys() - left.keys())
        try:
            return model.read(left, at, replace(self.reading, lenient=True))
        except ValidationError:
            return None


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are the same, which `True` and `1` are not."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return [*one] == [*other] and all(map(_is_same, one.values(), other.values()))
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return repr(one) == repr(other) if isinstance(one, float) else bool(one == other)


def _explained(model: type[Item], written: Any, at: str, document: Document) -> list[Finding]:
    """Return the findings about an invalid value, from the JSON Schema of its model.

    The schema gives the same wording as for example arguments, and the same errors as in editors.
    """
    return list(islice(mismatches(*_engine(model), written, at, document), FAULTS))


@cache
def _engine(model: type[Item]) -> tuple[Validator, JsonObject]:
    """Return the validator of a model, and its JSON Schema."""
    from scaffold.spec.schema import json_schema  # slow to build, and only needed for errors

    schema = json_schema()
    part = schema if model is Spec else {"$ref": f"#/$defs/{model.__name__}"}
    part = {**part, "$defs": schema["$defs"]}
    return Draft202012Validator(part, offline=True), part


def _unexplained(error: ValidationError, at: str) -> Finding:
    """Return a finding with pydantic's message, in case the schema reports no error."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = at + pointer(*(part for part in first["loc"]))
    return Finding(place, "bad-value", first["msg"], "change the value")
