"""Name the types of a spec by their tool and their place in its schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec.structs import replace

from scaffold.languages.names import MAX_TYPE_LENGTH
from scaffold.languages.python.names import TYPE_SUFFIXES
from scaffold.languages.python.types.definitions import (
    Alias,
    Definition,
    Model,
    alternatives,
    in_order,
    reached,
    renamed,
)
from scaffold.languages.python.types.expressions import Expression, Union
from scaffold.languages.python.types.places import Place
from scaffold.languages.python.types.types import Types
from scaffold.languages.python.types.unions import bounded


def with_names(every: Sequence[Types], taken: Collection[str]) -> tuple[Types, ...]:
    """Return types with their final names; none is in `taken`, which has those of the roots.

    A nested type is named after its tool and the properties around it, and a definition in `$defs`
    has its own name. Types of one name are one type if they are the same. If not, all of them get
    longer names: no name depends on the order of tools, or passes from one type to another.
    """
    names = _names(every, taken)
    groups: list[list[str]] = []
    known: dict[str, Definition] = {}
    for types in every:
        new = {
            names[definition.name]: definition
            for definition in types.definitions
            if names[definition.name] not in known
        }
        known |= {name: renamed(definition, name, names) for name, definition in new.items()}
        groups.append([*new])
    known |= _sent(
        known, (definition.name for definition in every if definition.name.endswith("Result"))
    )
    known = bounded(known)
    used = reached(known, (definition.name for definition in every))
    return tuple(
        replace(
            types,
            definitions=in_order(known[name] for name in group if name in used),
            names={place: names[provisional] for place, provisional in types.names.items()},
        )
        for types, group in zip(every, groups, strict=True)
    )


def _names(every: Iterable[Types], taken: Collection[str]) -> dict[str, str]:
    """Return the final names of all types, by their provisional names."""
    names: dict[str, str] = {}
    longer: dict[str, Iterator[str]] = {}
    definitions: dict[str, Definition] = {}
    for types in every:
        definitions |= {definition.name: definition for definition in types.definitions}
        for place, name in types.names.items():
            longer[name] = _candidates(types, name, place)
            names[name] = next(longer[name])
    contested = {*taken}
    while True:
        owners: dict[str, list[str]] = {}
        for provisional, name in names.items():
            if provisional != name:
                owners.setdefault(name, []).append(provisional)
        wrong = {
            name: group
            for name, group in owners.items()
            if name in contested
            or (len(group) > 1 and len({renamed(definitions[p], "", names) for p in group}) > 1)
        }
        if not wrong:
            return names
        contested |= wrong.keys()
        for provisional in (definition for group in wrong.values() for definition in group):
            names[provisional] = next(longer[provisional])


def _candidates(types: Types, provisional: str, place: Place) -> Iterator[str]:
    """Yield names for a type, each longer than the one before."""
    if provisional == types.name:
        yield provisional
        return
    path = place.path or ("Value",)
    if place.defined and not path[0][0].isdigit():
        yield _joined("", path)
    yield _joined(types.stem, path)
    yield _joined(types.name, path)
    yield _joined(types.name, (*path, _digest(place.exact)))


def _joined(head: str, path: Sequence[str]) -> str:
    """Return a class name, short enough and different from those of arguments and results."""
    name = head + "".join(path)
    if name.endswith(TYPE_SUFFIXES):
        name += "Value"
    if len(name) > MAX_TYPE_LENGTH:
        digest = _digest(name)
        room = MAX_TYPE_LENGTH - len(head + digest)
        ends = ("".join(path[start:]) for start in range(len(path)))
        name = head + next((end for end in ends if len(end) <= room), path[-1][:room]) + digest
    return name


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:4]


def _sent(known: Mapping[str, Definition], results: Iterable[str]) -> Iterator[tuple[str, Model]]:
    """Yield the models in results. What they leave out if it is None has the default `OMIT_IF_NONE`."""
    for name in reached(known, results):
        if isinstance(model := known[name], Model):
            fields = (
                replace(member, default="OMIT_IF_NONE")
                if member.default == "None"
                and not (member.nullable or _has_null(member.annotation, known))
                else member
                for member in model.fields
            )
            yield name, replace(model, fields=tuple(fields))


def _has_null(annotation: Expression, known: Mapping[str, Definition]) -> bool:
    """Return whether null fits an alias that an annotation is, or has as a member."""
    members = annotation.members if isinstance(annotation, Union) else (annotation,)
    return any(
        alternative in ("None", "Any")
        for member in members
        if isinstance(known.get(str(member)), Alias)
        for alternative in alternatives(member, known)
    )
