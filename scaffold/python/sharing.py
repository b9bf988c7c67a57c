"""Name the types of a project: short names, and one type for all equal schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scaffold.python.definitions import Alias, Definition, Model, in_order, names_of, renamed
from scaffold.python.names import LONGEST_TYPE, unused
from scaffold.python.types import Place, Types, stem


@dataclass(frozen=True, slots=True)
class Shared:
    """Types with their final names.

    `definitions` are those that no earlier types have. `names` are the names of all types used, by
    their places.
    """

    name: str
    definitions: tuple[Definition, ...]
    names: Mapping[Place, str]


def shared(every: Sequence[Types], taken: Collection[str]) -> tuple[Shared, ...]:
    """Return types with their final names; none is in `taken`, which has those of the roots.

    A nested type is named after its property: `Hit`. If that name is taken, the names around it
    come before it. So an added entry renames no types of those before it.
    """
    kinds = _kinds(every)
    names: dict[int, str] = {}
    used = {*taken}
    done: list[Shared] = []
    for types in every:
        final: dict[str, str] = {types.name: types.name}
        new: list[Definition] = []
        for definition in types.definitions:
            kind = kinds[definition.name]
            name = final.get(definition.name) or names.get(kind)
            if name is None:
                name = _name(types, definition.name, used)
            final[definition.name] = name
            if kind not in names:
                names[kind] = name
                used.add(name)
                new.append(definition)
            elif definition.name == types.name:
                same = Alias(name, names[kind])
                new.append(definition if _is_empty(definition) or same.annotation == name else same)
        named = (renamed(one, final[one.name], final) for one in new)
        places = {types.places[one]: name for one, name in final.items()}
        done.append(Shared(types.name, in_order(named), places))
    return tuple(done)


def _is_empty(definition: Definition) -> bool:
    return isinstance(definition, Model) and not definition.fields


def _name(types: Types, provisional: str, used: Collection[str]) -> str:
    """Return a name for a nested type, after the place where it is."""
    place = types.places[provisional] or ("Value",)  # the only alternative of the root
    inner = ("".join(place[start:]) for start in range(len(place) - 1, -1, -1))
    long = stem(types.name) + place[-1]
    for name in (*inner, long, types.name + place[-1]):
        if name.isidentifier() and len(name) <= LONGEST_TYPE and name not in used:
            return name
    return unused(long[: LONGEST_TYPE - 5], used)


def _kinds(every: Iterable[Types]) -> dict[str, int]:
    """Return a number for each definition, by provisional name; equal ones have the same.

    Definitions are told apart by their own text at first, then by what they refer to, again and
    again until no more differ: definitions that refer to each other in a circle can be equal too.
    """
    texts: dict[str, Definition] = {}
    uses: dict[str, tuple[str, ...]] = {}
    own = {definition.name for types in every for definition in types.definitions}
    for types in every:
        for definition in types.definitions:
            mentioned = tuple(name for name in names_of(definition) if name in own)
            anonymous = dict.fromkeys(mentioned, "_")
            texts[definition.name] = renamed(definition, "_", anonymous)
            uses[definition.name] = mentioned
    kinds = dict.fromkeys(texts, 0)
    numbers: dict[object, int] = {}
    count = 0
    while True:
        numbers = {}
        kinds = {
            name: numbers.setdefault(
                (text, tuple(kinds[used] for used in uses[name])), len(numbers)
            )
            for name, text in texts.items()
        }
        if len(numbers) == count:
            return kinds
        count = len(numbers)
