"""Limit the time that parsing a value of a union takes, whatever a client sends.

Pydantic tries the members of a union one by one, and those of each union inside: time and the depth
of a value could double each other. So members that a property tells apart get a discriminator.
Other unions become `Any` if they are too much work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter

from msgspec.structs import replace

from scaffold.languages.python.types.definitions import (
    Alias,
    Definition,
    Model,
    alternatives,
    names_of,
)
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    Union,
    quoted,
    subscript,
)

MOST = 50
"""The maximum number of types tried for one value, over all enclosing unions."""


def bounded(definitions: Mapping[str, Definition]) -> dict[str, Definition]:
    """Return the definitions, in the same order, with bounded unions.

    The definitions must not mention others, and have no quoted parts.
    """
    reader = _Reader(definitions)
    done = {name: reader.bounded(definitions[name]) for name in reader.order}
    return {name: done[name] for name in definitions}


class _Reader:
    """A reader of definitions, each after those it mentions if possible.

    `_tries` has how many types are tried for a value inside each: infinite if it can contain
    itself.
    """

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._known = definitions
        mentioned = {
            name: [part for part in names_of(definition) if part in definitions]
            for name, definition in definitions.items()
        }
        sorter = TopologicalSorter(mentioned)
        with suppress(CycleError):  # then all but those that contain themselves are sorted
            sorter.prepare()
        self.order: list[str] = []
        while ready := sorter.get_ready():
            self.order += ready
            sorter.done(*ready)
        endless = definitions.keys() - self.order
        self._tries = dict.fromkeys(endless, math.inf)
        self.order += endless

    def bounded(self, definition: Definition) -> Definition:
        """Return a definition with bounded unions."""
        if isinstance(definition, Alias):
            annotation, tries = self._bounded(definition.annotation)
            self._tries.setdefault(definition.name, tries)
            return replace(definition, annotation=annotation)
        read = [self._bounded(field.annotation) for field in definition.fields]
        self._tries.setdefault(definition.name, max((tries for _, tries in read), default=1))
        fields = (
            replace(field, annotation=annotation)
            for field, (annotation, _) in zip(definition.fields, read, strict=True)
        )
        return replace(definition, fields=tuple(fields))

    def _bounded(self, annotation: Expression) -> tuple[Expression, float]:
        """Return an annotation with bounded unions, and how many types are tried inside."""
        match annotation:
            case Union(members):
                return self._union(members)
            case Brackets("list" | "dict" as head, _, items):
                item, tries = self._bounded(items[-1])
                return subscript(head, *items[:-1], item), tries
            case str():
                return annotation, self._tries.get(annotation, 1)
        return annotation, 1

    def _union(self, members: Sequence[Expression]) -> tuple[Expression, float]:
        models = {member: model for member in members if (model := self._model(member))}
        tag = _tag([*models.values()]) if len(models) > 1 else None
        read = [self._bounded(member) for member in members if tag is None or member not in models]
        if tag is not None:
            about = Brackets("Field", "(", (Labelled("discriminator=", quoted(tag)),))
            together = subscript("Annotated", Union(tuple(models)), about)
            read.insert(0, (together, max(self._tries[str(member)] for member in models)))
        total = 1.0
        for kind in ("list", "dict"):
            tries = [tries for member, tries in read if self._admits(member, kind)]
            finite = sum(count for count in tries if count < math.inf)
            if finite > MOST or len([count for count in tries if count == math.inf]) > 1:
                return "Any", 1
            total = max(total, sum(tries))
        parts = tuple(member for member, _ in read)
        return (Union(parts) if len(parts) > 1 else parts[0]), total

    def _model(self, annotation: Expression) -> Model | None:
        definition = self._known.get(annotation) if isinstance(annotation, str) else None
        return definition if isinstance(definition, Model) else None

    def _admits(self, annotation: Expression, kind: str) -> bool:
        """Return whether values of this kind, `list` or `dict`, are tried as a type."""
        for alternative in alternatives(annotation, self._known):
            if alternative == "Any" or (
                isinstance(alternative, Brackets) and alternative.head == kind
            ):
                return True
            is_object = self._model(alternative) or (
                isinstance(alternative, Brackets) and alternative.head == "Annotated"
            )
            if is_object and kind == "dict":
                return True
        return False


def _tag(models: Sequence[Model]) -> str | None:
    """Return the attribute of a required property whose texts tell the models apart."""
    tags = [_texts(model) for model in models]
    for name, texts in tags[0].items():
        every = [texts, *(others.get(name, ()) for others in tags[1:])]
        if all(every) and len({*sum(every, ())}) == sum(map(len, every)):
            return name[0]
    return None


def _texts(model: Model) -> dict[tuple[str, str], tuple[Expression, ...]]:
    """Return the texts that each required property allows, by attribute and key."""
    names = {*names_of(model)}  # attributes must not hide these names while they are used
    return {
        (name, field.key): field.annotation.items
        for field, name in zip(model.fields, model.attributes, strict=True)
        if field.default is None
        and (name == field.key or field.key not in names)
        and isinstance(field.annotation, Brackets)
        and field.annotation.head == "Literal"
        and all(str(item).startswith(("'", '"')) for item in field.annotation.items)
    }
