"""Handlers in Python: their names, types and table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from scaffold.python.definitions import MODULE_NAMES, Definition
from scaffold.python.expressions import (
    Brackets,
    Expression,
    Labelled,
    quoted,
    subscript,
)
from scaffold.python.names import TYPE_SUFFIXES, Names, identifiers
from scaffold.python.reserved import KEYWORDS, TYPES
from scaffold.python.sharing import Shared, shared
from scaffold.python.types import Types, arguments_of, result_of
from scaffold.spec.format import Entry, Resource, ResourceTemplate, Spec, Tool
from scaffold.spec.handled import Handled, handled

CONTRACT_NAMES = MODULE_NAMES | {
    *("Context", "Prompt", "Resource", "ResourceTemplate", "Shared", "Tool"),
    *("PromptResult", "ResourceResult", "ToolResult"),
    *("Arguments", "Generic", "InternalError", "Result", "ToolError", "TYPE_CHECKING", "TypeVar"),
    *("Awaitable", "Callable", "Mapping", "Sequence"),
    *("CallToolResult", "ContentBlock", "GetPromptResult", "PromptMessage", "ReadResourceResult"),
    *("Client", "ServerRequestContext", "annotations", "dataclass", "field"),
    *("calls", "fake_context", "lifespan", "pytest", "pytestmark", "shared"),
}
"""Names in the modules that handlers import, and in their tests, but for those of the spec."""


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
    """A handler, the class of its table row, and its argument and result types.

    `definitions` are those that no earlier handler has.
    """

    of: Handled
    code: Code
    row_type: str
    types: tuple[Shared, ...]

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions of its types, in a valid order."""
        return tuple(one for types in self.types for one in types.definitions)


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
    types = [tuple(_types(one, name.type_name)) for one, name in zip(entries, names, strict=True)]
    taken = {
        *(KEYWORDS | TYPES | CONTRACT_NAMES),
        *(error.name for error in spec.errors),
        *(name.type_name + end for name in names for end in TYPE_SUFFIXES),
    }
    final = iter(shared([one for group in types for one in group], taken))
    return tuple(
        _typed(one, name, package, functions[name.function] == 1, tuple(islice(final, len(group))))
        for one, name, group in zip(entries, names, types, strict=True)
    )


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


def _types(one: Handled, name: str) -> Iterator[Types]:
    """Yield the types of a handler's arguments and result."""
    if one.arguments is not None:
        yield arguments_of(one.arguments, f"{name}Arguments")
    if one.result is not None:
        yield result_of(one.result, f"{name}Result")


def _typed(
    one: Handled, names: Names, package: str, unique: bool, types: tuple[Shared, ...]
) -> Typed:
    arguments = f"{names.type_name}Arguments" if one.arguments is not None else ""
    is_tool = isinstance(one.entry, Tool)
    result = f"{names.type_name if is_tool else one.kind.capitalize()}Result"
    alias = names.function if unique else f"{names.function}_{one.kind}"
    row_type = type(one.entry).__name__
    parameters = {"Tool": (arguments, result), "Resource": ()}.get(row_type, (arguments,))
    head = subscript(row_type, *parameters) if parameters else row_type
    given = ([f"arguments: {arguments}"] if arguments else []) + ["context: Context"]
    model = [arguments] if arguments else []
    more = (Labelled(f"{key}=", value) for key, value in _row(one).items())
    code = Code(
        function=names.function,
        module=f"{package}.{one.kind}s.{names.function}",
        alias=alias,
        arguments_type=arguments,
        result_type=result,
        signature=f"async def {names.function}({', '.join(given)}) -> {result}:",
        row=f"{quoted(one.about)}: {Brackets(head, '(', (*model, alias, *more))}",
    )
    return Typed(one, code, row_type, types)


def _row(one: Handled) -> Mapping[str, Expression]:
    """Return the keyword arguments of a handler's table row."""
    row: dict[str, Expression] = {}
    match one.entry:
        case Tool(timeout=timeout):
            row |= {"timeout": f"{timeout:g}"} if timeout else {}
        case Resource(mime_type=mime_type):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
        case ResourceTemplate(mime_type=mime_type, unsafe=unsafe):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
            row |= {"unsafe": "True"} if unsafe else {}
    return row
