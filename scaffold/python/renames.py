"""Map renamed spec entries to renames in the generated package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scaffold.project.view import Named
from scaffold.python.handlers import handlers, named
from scaffold.python.names import TYPE_SUFFIXES
from scaffold.spec.format import Spec

TYPES = "_generated.models"
"""The module of the generated types, relative to the package."""


def new_names(
    package: tuple[str, str], old: Spec | None, new: Spec, pairs: Iterable[tuple[Named, Named]]
) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    With `old`, types nested in those of a handler are renamed too.
    """
    before, now = package
    names: dict[str, str] = {}
    pairs = tuple(pairs)
    for was, one in pairs:
        if was.function != one.function:
            module = f"{before}.{was.kind}.{was.module}"
            new_module = f"{now}.{one.kind}.{one.module}"
            names[module] = new_module
            names[f"{module}.{was.function}"] = f"{new_module}.{one.function}"
    types: dict[str, set[str]] = {}
    for former, name in _types(old, new, pairs) if pairs else ():
        types.setdefault(former, set()).add(name)
    certain = {former: name for former, (name, *others) in types.items() if not others}
    return names | {
        f"{before}.{TYPES}.{former}": f"{now}.{TYPES}.{name}"
        for former, name in certain.items()
        if former != name
    }


def _types(
    old: Spec | None, new: Spec, pairs: Iterable[tuple[Named, Named]]
) -> Iterator[tuple[str, str]]:
    """Yield old and new names of the types of handlers; nested ones are known by their place."""
    before, after = (_places(spec) if old and spec else {} for spec in (old, new))
    for was, one in pairs:
        ends = ((was.type_name + end, one.type_name + end) for end in TYPE_SUFFIXES)
        yield from ends
        nested = before.get((was.kind, was.about), {})
        places = after.get((one.kind, one.about), {})
        yield from ((nested[place], name) for place, name in places.items() if place in nested)


def _places(spec: Spec) -> Mapping[tuple[str, str], Mapping[object, str]]:
    """Return the names of each handler's types, by what they are part of and where."""
    return {
        (one.kind, one.about): {
            (types.name.removeprefix(one.type_name), place): name
            for types in typed.types
            for place, name in types.names.items()
        }
        for one, typed in zip(named(spec), handlers(spec, ""), strict=True)
    }
