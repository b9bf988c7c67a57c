"""Name the types of a project: short names, and one type for all equal schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from scaffold.python.definitions import Alias, Definition, Model, in_order, names_of, renamed
from scaffold.python.names import LONGEST_TYPE, unused
from scaffold.python.types import Place, Types, stem


class Shared(Struct, frozen=True):
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
    come before it. So an added entry renames no types of those before it. Arguments and results
    share nested types only: no arguments are called a result.
    """
    kinds = _kinds(every)
    names: dict[tuple[int, str], str] = {}
    used = {*taken}
    done: list[Shared] = []
    for types in every:
        final: dict[str, str] = {types.name: types.name}
        new: list[Definition] = []
        side = "Result" if types.name.endswith("Result") else "Arguments"
        for definition in types.definitions:
            kind = kinds[definition.name]
            is_root = definition.name == types.name
            name = final.get(definition.name) or names.get((kind, side))
            if name is None:
                name = _name(types, definition.name, used)
            final[definition.name] = name
            if (kind, side) not in names:
                for one in [side] if is_root else ["Arguments", "Result"]:
                    names.setdefault((kind, one), name)
                used.add(name)
                new.append(definition)
            elif is_root:
                same = Alias(name, names[kind, side])
                new.append(definition if _is_empty(definition) or same.annotation == name else same)
        named = (renamed(one, final[one.name], final) for one in new)
        places = {types.places[one]: name for one, name in final.items()}
        done.append(Shared(types.name, in_order(named), places))
    return _with_absent(done)


def _with_absent(every: Sequence[Shared]) -> tuple[Shared, ...]:
    """Give what results leave out when it is None, for it cannot be null, the default `ABSENT`."""
    known = {one.name: one for types in every for one in types.definitions}
    sent: set[str] = set()
    waiting = [types.name for types in every if types.name.endswith("Result")]
    while waiting:
        if (name := waiting.pop()) in known and name not in sent:
            sent.add(name)
            waiting += names_of(known[name])
    return tuple(
        replace(
            types,
            definitions=tuple(
                _sent(one) if isinstance(one, Model) and one.name in sent else one
                for one in types.definitions
            ),
        )
        for types in every
    )


def _sent(model: Model) -> Model:
    fields = (
        replace(one, default="ABSENT") if one.default == "None" and not one.nullable else one
        for one in model.fields
    )
    return replace(model, fields=tuple(fields))


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
