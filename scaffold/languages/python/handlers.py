"""Handlers in Python: their names, types and table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from scaffold.languages.python.definitions import MODULE_NAMES, Definition, attributes_of, source
from scaffold.languages.python.expressions import (
    Brackets,
    Expression,
    Labelled,
    quoted,
    subscript,
)
from scaffold.languages.python.http import HttpRequest, request_of
from scaffold.languages.python.names import TYPE_SUFFIXES, Names, attributes, identifiers
from scaffold.languages.python.naming import NamedTypes, with_names
from scaffold.languages.python.reserved import CONTRACT, KEYWORDS, TYPES
from scaffold.languages.python.types import Types, arguments_of, result_of
from scaffold.spec.format import Entry, Prompt, Resource, ResourceTemplate, Spec, Tool
from scaffold.spec.handled import Handled, handled

CONTRACT_NAMES = MODULE_NAMES | CONTRACT


class Existing(Struct, frozen=True, kw_only=True):
    """A function that answers: `name` in `module`.

    `answer` is the result, as Python, in which the function is `original`.
    """

    module: str
    name: str
    answer: str


class Code(Struct, frozen=True, kw_only=True):
    """A handler in code, with attributes of `Handler` in the template contract."""

    function: str
    module: str
    alias: str
    arguments_type: str
    result_type: str
    signature: str
    row: str
    passed_on: str
    existing: Existing | None


class Named(Struct, frozen=True):
    """A spec entry with a handler, and the handler's names; `kind` is its folder."""

    kind: str
    about: str
    entry: Entry
    module: str
    function: str
    type_name: str


class Typed(Struct, frozen=True):
    """A handler, and its argument and result types."""

    of: Handled
    code: Code
    types: tuple[NamedTypes, ...]
    request: HttpRequest | None = None

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions of its types, in a valid order."""
        return tuple(one for types in self.types for one in types.definitions)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of its types that no earlier handler has, in a valid order."""
        return tuple(map(source, self.definitions))


def handlers(spec: Spec, package: str) -> tuple[Typed, ...]:
    """Return the handlers of a spec, in the spec's order."""
    entries = tuple(handled(spec))
    names = _names(entries, _reserved(spec))
    functions = Counter(name.function for name in names)
    types = [tuple(_types(one, name.type_name)) for one, name in zip(entries, names, strict=True)]
    taken = {
        *(KEYWORDS | TYPES | CONTRACT_NAMES),
        *(error.name for error in spec.errors),
        *(name.type_name + end for name in names for end in TYPE_SUFFIXES),
    }
    final = iter(with_names([one for group in types for one in group], taken))
    typed = tuple(
        _typed(one, name, package, functions[name.function] == 1, tuple(islice(final, len(group))))
        for one, name, group in zip(entries, names, types, strict=True)
    )
    return tuple(_with_requests(spec, typed)) if spec.api else typed


def _with_requests(spec: Spec, typed: Sequence[Typed]) -> Iterator[Typed]:
    """Yield the handlers; those that call the API with their requests."""
    definitions = {one.name: one for handler in typed for one in handler.definitions}
    settings = attributes(variable.name for variable in spec.env)
    credentials = {one.env: settings[one.env] for one in spec.api.credentials} if spec.api else {}
    for one in typed:
        tool = one.of.entry
        if isinstance(tool, Tool) and tool.handler and tool.handler.http:
            names = attributes_of(one.code.arguments_type, definitions)
            http, result = tool.handler.http, one.code.result_type
            request = request_of(tool, http, names, settings, credentials, result)
            one = replace(one, request=request)
        yield one


def named(spec: Spec) -> tuple[Named, ...]:
    """Return the names of every handler, in the spec's order."""
    entries = tuple(handled(spec))
    pairs = zip(entries, _names(entries, _reserved(spec)), strict=True)
    return tuple(
        Named(f"{one.kind}s", one.about, one.entry, name.module, name.function, name.type_name)
        for one, name in pairs
    )


def _reserved(spec: Spec) -> frozenset[str]:
    """Return the names that the modules of handlers use."""
    more = {"wire"} if spec.api else set()
    if any(e.handler and e.handler.python for list_ in spec.entries.values() for e in list_):
        more |= {"functions", "original"}
    return CONTRACT_NAMES | more


def _names(entries: Sequence[Handled], taken: Iterable[str]) -> tuple[Names, ...]:
    """Return the names of each entry: functions unique within a kind, types overall."""
    names: dict[tuple[str, str], Names] = {}
    reserved = {*taken}
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
    # What a handler passes on must not change on the way.
    handler = one.entry.handler if isinstance(one.entry, Tool) else None
    verbatim = handler is not None and handler.http is not None
    if one.arguments is not None:
        yield arguments_of(one.arguments, name, verbatim=verbatim)
    if one.result is not None:
        yield result_of(one.result, name, verbatim=verbatim)


def _typed(
    one: Handled, names: Names, package: str, unique: bool, types: tuple[NamedTypes, ...]
) -> Typed:
    arguments = f"{names.type_name}Arguments" if one.arguments is not None else ""
    is_tool = isinstance(one.entry, Tool)
    result = f"{names.type_name if is_tool else one.kind.capitalize()}Result"
    alias = names.function if unique else f"{names.function}_{one.kind}"
    row_type = type(one.entry).__name__
    parameters = {"Tool": (arguments, result), "Resource": ()}.get(row_type, (arguments,))
    head = subscript(row_type, *(f"c.{one}" for one in parameters)) if parameters else row_type
    given = ([f"arguments: {arguments}"] if arguments else []) + ["context: Context"]
    model = [f"c.{arguments}"] if arguments else []
    call = _passed_on(one.entry)
    returned = "CallToolResult" if call and is_tool else result
    more = (Labelled(f"{key}=", value) for key, value in _row(one).items())
    code = Code(
        function=names.function,
        module=f"{package}.{one.kind}s.{names.function}",
        alias=alias,
        arguments_type=arguments,
        result_type=result,
        signature=f"async def {names.function}({', '.join(given)}) -> {returned}:",
        row=f"{quoted(one.about)}: {Brackets(head, '(', (*model, alias, *more))}",
        passed_on=call,
        existing=_existing(one, result, package),
    )
    return Typed(one, code, types)


def _row(one: Handled) -> Mapping[str, Expression]:
    """Return the keyword arguments of a handler's table row."""
    row: dict[str, Expression] = {}
    match one.entry:
        case Tool(seconds=seconds):
            row |= {"timeout": f"{seconds:g}"} if seconds else {}
        case Resource(mime_type=mime_type):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
        case ResourceTemplate(mime_type=mime_type, unsafe=unsafe):
            row |= {"mime_type": quoted(mime_type)} if mime_type else {}
            row |= {"unsafe": "True"} if unsafe else {}
    return row


def _passed_on(entry: Entry) -> str:
    """Return the call of the upstream server that answers, or nothing."""
    match entry:
        case Tool(handler=handler, name=name) | Prompt(handler=handler, name=name):
            if handler and handler.proxy:
                there = name if handler.proxy.name is None else handler.proxy.name
                method = "call_tool" if isinstance(entry, Tool) else "get_prompt"
                return f"{method}({quoted(there)}, context)"
        case _:
            if entry.handler and entry.handler.proxy:
                return "read_resource(context)"
    return ""


def _existing(one: Handled, result_type: str, package: str) -> Existing | None:
    """Return the function that answers, if there is one."""
    if not (one.entry.handler and one.entry.handler.python):
        return None
    module, _, path = one.entry.handler.python.partition(":")
    name, dot, below = path.partition(".")
    given = ", arguments" if one.arguments is not None else ""
    value = f"await functions.call(original{dot}{below}{given})"
    match one:
        case Handled(kind="tool", result=None):
            answer = f"functions.content({value})"
        case Handled(kind="tool"):
            answer = f"functions.result({result_type}, {value}{_wrapped(one)})"
        case Handled(kind="prompt"):
            answer = f"functions.messages({value})"
        case _:
            answer = f"functions.text({value})"
    module = f"{package}{module}" if module.startswith(".") else module
    return Existing(module=module, name=name, answer=answer)


def _wrapped(one: Handled) -> str:
    """Return the argument for a result that has but the property `result`, as FastMCP makes them."""
    names = [member.name for member in one.result.members] if one.result else []
    return ', "result"' if names == ["result"] else ""
