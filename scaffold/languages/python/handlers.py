"""Handlers in Python: their names, types and table rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from scaffold.format.handler import NamedProxy
from scaffold.format.spec import Entry, Prompt, Resource, ResourceTemplate, Spec, Tool
from scaffold.languages.language import Coded, Named, Pair
from scaffold.languages.names import Names
from scaffold.languages.python.http import HttpRequest, request_of
from scaffold.languages.python.names import (
    TYPE_SUFFIXES,
    identifiers,
    package_name,
)
from scaffold.languages.python.reserved import CONTRACT, KEYWORDS, TYPES
from scaffold.languages.python.types.definitions import MODULE_NAMES, Definition, attributes_of
from scaffold.languages.python.types.expressions import (
    Brackets,
    Expression,
    Labelled,
    quoted,
    subscript,
)
from scaffold.languages.python.types.naming import with_names
from scaffold.languages.python.types.types import Types, arguments_of, result_of
from scaffold.schema.index import Index

CONTRACT_NAMES = MODULE_NAMES | CONTRACT

_CONTRACT = "_generated.contract"
"""The module of the generated types, relative to the package."""


class Existing(Struct, frozen=True, kw_only=True):
    """An existing function that a handler calls: `name` in `module`.

    `answer` is the expression of the result, in which the function is `original`.
    """

    module: str
    name: str
    answer: str


class HandlerCode(Struct, frozen=True, kw_only=True):
    """The code of a handler, as templates see it.

    `module` is its import path. `alias` is its name in the table of handlers, and `row` is its row
    there. `task` is its row in the table of tasks, or empty. `http` is the request of a handler
    that calls the API, `passed_on` the call of one that asks the upstream server, as Python, and
    `existing` the function that answers for one.
    """

    module: str
    alias: str
    signature: str
    row: str
    task: str
    http: HttpRequest | None
    passed_on: str
    existing: Existing | None


def types_of(spec: Spec, every: Collection[Named]) -> tuple[Types, ...]:
    """Return the types of all handlers of a spec, with their final names."""
    taken = {
        *(KEYWORDS | TYPES | CONTRACT_NAMES),
        *(error.name for error in spec.errors),
        *(handler.type_name + end for handler in every for end in TYPE_SUFFIXES),
    }
    return with_names([types for handler in every for types in _types(handler)], taken)


def coded(
    spec: Spec, every: Collection[Named], definitions: Iterable[Definition]
) -> tuple[Coded, ...]:
    """Return all handlers of a spec as code, which refers to the definitions by name."""
    package = package_name(spec.name)
    functions = Counter(item.function for item in every)
    known = {item.name: item for item in definitions}
    return tuple(
        _coded(item, spec, package, functions[item.function] == 1, known) for item in every
    )


def named(spec: Spec, some: Iterable[Entry] | None = None) -> tuple[Named, ...]:
    """Return the names of every handler, in the spec's order; or those of some entries alone.

    Functions are unique within a kind, types overall.
    """
    entries = tuple(spec.handled if some is None else some)
    names: dict[tuple[str, str], Names] = {}
    reserved = {*_reserved(spec)}
    for kind in ("tool", "resource", "prompt"):
        labels = _labels([entry for entry in entries if entry.kind == kind])
        given = identifiers(labels.values(), kind, reserved)
        names |= {(kind, about): given[label] for about, label in labels.items()}
        reserved |= {n.type_name + end for n in given.values() for end in TYPE_SUFFIXES}
    pairs = ((entry, names[entry.kind, entry.about]) for entry in entries)
    return tuple(Named(entry, own.function, own.type_name) for entry, own in pairs)


def new_names(package: tuple[str, str], spec: Spec, pairs: Collection[Pair]) -> dict[str, str]:
    """Return the new dotted names of modules, functions and types, by old dotted name.

    `package` is the old and the new name of the package; `pairs` are handlers before and after.
    The names of their types, nested ones too, begin with the name of the handler's.
    """
    before, now = package
    names: dict[str, str] = {}
    for former, handler in pairs:
        if former.function != handler.function:
            module = f"{before}.{former.folder}.{former.function}"
            new_module = f"{now}.{handler.folder}.{handler.function}"
            names[module] = new_module
            names[f"{module}.{former.function}"] = f"{new_module}.{handler.function}"
    if all(former.type_name == handler.type_name for former, handler in pairs):
        return names
    types: dict[str, set[str]] = {}
    nested = [(group.stem, {*group.names.values()}) for group in types_of(spec, named(spec))]
    for former, handler in pairs:
        own = (handler.type_name + end for end in TYPE_SUFFIXES)
        used = (name for stem, names in nested if stem == handler.type_name for name in names)
        for name in {*own, *(name for name in used if name.startswith(handler.type_name))}:
            old_name = former.type_name + name.removeprefix(handler.type_name)
            types.setdefault(old_name, set()).add(name)
    certain = {old: name for old, (name, *others) in types.items() if not others}
    return names | {
        f"{before}.{_CONTRACT}.{old}": f"{now}.{_CONTRACT}.{name}"
        for old, name in certain.items()
        if old != name
    }


def _reserved(spec: Spec) -> frozenset[str]:
    """Return the names that the modules of handlers use, those of errors among them."""
    more = {error.name for error in spec.errors} | ({"wire"} if spec.api else set())
    more |= {"for_caller"} if spec.api and "forward" in spec.api.credential_types else set()
    more |= {"excerpt", "jmespath"} if any(tool.excerpt for tool in spec.tools) else set()
    return CONTRACT_NAMES | more | ({"functions", "original"} if spec.functions else set())


def _labels(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the name of each entry, or its `about` if several entries share the name."""
    uses = Counter(entry.name for entry in entries)
    return {entry.about: entry.name if uses[entry.name] == 1 else entry.about for entry in entries}


def _types(handler: Named) -> Iterator[Types]:
    """Yield the types of a handler's arguments and result."""
    # A handler must pass values on unchanged.
    tool = handler.entry if isinstance(handler.entry, Tool) else None
    verbatim = bool(tool and tool.handler and tool.handler.http)
    if (arguments := handler.entry.arguments_schema) is not None:
        yield arguments_of(arguments, handler.type_name, verbatim=verbatim)
    if tool and tool.result is not None:
        yield result_of(tool.result, handler.type_name, verbatim=verbatim)


def _coded(
    handler: Named, spec: Spec, package: str, unique: bool, known: Mapping[str, Definition]
) -> Coded:
    """Return a handler with its code; `known` are the definitions of all types, by name."""
    entry, function = handler.entry, handler.function
    arguments = handler.arguments_type
    tool = entry if isinstance(entry, Tool) else None
    result = f"{handler.type_name if tool else entry.kind.capitalize()}Result"
    http = tool.handler.http if tool and tool.handler else None
    alias = function if unique else f"{function}_{entry.kind}"
    row_type = "ApiTool" if tool and tool.is_answer else type(entry).__name__
    parameters = (arguments, result) if tool else (arguments,) if arguments else ()
    head = (
        subscript(row_type, *(f"c.{handler}" for handler in parameters)) if parameters else row_type
    )
    given = ([f"arguments: {arguments}"] if arguments else []) + ["context: Context"]
    model = [f"c.{arguments}"] if arguments else []
    call = _passed_on(entry)
    is_whole = tool and (call or (tool.result and tool.excerpt))
    returned = "CallToolResult" if is_whole else result
    code = HandlerCode(
        module=f"{package}.{handler.folder}.{function}",
        alias=alias,
        signature=f"async def {function}({', '.join(given)}) -> {returned}:",
        row=f"{quoted(entry.about)}: {Brackets(head, '(', (*model, alias, *_row(entry)))}",
        task=task_rule(tool) if tool else "",
        http=request_of(spec, tool, http, attributes_of(arguments, known), result)
        if tool and http
        else None,
        passed_on=call,
        existing=_existing(handler, result, package),
    )
    return Coded(entry, function, handler.type_name, result_type=result, code=code)


def _row(entry: Entry) -> Iterator[Expression]:
    """Yield the keyword arguments of a handler's table row."""
    if isinstance(entry, Tool) and entry.seconds:
        yield Labelled("timeout=", f"{entry.seconds:g}")
    if isinstance(entry, Resource | ResourceTemplate) and entry.mime_type:
        yield Labelled("mime_type=", quoted(entry.mime_type))
    if isinstance(entry, ResourceTemplate) and entry.unsafe:
        yield Labelled("unsafe=", "True")


def task_rule(tool: Tool) -> str:
    """Return the row of a tool in the table of rules, without defaults, or nothing."""
    if (task := tool.as_task) is None:
        return ""
    given = {
        "required": task.support == "required",
        "by_handler": task.start == "handler",
        "ttl": f"{task.ttl:g}" if "ttl" in task.model_fields_set else "",
        "poll": f"{task.poll:g}" if "poll" in task.model_fields_set else "",
    }
    arguments = ", ".join(f"{name}={value}" for name, value in given.items() if value)
    return f"{quoted(tool.name)}: TaskRule({arguments})"


def _passed_on(entry: Entry) -> str:
    """Return the call of the upstream server that answers, or nothing."""
    proxy = entry.handler and entry.handler.proxy
    if isinstance(proxy, NamedProxy):  # of a tool or a prompt
        method = "call_tool" if isinstance(entry, Tool) else "get_prompt"
        return f"{method}({quoted(proxy.name or entry.name)}, context)"
    return "read_resource(context)" if proxy else ""


def _existing(handler: Named, result_type: str, package: str) -> Existing | None:
    """Return the function that answers, if there is one."""
    if not (handler.entry.handler and handler.entry.handler.python):
        return None
    module, _, path = handler.entry.handler.python.partition(":")
    name, dot, below = path.partition(".")
    given = ", arguments" if handler.arguments_type else ""
    value = f"await functions.call(original{dot}{below}{given})"
    match handler.entry:
        case Tool(result=None):
            answer = f"functions.content({value})"
        case Tool(result=Index() as schema):
            names = [member.name for member in schema.members]
            wrapped = ', "result"' if names == ["result"] else ""  # as FastMCP makes them
            answer = f"functions.result({result_type}, {value}{wrapped})"
        case Prompt():
            answer = f"functions.messages({value})"
        case _:
            answer = f"functions.text({value})"
    module = f"{package}{module}" if module.startswith(".") else module
    return Existing(module=module, name=name, answer=answer)
