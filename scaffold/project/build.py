"""Build the project, as templates see it, from a checked spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import groupby

from scaffold.clients import client as clients_data
from scaffold.clients.snippets import Server, snippets, url
from scaffold.clients.snippets import Variable as ClientVariable
from scaffold.files import SPEC, RelPath
from scaffold.jsonschema.describe import describe_nested
from scaffold.jsonschema.index import Index
from scaffold.jsonschema.invalid import invalid_arguments
from scaffold.jsonschema.valid import valid_arguments
from scaffold.project.catalog import catalog
from scaffold.project.model import (
    CacheHint,
    Client,
    DomainError,
    Example,
    Handler,
    Http,
    Parameter,
    Project,
    Snippet,
    Tool,
    Variable,
)
from scaffold.python.annotations import of_values
from scaffold.python.definitions import source
from scaffold.python.errors import constructor, message_passed_on
from scaffold.python.expressions import literal, quoted
from scaffold.python.handlers import Typed, handlers
from scaffold.python.names import command_name, identifiers, package_name
from scaffold.python.reserved import SETTINGS
from scaffold.spec import format as spec_model
from scaffold.spec.format import Spec
from scaffold.spec.handled import Handled
from scaffold.spec.references import references
from scaffold.text import Text, json_visible, readable


def build(
    spec: Spec,
    attached: Mapping[RelPath, str],
    clients: Iterable[clients_data.Client],
    settings: bool = False,
) -> Project:
    """Return the project, with all names, types and code resolved.

    `attached` are the texts of files that static resources refer to. Snippets are made for
    `clients`. `settings` asks for a settings module even if there are no variables.
    """
    package = package_name(spec.name)
    errors = {error.name: _error(error) for error in spec.errors}
    typed = handlers(spec, package)
    by_row: dict[str, list[Handler]] = {}
    for one in typed:
        by_row.setdefault(one.row_type, []).append(_handler(one))
    outputs = [tool.result.root.keywords for tool in spec.tools if tool.result is not None]
    server = _server(spec)
    tools = tuple(
        _tool(handler, tool, errors)
        for handler, tool in zip(by_row.get("Tool", ()), spec.tools, strict=True)
    )
    others = [h for row_type, rows in by_row.items() if row_type != "Tool" for h in rows]
    return Project(
        name=command_name(spec.name),
        package=package,
        spec=SPEC,
        version=Text(spec.version),
        title=Text(readable(spec.title, spec.name)),
        summary=Text(_summary(readable(spec.description, spec.title))),
        description=Text(readable(spec.description)),
        transports=tuple(spec.transports),
        http=Http(host=Text(spec.http.host), port=spec.http.port),
        bearer=spec.auth.bearer.env if spec.auth else "",
        env=_variables(spec),
        settings=bool(spec.env) or settings,
        errors=tuple(errors.values()),
        tools=tools,
        resources=tuple(by_row.get("Resource", ())),
        resource_templates=tuple(by_row.get("ResourceTemplate", ())),
        prompts=tuple(by_row.get("Prompt", ())),
        handlers=(*tools, *others),
        has_resources=bool(spec.resources or spec.resource_templates),
        has_prompts=bool(spec.prompts),
        static=frozenset(
            kind
            for kind, entries in (("resources", spec.resources), ("prompts", spec.prompts))
            if any(entry.is_static for entry in entries)
        ),
        outputs=frozenset(
            "any" if schema.get("type") == "object" else "other" for schema in outputs
        ),
        definitions=tuple(source(definition) for one in typed for definition in one.definitions),
        capabilities=frozenset(_capabilities(spec)),
        changing=tuple(
            kind
            for kind in ("tools", "resources", "prompts")
            if (capability := getattr(spec.capabilities, kind)) and capability.list_changed
        ),
        listed={
            "tools": _names(tool.name for tool in spec.tools),
            "resources": _names(resource.uri for resource in spec.resources),
            "prompts": _names(prompt.name for prompt in spec.prompts),
        },
        asks=frozenset(spec.client_capabilities.model_fields_set),
        cache=tuple(
            CacheHint(method=method, ttl_ms=hint.ttl_ms, scope=hint.cache_scope)
            for method, hint in spec.cache.hints
        ),
        catalog=catalog(spec, attached),
        urls=tuple(url(server, t) for t in spec.transports if t != "stdio"),
        clients=tuple(_clients(server, clients)),
    )


def _handler(typed: Typed) -> Handler:
    entry = typed.of.entry
    return Handler(
        about=typed.of.about,
        name=Text(entry.name),
        summary=Text(_summary(readable(entry.description, entry.title, entry.name))),
        description=Text(readable(entry.description, entry.title, entry.name)),
        arguments=_arguments(typed.of),
        **{field.name: getattr(typed.code, field.name) for field in fields(typed.code)},
    )


def _arguments(one: Handled) -> str:
    """Return arguments that a handler accepts, as Python: those of an example if there is one."""
    if one.arguments is None:
        return ""
    examples = one.entry.examples if isinstance(one.entry, spec_model.Tool) else ()
    plain = (e for e in examples if not (e.is_error or e.answers or any(references(e.arguments))))
    given = next((dict(example.arguments) for example in plain), None)
    if given is None and not _is_destructive(one.entry):
        given = valid_arguments(one.arguments)
    return "" if given is None else str(literal(given))


def _is_destructive(entry: spec_model.Entry) -> bool:
    return bool((entry.wire.get("annotations") or {}).get("destructiveHint"))


def _capabilities(spec: Spec) -> Iterable[str]:
    yield from {"logging", "completions"} & spec.capabilities.model_fields_set
    if spec.capabilities.resources and spec.capabilities.resources.subscribe:
        yield "subscribe"


def _tool(handler: Handler, tool: spec_model.Tool, errors: Mapping[str, DomainError]) -> Tool:
    harmless = not (tool.examples or _is_destructive(tool))
    sample = valid_arguments(tool.arguments) if harmless else None
    invalid = invalid_arguments(tool.arguments)
    return Tool(
        **{field.name: getattr(handler, field.name) for field in fields(handler)},
        parameters=_parameters(tool.arguments),
        structured=tool.result is not None,
        results=_parameters(tool.result) if tool.result else (),
        errors=tuple(errors[name] for name in tool.errors),
        examples=tuple(
            Example(
                name=Text(example.name),
                arguments=str(literal(example.arguments)),
                refers=any(references(example.arguments)),
                elicitation=_listed(example.answers and example.answers.elicitation),
                sampling=_listed(example.answers and example.answers.sampling),
                is_error=example.is_error,
            )
            for example in tool.examples
        ),
        timeout=f"{tool.timeout:g}" if tool.timeout else "",
        sample="" if sample is None else f"{quoted(tool.name)}: {literal(sample)}",
        invalid="" if invalid is None else f"{quoted(tool.name)}: {literal(invalid)}",
    )


def _listed(values: Iterable[object] | None) -> str:
    """Return a list of these values, as Python, or nothing if there are none."""
    return str(literal(list(values))) if values else ""


def _names(names: Iterable[str]) -> str:
    """Return the type of these names, as Python."""
    return str(of_values(names))


def _parameters(schema: Index) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name=Text(one.name),
            type=Text(one.type),
            required=one.required,
            notes=Text(one.notes),
            description=Text(one.text),
        )
        for one in describe_nested(schema)
    )


def _summary(description: str) -> str:
    """Return the first sentence of a description, at most to the end of its line."""
    line = next((line for line in description.splitlines() if line.strip()), "").strip()
    return re.split(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s", line, maxsplit=1)[0]


def _error(error: spec_model.DomainError) -> DomainError:
    return DomainError(
        name=error.name,
        message=Text(error.message),
        fields=error.fields,
        init=constructor(error),
        raised=message_passed_on(error),
    )


def _variables(spec: Spec) -> tuple[Variable, ...]:
    attributes = identifiers([variable.name for variable in spec.env], "variable", SETTINGS)
    return tuple(
        Variable(
            name=variable.name,
            attribute=attributes[variable.name].function,
            type=variable.type,
            description=Text(readable(variable.description)),
            default=None if variable.default is None else Text(variable.default),
            secret=variable.secret,
            required=variable.required,
        )
        for variable in spec.env
    )


def _server(spec: Spec) -> Server:
    return Server(
        name=command_name(spec.name),
        title=spec.title,
        transports=tuple(spec.transports),
        host=spec.http.host,
        port=spec.http.port,
        env=tuple(
            ClientVariable(v.name, v.description or "", v.default, v.secret, v.required)
            for v in spec.env
        ),
        bearer_env=spec.auth.bearer.env if spec.auth else None,
    )


def _clients(server: Server, clients: Iterable[clients_data.Client]) -> Iterable[Client]:
    for client, group in groupby(snippets(server, clients), key=lambda snippet: snippet.client):
        yield Client(
            name=client.name,
            files=tuple(client.files.items()),
            notes=tuple(client.notes),
            snippets=tuple(
                Snippet(
                    about=str(snippet.path),
                    transport=snippet.transport,
                    path=snippet.path,
                    text=json_visible(snippet.text),
                    bridged=snippet.bridged,
                )
                for snippet in group
            ),
        )
