"""Build the project, as templates see it, from a checked spec."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import asdict
from pydantic_core import to_json

from scaffold.base.data import Data
from scaffold.base.files import SPEC, RelPath
from scaffold.base.text import Text, readable, summary
from scaffold.clients import client as clients_data
from scaffold.format import spec as spec_model
from scaffold.format.entries import CallExample
from scaffold.format.spec import Spec
from scaffold.languages.language import Coded, Language
from scaffold.packs.traits import Traits
from scaffold.project.catalog import catalog, examples
from scaffold.project.clients import described, served
from scaffold.project.model import Example, Handler, Parameter, Project, Tool
from scaffold.project.publishing import publishing
from scaffold.project.seen import Seen
from scaffold.project.skills import MANUAL, MAX_DESCRIPTION_LENGTH
from scaffold.schema.describe import describe, describe_type
from scaffold.schema.index import Index


def build(
    spec: Spec,
    language: Language,
    traits: Traits,
    attached: Mapping[RelPath, str],
    clients: Iterable[clients_data.Client],
    skills: Collection[RelPath] = (),
) -> Project:
    """Return the project, with all names, types and code resolved; `traits` are those of its packs.

    `attached` are the texts of files that static resources and pages refer to, `skills` the paths
    of the files of skills. Snippets are made for `clients`.
    """
    name, package = language.command_name(spec.name), language.package_name(spec.name)
    code = language.code(spec)
    errors = {one.name: Seen(one, {"code": code.errors[one.name]}) for one in spec.errors}
    env = {one.name: Seen(one, {"code": code.variables[one.name]}) for one in spec.env}
    kinds: dict[type[spec_model.Entry], list[Handler]] = {}
    for one in code.handlers:
        kinds.setdefault(type(one.entry), []).append(_handler(one))
    server = served(spec, name)
    pages = {tool.ui.path: tool for tool in reversed(spec.tools) if tool.ui}
    tools = tuple(
        _tool(handler, tool, errors, tool in pages.values())
        for handler, tool in zip(kinds.get(spec_model.Tool, ()), spec.tools, strict=True)
    )
    about = summary(readable(spec.description, spec.title))
    others = [h for kind, found in kinds.items() if kind is not spec_model.Tool for h in found]
    told = examples(spec)
    return Project(
        name=name,
        package=package,
        source=traits.source.format(package=package),
        spec=SPEC,
        written=Data(spec.whole),
        version=Text(spec.version),
        title=Text(readable(spec.title, spec.name)),
        summary=Text(about),
        description=Text(readable(spec.description)),
        transports=tuple(spec.transports),
        http=Seen(spec.http),
        bearer=(spec.auth and spec.auth.token) or "",
        guarded=spec.guarded,
        oauth=Seen(spec.auth.oauth) if spec.auth and spec.auth.oauth else None,
        replicas=spec.replicas is not None and set(spec.transports) != {"stdio"},
        shared={name: one.env for name, one in spec.replicas or () if one},
        env=tuple(env.values()),
        settings=bool(spec.env),
        api=Seen(spec.api) if spec.api else None,
        upstream=Seen(spec.upstream) if spec.upstream else None,
        telemetry=spec.telemetry,
        errors=tuple(errors.values()),
        tools=tools,
        toolsets={name: Seen(one) for name, one in spec.toolsets.items()},
        resources=tuple(kinds.get(spec_model.Resource, ())),
        resource_templates=tuple(kinds.get(spec_model.ResourceTemplate, ())),
        prompts=tuple(kinds.get(spec_model.Prompt, ())),
        handlers=(*tools, *others),
        has_resources=spec.has_resources,
        has_prompts=bool(spec.prompts),
        functions=spec.functions,
        static=spec.static,
        skills=spec.skills_path or "",
        first_skill=_first_skill(spec, name, skills, about),
        outputs=spec.outputs,
        capabilities=spec.capabilities.declared,
        changing=spec.capabilities.changing,
        asks=spec.asks,
        cache={method: Seen(hint) for method, hint in spec.cache.hints},
        catalog=catalog(spec, attached),
        told=frozenset(told.keys() - {"examples"}).union(*told["examples"]),
        urls=tuple(server.url(t) for t in spec.transports if t != "stdio"),
        clients=tuple(described(server, clients, traits)),
        publish=publishing(spec, spec.publish, about, name, package, traits)
        if spec.publish
        else None,
        commands=traits.shown(name=name, package=package),
        code=code.project,
    )


def _handler(one: Coded) -> Handler:
    entry = one.entry
    return Handler(
        about=entry.about,
        written=Data(entry.whole),
        name=Text(entry.name),
        title=Text(_title(entry)),
        summary=Text(summary(readable(entry.description, entry.title, entry.name))),
        description=Text(readable(entry.description, entry.title, entry.name)),
        function=one.function,
        arguments_type=one.arguments_type,
        result_type=one.result_type,
        code=one.code,
    )


def _title(entry: spec_model.Entry) -> str:
    """Return the display name of an entry, as clients choose it, or else its name."""
    annotations = entry.annotations if isinstance(entry, spec_model.Tool) else None
    return readable(entry.title, annotations.title if annotations else None, entry.name)


def _first_skill(spec: Spec, name: str, skills: Collection[RelPath], about: str) -> Text:
    """Return the description of the skill that is written once; empty if there are others."""
    if spec.skills_path is None:
        return Text("")
    path = f"{spec.skills_path}/{name}/{MANUAL}"
    others = [one for one in skills if one.endswith(f"/{MANUAL}")]
    is_wanted = not others or path in others
    words = f"Use the tools of {readable(spec.title, spec.name)}. {about}".rstrip()
    return Text(shortened(words, MAX_DESCRIPTION_LENGTH) if is_wanted else "")


def _tool(
    handler: Handler, tool: spec_model.Tool, errors: Mapping[str, Seen], has_page: bool
) -> Tool:
    return Tool(
        **asdict(handler),
        parameters=_parameters(tool.arguments),
        reads=bool(tool.annotations and tool.annotations.read_only_hint),
        structured=tool.result is not None,
        output=Text(describe_type(tool.result) if tool.result else ""),
        results=_parameters(tool.result) if tool.result else (),
        errors=tuple(errors[name] for name in tool.errors),
        examples=tuple(
            Example(
                name=Text(example.name),
                given=Text(shortened(example.arguments)),
                fails=example.is_error and not example.domain_error,
                outcome=Text(outcome(example)),
                is_for_models=not example.is_error and "${" not in str(example.arguments),
            )
            for example in tool.examples
        ),
        scopes=tuple(map(Text, tool.scopes)),
        timeout=f"{tool.seconds:g}" if tool.seconds else "",
        is_task=tool.task is not None,
        requires_tasks=bool(tool.as_task and tool.as_task.support == "required"),
        page=tool.ui.path if tool.ui and has_page else "",
    )


def outcome(example: CallExample) -> str:
    """Return the error or the result that is expected of a call, or nothing."""
    if example.domain_error:
        return example.domain_error[0]
    return "" if example.result in (None, "…") else shortened(example.result)


def shortened(value: object, most: int = 120) -> str:
    """Return a JSON value as text, cut if it is long."""
    text = value if isinstance(value, str) else to_json(value).decode()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _parameters(schema: Index) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name=Text(one.name),
            type=Text(one.type),
            required=one.required,
            notes=Text(one.notes),
            description=Text(one.text),
        )
        for one in describe(schema)
    )
