"""Map renamed spec entries to renames in the generated package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scaffold.python.handlers import Named, handlers, named
from scaffold.python.names import TYPE_SUFFIXES
from scaffold.spec.format import Spec

TYPES = "_generated.contract"
"""The module of the generated types, relative to the package."""


def new_names(
    package: tuple[str, str], new: Spec, pairs: Iterable[tuple[Named, Named]]
) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    Types nested in those of a handler are renamed too.
    """
    before, now = package
    names: dict[str, str] = {}
    types: dict[tuple[str, str], str] = {}
    for was, one in pairs:
        if was.names.function != one.names.function:
            module = f"{before}.{was.kind}.{was.names.module}"
            new_module = f"{now}.{one.kind}.{one.names.module}"
            names[module] = new_module
            names[f"{module}.{was.names.function}"] = f"{new_module}.{one.names.function}"
        if was.names.type_name != one.names.type_name:
            types[one.kind, one.about] = was.names.type_name
    renamed = _types(new, types) if types else ()
    return names | {f"{before}.{TYPES}.{was}": f"{now}.{TYPES}.{one}" for was, one in renamed}


def _types(new: Spec, before: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Yield old and new type names; `before` holds the old type prefix of each handler."""
    for one, typed in zip(named(new), handlers(new, ""), strict=True):
        if start := before.get((one.kind, one.about)):
            nested = [d.name for part in typed.types for d in part.definitions]
            ends = [name.removeprefix(one.names.type_name) for name in nested]
            for end in (*TYPE_SUFFIXES, *ends):
                yield start + end, one.names.type_name + end
