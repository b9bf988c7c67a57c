"""The tools, resources and prompts of a spec into handlers: names, types, rows of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scaffold.jsonschema.defaults import defaults_of
from scaffold.jsonschema.index import Index
from scaffold.project.model import Handler
from scaffold.python.definitions import TYPING
from scaffold.python.layout import (
    Brackets,
    Expression,
    Labelled,
    call,
    lay,
    literal,
    quoted,
    subscript,
)
from scaffold.python.names import TYPE_SUFFIXES, Names, identifiers
from scaffold.python.types import Types, arguments_of, result_of
from scaffold.spec.fields import JsonObject
from scaffold.spec.format import Entry, Prompt, Spec
from scaffold.spec.rules.uri_templates import EXPRESSION
from scaffold.text import Text, readable

CONTRACT_NAMES = TYPING | {
    *("Context", "Prompt", "Resource", "ResourceTemplate", "Shared", "Tool"),
    *("PromptResult", "ResourceResult", "ToolResult"),
    *("Arguments", "Generic", "Result", "TYPE_CHECKING", "TypeVar"),
    *("Awaitable", "Callable", "Mapping", "Sequence"),
    *("CallToolResult", "ContentBlock", "GetPromptResult", "PromptMessage", "ReadResourceResult"),
    *("Client", "ServerRequestContext", "annotations", "dataclass", "field"),
}
"""What the module of the types holds besides them."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A handler, the class of its row, and the types of its arguments and its result."""

    handler: Handler
    row_type: str
    types: tuple[Types, ...]


def handlers(spec: Spec, package: str) -> tuple[Typed, ...]:
    """A handler for all that the spec gives no static content for, in the spec's order."""
    wanted = tuple(_wanted(spec))
    names = _names(wanted)
    functions = Counter(name.function for name in names)
    types = {*CONTRACT_NAMES, *(n.type_name + end for n in names for end in TYPE_SUFFIXES)}
    typed: list[Typed] = []
    for one, name in zip(wanted, names, strict=True):
        typed.append(_typed(one, name, package, functions[name.function] == 1, types))
        types |= {d.name for part in typed[-1].types for d in part.definitions}
    return tuple(typed)


@dataclass(frozen=True, slots=True)
class Named:
    """An entry of the spec that has a handler, and the names of this; `kind` is its folder."""

    kind: str
    about: str
    entry: Entry
    names: Names


def named(spec: Spec) -> tuple[Named, ...]:
    """The names of every handler, in the spec's order."""
    wanted = tuple(_wanted(spec))
    pairs = zip(wanted, _names(wanted), strict=True)
    return tuple(Named(f"{one.kind}s", one.about, one.entry, names) for one, names in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What shall have a handler.

    `kind` is its folder, in the singular; `row_type` the class of its row, and `row` what that
    holds besides the handler; `arguments` and `result` are schemas, `defaults` are those of the
    arguments; `returns` is the type of the result where no schema gives it.
    """

    kind: str
    about: str
    entry: Entry
    row_type: str
    row: Mapping[str, Expression] = field(default_factory=dict)
    arguments: Index | None = None
    defaults: Mapping[str, object] = field(default_factory=dict)
    result: Index | None = None
    returns: str


def _wanted(spec: Spec) -> Iterator[_Wanted]:
    for tool in spec.tools:
        defaults = defaults_of(tool.arguments)
        yield _Wanted(
            kind="tool",
            about=tool.name,
            entry=tool,
            row_type="Tool",
            row={
                **({"defaults": literal(defaults)} if defaults else {}),
                **({"timeout": f"{tool.timeout:g}"} if tool.timeout else {}),
            },
            arguments=tool.arguments,
            defaults=defaults,
            result=tool.result,
            returns="ToolResult",
        )
    for resource in spec.resources:
        if not resource.is_static:
            yield _Wanted(
                kind="resource",
                about=resource.uri,
                entry=resource,
                row_type="Resource",
                row=_mime_type(resource.mime_type),
                returns="ResourceResult",
            )
    for template in spec.resource_templates:
        yield _Wanted(
            kind="resource",
            about=template.uri_template,
            entry=template,
            row_type="ResourceTemplate",
            row={
                **_mime_type(template.mime_type),
                **({"unsafe": "True"} if template.unsafe else {}),
            },
            arguments=Index.of(_uri_variables(template.uri_template)),
            returns="ResourceResult",
        )
    for prompt in spec.prompts:
        if not prompt.is_static:
            yield _Wanted(
                kind="prompt",
                about=prompt.name,
                entry=prompt,
                row_type="Prompt",
                arguments=Index.of(_prompt_arguments(prompt)),
                returns="PromptResult",
            )


def _mime_type(mime_type: str | None) -> dict[str, Expression]:
    return {"mime_type": quoted(mime_type)} if mime_type else {}


def _uri_variables(template: str) -> JsonObject:
    """The schema of what a URI template (RFC 6570) captures: texts, or lists of texts.

    Those of a query may be absent.
    """
    properties: dict[str, JsonObject] = {}
    required: list[str] = []
    for operator, variables in EXPRESSION.findall(template):
        for variable in variables.split(","):
            name = variable.removesuffix("*")
            text = {"type": "string"}
            properties[name] = {"type": "array", "items": text} if variable[-1:] == "*" else text
            if operator not in ("?", "&"):
                required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _prompt_arguments(prompt: Prompt) -> JsonObject:
    """The schema of a prompt's arguments, which are texts."""
    properties = {
        a.name: {"type": "string", **({"description": a.description} if a.description else {})}
        for a in prompt.arguments
    }
    required = [argument.name for argument in prompt.arguments if argument.required]
    return {"type": "object", "properties": properties, "required": required}


def _names(wanted: Sequence[_Wanted]) -> tuple[Names, ...]:
    """Names for each, in order: functions differ within a kind, types throughout."""
    names: dict[tuple[str, str], Names] = {}
    reserved: set[str] = set(CONTRACT_NAMES)
    for kind in ("tool", "resource", "prompt"):
        labels = _labels([one for one in wanted if one.kind == kind])
        given = identifiers(labels.values(), kind, reserved)
        names |= {(kind, about): given[label] for about, label in labels.items()}
        reserved |= {n.type_name + end for n in given.values() for end in TYPE_SUFFIXES}
    return tuple(names[one.kind, one.about] for one in wanted)


def _labels(wanted: Iterable[_Wanted]) -> dict[str, str]:
    """What each is called after: its name, or where several share that, what it answers for."""
    wanted = tuple(wanted)
    uses = Counter(one.entry.name for one in wanted)
    return {one.about: one.entry.name if uses[one.entry.name] == 1 else one.about for one in wanted}


def _typed(one: _Wanted, names: Names, package: str, unique: bool, taken: Collection[str]) -> Typed:
    types: list[Types] = []
    arguments, result = "", one.returns
    if one.arguments is not None:
        arguments = f"{names.type_name}Arguments"
        types.append(arguments_of(one.arguments, arguments, one.defaults, taken))
    if one.row_type == "Tool":
        result = f"{names.type_name}Result"
    if one.result is not None:
        types.append(result_of(one.result, result, taken))
    alias = names.function if unique else f"{names.function}_{one.kind}"
    parameters = {"Tool": (arguments, result), "Resource": ()}.get(one.row_type, (arguments,))
    head = subscript(one.row_type, *parameters) if parameters else one.row_type
    given = ([f"arguments: {arguments}"] if arguments else []) + ["context: Context"]
    end = f" -> {result}:"
    signature = lay(call(f"async def {names.function}", *given), after=len(end)) + end
    more = (Labelled(f"{key}=", value) for key, value in one.row.items())
    handler = Handler(
        about=one.about,
        name=Text(one.entry.name),
        description=Text(readable(one.entry.description, one.entry.title, one.entry.name)),
        function=names.function,
        module=f"{package}.{one.kind}s.{names.function}",
        alias=alias,
        arguments_type=arguments,
        result_type=result,
        signature=signature,
        row=Labelled(f"{quoted(one.about)}: ", Brackets(head, "(", (alias, *more))),
    )
    return Typed(handler, one.row_type, tuple(types))
