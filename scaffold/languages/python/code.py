"""A spec as Python: what templates see under `code`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from msgspec import Struct

from scaffold.format.handler import variables
from scaffold.format.spec import DomainError, Spec, Variable
from scaffold.languages.language import Code
from scaffold.languages.python.errors import constructor, message_passed_on
from scaffold.languages.python.handlers import coded, named, types_of
from scaffold.languages.python.names import attributes
from scaffold.languages.python.stdlib.models import Plain, plain
from scaffold.languages.python.types.definitions import Definition, source
from scaffold.languages.python.types.expressions import Brackets, Labelled, literal, quoted
from scaffold.schema.keywords import SEVERAL


class UpstreamCode(Struct, frozen=True, kw_only=True):
    """How the MCP server is started or reached; fields of the other way are empty.

    `configured` says whether this reads `settings`.
    """

    command: str
    args: str
    env: str
    url: str
    headers: str
    configured: bool


class ProjectCode(Struct, frozen=True, kw_only=True, dict=True):
    """The code of a server.

    `definitions` is the source of argument and result types, as pydantic models. `listed` has the
    type of the names on each list that changes, resources by their URIs. `contexts` are the classes
    of the runtime that make up the context of handlers, `exported` the types of MCP that they
    import. `contents` are those of static resources and skills by URI. `has_choices` says whether a
    schema can apply several parts of itself to one value, or refers to a part of itself, and
    `has_encodings` whether one has `contentEncoding`. `own` are the user's modules in the package
    whose functions handlers call.
    """

    definitions: tuple[str, ...]
    listed: Mapping[str, str]
    contexts: tuple[str, ...]
    exported: tuple[str, ...]
    contents: str
    settings: Mapping[str, str]
    upstream: UpstreamCode | None
    has_choices: bool
    has_encodings: bool
    own: tuple[str, ...]
    _plain: Callable[[], Plain]

    @cached_property
    def plain(self) -> Plain:
        """The code of a server without dependencies, made when a template asks for it."""
        return self._plain()


class VariableCode(Struct, frozen=True, kw_only=True):
    """An environment variable: `attribute` is its name in the settings class.

    `parser` is empty if any text will do, `header` for a credential in a header, or else the type.
    `value` is what an unset variable gives; empty if the variable is required.
    """

    attribute: str
    parser: str
    value: str


class ErrorCode(Struct, frozen=True, kw_only=True):
    """An exception class.

    `init` is the signature of its constructor. `raised` is the `super().__init__` call with its
    message.
    """

    init: str
    raised: str


def code(spec: Spec) -> Code:
    """Return a spec as Python."""
    every = named(spec)
    definitions = [known for types in types_of(spec, every) for known in types.definitions]
    settings = attributes(variable.name for variable in spec.env)
    return Code(
        project=_project(spec, definitions, settings),
        handlers=coded(spec, every, definitions),
        variables={item.name: _variable(item, settings, spec) for item in spec.env},
        errors={item.name: _error(item) for item in spec.errors},
    )


def _project(
    spec: Spec, definitions: Sequence[Definition], settings: Mapping[str, str]
) -> ProjectCode:
    parts = [part for _, index in spec.schemas for part in index.all.values()]
    keywords = {keyword for part in parts for keyword in part.keywords}
    return ProjectCode(
        definitions=tuple(map(source, definitions)),
        listed={
            "tools": str(literal([tool.name for tool in spec.tools])),
            "resources": str(literal([resource.uri for resource in spec.resources])),
            "prompts": str(literal([prompt.name for prompt in spec.prompts])),
        },
        contexts=_contexts(spec),
        exported=_exported(spec),
        contents=_contents(spec),
        settings=settings,
        upstream=_upstream(spec, settings),
        has_choices=not SEVERAL.isdisjoint(keywords),
        has_encodings="contentEncoding" in keywords,
        own=_own(spec),
        _plain=partial(plain, spec, definitions),
    )


def _own(spec: Spec) -> tuple[str, ...]:
    """Return the names of modules and packages in the server's package."""
    paths = (entry.handler.python or "" for entry in spec.handled if entry.handler)
    modules = (path[1:].partition(":")[0] for path in paths if path.startswith("."))
    return tuple(dict.fromkeys(module.partition(".")[0] for module in modules))


def _contexts(spec: Spec) -> tuple[str, ...]:
    asks = spec.asks
    tasks = any(tool.task for tool in spec.tools)
    kinds = {
        "AskingTaskContext": tasks and asks,
        "TaskContext": tasks and not asks,
        "ElicitingContext": spec.client_capabilities.forms,
        "UrlElicitingContext": spec.client_capabilities.urls,
        "SamplingContext": "sampling" in asks,
        "AskingContext": "roots" in asks,  # After its subclasses.
        "LoggingContext": "logging" in spec.capabilities.declared,
        "ClientContext": spec.auth and spec.auth.oauth,
    }
    return tuple(kind for kind, used in kinds.items() if used) or ("BaseContext",)


def _exported(spec: Spec) -> tuple[str, ...]:
    names = {"Annotations", "AudioContent", "BlobResourceContents", "ContentBlock"}
    names |= {"EmbeddedResource", "Icon", "ImageContent", "ResourceLink"}
    names |= {"TextContent", "TextResourceContents"}
    names |= {"CallToolResult"} if spec.tools else set()
    has_handlers = spec.resource_templates or any(not r.is_static for r in spec.resources)
    names |= {"ReadResourceResult"} if has_handlers else set()
    names |= {"GetPromptResult", "PromptMessage"} if spec.prompts else set()
    if "completions" in spec.capabilities.declared:
        names |= {"CompleteRequestParams"}
    if "sampling" in spec.asks:
        names |= {"CreateMessageRequestParams", "CreateMessageResult", "SamplingMessage"}
    return tuple(sorted(names))


def _contents(spec: Spec) -> str:
    static = ['CATALOG["contents"]'] if "resources" in spec.static else []
    static += ["skills.contents"] if spec.skills else []
    return " | ".join(static) or "{}"


def _upstream(spec: Spec, settings: Mapping[str, str]) -> UpstreamCode | None:
    upstream = spec.upstream
    if upstream is None:
        return None
    return UpstreamCode(
        command=_filled_in(upstream.command or "", settings),
        args=_filled_in(upstream.args, settings),
        env=_filled_in(upstream.env, settings),
        url=_filled_in(upstream.url, settings) if upstream.url is not None else "",
        headers=_filled_in(upstream.headers, settings),
        configured=any(variables(text) for _, text in upstream.texts),
    )


_PARSED = ("integer", "number", "boolean", "url")


def _variable(variable: Variable, settings: Mapping[str, str], spec: Spec) -> VariableCode:
    credentials = spec.api.credentials if spec.api else ()
    in_headers = {c.env for c in credentials if c.type in ("bearer", "header", "cookie")}
    parser = variable.type if variable.type in _PARSED else ""
    return VariableCode(
        attribute=settings[variable.name],
        parser="header" if variable.name in in_headers else parser,
        value=_unset(variable),
    )


def _error(error: DomainError) -> ErrorCode:
    return ErrorCode(init=constructor(error), raised=message_passed_on(error))


def _unset(variable: Variable) -> str:
    """Return the value of a variable that is not set; empty if it is required."""
    text = variable.default
    if variable.required:
        return ""
    if text is None:
        return "()" if variable.type == "list" else "None"
    match variable.type:
        case "integer":
            return str(int(text))
        case "number":
            return str(float(text))
        case "boolean":
            return str(text.strip().lower() in ("true", "yes", "on", "1"))
        case "path":
            return f"Path({literal(text)})"
        case "list":
            items = [str(literal(item.strip())) for item in text.split(",") if item.strip()]
            return f"({', '.join(items)},)" if items else "()"
        case _:
            return str(literal(text.strip()))


def _filled_in(value: object, attributes: Mapping[str, str]) -> str:
    """Return the expression of a text, a list or a mapping of texts.

    In each text, `${VARIABLE}` stands for a setting; `attributes` are those of the variables.
    """
    if isinstance(value, Mapping):
        rows = (Labelled(f"{quoted(k)}: ", _filled_in(v, attributes)) for k, v in value.items())
        return str(Brackets("", "{", tuple(rows)))
    if isinstance(value, str):
        return _filled_text(value, attributes)
    assert isinstance(value, Sequence)
    return str(Brackets("", "[", tuple(_filled_in(item, attributes) for item in value)))


def _filled_text(text: str, attributes: Mapping[str, str]) -> str:
    pieces = re.split(r"\$\{(\w+)\}", text)
    if len(pieces) == 1:
        return quoted(text)
    names = [f"settings.{attributes[name]}" for name in pieces[1::2]]
    if len(names) == 1 and not any(pieces[::2]):
        return names[0]
    literals = [piece.replace("{", "{{").replace("}", "}}") for piece in pieces[::2]]
    pairs = zip(literals, [*(f"{{{name}}}" for name in names), ""], strict=True)
    return f"f{quoted(''.join(part for pair in pairs for part in pair))}"
