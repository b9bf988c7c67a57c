"""Map renamed spec entries to renames in the generated package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scaffold.project.view import Named
from scaffold.python.handlers import handlers, named
from scaffold.python.names import TYPE_SUFFIXES
from scaffold.spec.format import Spec

TYPES = "_generated.contract"
"""The module of the generated types, relative to the package."""


def new_names(
    package: tuple[str, str], spec: Spec, pairs: Iterable[tuple[Named, Named]]
) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    The names of their types, nested ones too, begin with the name of the handler's.
    """
    before, now = package
    names: dict[str, str] = {}
    types: dict[str, set[str]] = {}
    pairs = tuple(pairs)
    nested = _types(spec) if pairs else {}
    for was, one in pairs:
        if was.function != one.function:
            module = f"{before}.{was.kind}.{was.module}"
            new_module = f"{now}.{one.kind}.{one.module}"
            names[module] = new_module
            names[f"{module}.{was.function}"] = f"{new_module}.{one.function}"
        own = (one.type_name + end for end in TYPE_SUFFIXES)
        for name in {*own, *nested.get((one.kind, one.about), ())}:
            former = was.type_name + name.removeprefix(one.type_name)
            types.setdefault(former, set()).add(name)
    certain = {former: name for former, (name, *others) in types.items() if not others}
    return names | {
        f"{before}.{TYPES}.{former}": f"{now}.{TYPES}.{name}"
        for former, name in certain.items()
        if former != name
    }


def _types(spec: Spec) -> Mapping[tuple[str, str], frozenset[str]]:
    """Return the names that begin with that of their handler, by the handler."""
    return {
        (one.kind, one.about): frozenset(
            name
            for types in typed.types
            for name in types.names.values()
            if name.startswith(one.type_name)
        )
        for one, typed in zip(named(spec), handlers(spec, ""), strict=True)
    }
