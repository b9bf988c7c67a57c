"""Handlers in Python: their names, types and table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scaffold.python.definitions import TYPING
from scaffold.python.expressions import (
    Brackets,
    Expression,
    Labelled,
    literal,
    quoted,
    subscript,
)
from scaffold.python.names import TYPE_SUFFIXES, Names, identifiers
from scaffold.python.types import Types, arguments_of, result_of
from scaffold.spec.format import Entry, Resource, ResourceTemplate, Spec, Tool
from scaffold.spec.handled import Handled, handled

CONTRACT_NAMES = TYPING | {
    *("Context", "Prompt", "Resource", "ResourceTemplate", "Shared", "Tool"),
    *("PromptResult", "ResourceResult", "ToolResult"),
    *("Arguments", "Generic", "Result", "TYPE_CHECKING", "TypeVar"),
    *("Awaitable", "Callable", "Mapping", "Sequence"),
    *("CallToolResult", "ContentBlock", "GetPromptResult", "PromptMessage", "ReadResourceResult"),
    *("Client", "ServerRequestContext", "annotations", "dataclass", "field"),
}
"""Names in the module of generated types, other than the types."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A handler in Python, with attributes of `Handler` in the template contract."""

    function: str
    module: str
    alias: str
    arguments_type: str
    result_type: str
    signature: str
    row: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A handler, the class of its table row, and its argument and result types."""

    of: Handled
    code: Code
    row_type: str
    types: tuple[Types, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A spec entry with a handler, and the handler's names; `kind` is its folder."""

    kind: str
    about: str
    entry: Entry
    names: Names


def handlers(spec: Spec, package: str) -> tuple[Typed, ...]:
    """Return the handlers of a spec, in the spec's order."""
    entries = tuple(handled(spec))
    names = _names(entries)
    functions = Counter(name.function for name in names)
    types = {*CONTRACT_NAMES, *(n.type_name + end for n in names for end in TYPE_SUFFIXES)}
    typed: list[Typed] = []
    for one, name in zip(entries, names, strict=True):
        typed.append(_typed(one, name, package, functions[name.function] == 1, types))
        types |= {d.name for part in typed[-1].types for d in part.definitions}
    return tuple(typed)


def named(spec: Spec) -> tuple[Named, ...]:
    """Return the names of every handler, in the spec's order."""
    entries = tuple(handled(spec))
    pairs = zip(entries, _names(entries), strict=True)
    return tuple(Named(f"{one.kind}s", one.about, one.entry, names) for one, names in pairs)


def _names(entries: Sequence[Handled]) -> tuple[Names, ...]:
    """Return the names of each entry: functions unique within a kind, types overall."""
    names: dict[tuple[str, str], Names] = {}
    reserved: set[str] = set(CONTRACT_NAMES)
    for kind in ("tool", "resource", "prompt"):
        labels = _labels([one for one in entries if one.kind == kind])
        given = identifiers(labels.values(), kind, reserved)
        names |= {(kind, about): given[label] for about, label in labels.items()}
        reserved |= {n.type_name + end for n in given.values() for end in TYPE_SUFFIXES}
    return tuple(names[one.kind, one.about] for one in entries)


def _labels(entries: Iterable[Handled]) -> dict[str, str]:
    """Return the name of each entry, or its `about` if several entries share the name."""
    entries = tuple(entries)
    uses = Counter(one.entry.name for one in entries)
    return {
        one.about: one.entry.name if uses[one.entry.name] == 1 else one.about for one in entries
    }


def _typed(one: Handled, names: Names, package: str, unique: bool, taken: Collection[str]) -> Typed:
    types: list[Types] = []
    arguments, result = "", f"{one.kind.capitalize()}Result"
    if one.arguments is not None:
        arguments = f"{names.type_name}Arguments"
        types.append(arguments_of(one.arguments, arguments, one.defaults, taken))
    if isinstance(one.entry, Tool):
        result = f"{names.type_name}Result"
    if one.result is not None:
        types.append(result_of(one.result, result, taken))
    alias = names.function if unique else f"{names.function}_{one.kind}"
    row_type = type(one.entry).__name__
    parameters = {"Tool": (arguments, result), "Resource": ()}.get(row_type, (arguments,))
    head = subscript(row_type, *parameters) if parameters else row_type
    given = ([f"arguments: {arguments}"] if arguments else []) + ["context: Context"]
    more = (Labelled(f"{key}=", value) for key, value in _row(one).items())
    code = Code(
        function=names.function,
        module=f"{package}.{one.kind}s.{names.function}",
        alias=alias,
        arguments_type=arguments,
        result_type=result,
        signature=f"async def {names.function}({', '.join(given)}) -> {result}:",
        row=f"{quoted(one.about)}: {Brackets(head, '(', (alias, *more))}",
    )
    return Typed(one, code, row_type, tuple(types))


def _row(one: Handled) -> Mapping[str, Expression]:
    """Return the keyword arguments of a handler's table row."""
    row: dict[str, Expression] = {}
    match one.entry:
        case Tool(timeout=timeout):
            row |= {"defaults": literal(one.defaults)} if one.defaults else {}
            row |= {"timeout": f"{timeout:g}"} if timeout else {}
        case Resource(mime_type=mime_type):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
        case ResourceTemplate(mime_type=mime_type, unsafe=unsafe):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
            row |= {"unsafe": "True"} if unsafe else {}
    return row
