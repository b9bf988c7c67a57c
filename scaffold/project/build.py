"""Build the project, as templates see it, from a checked spec."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic_core import to_json

from scaffold.base.data import Data
from scaffold.base.diagnostics.wording import cut
from scaffold.base.files import SPEC, RelPath
from scaffold.base.text import Text, readable, summary
from scaffold.clients import client as clients_data
from scaffold.format.examples import CallExample
from scaffold.format.spec import Prompt, Resource, ResourceTemplate, Spec, Tool
from scaffold.languages.language import Coded, Language
from scaffold.packs.traits import Traits
from scaffold.project import model
from scaffold.project.catalog import catalog
from scaffold.project.checks import examples
from scaffold.project.clients import described, served
from scaffold.project.model import Error, Example, Handler, Project, Variable
from scaffold.project.publishing import publishing
from scaffold.project.skills import MANUAL, MAX_DESCRIPTION_LENGTH
from scaffold.project.view import View
from scaffold.schema.describe import describe, describe_type


def build(
    spec: Spec,
    language: Language,
    traits: Traits,
    attached: Mapping[RelPath, str],
    clients: Iterable[clients_data.Client],
    skills: Collection[RelPath] = (),
    generator: str = "",
) -> Project:
    """Return the project, with all names, types and code resolved; `traits` are those of its packs.

    `attached` are the texts of files that static resources and pages refer to, `skills` the paths
    of the files of skills. Snippets are made for `clients`. `generator` is the requirement by which
    the project installs mcp-scaffold.

    The length is that of the list of what templates see, which is easier to compare with
    `model.py` in one place.
    """
    name, package = language.command_name(spec.name), language.package_name(spec.name)
    code = language.code(spec)
    errors = {item.name: Error(item, code.errors[item.name]) for item in spec.errors}
    pages = {tool.ui.path: tool.name for tool in reversed(spec.tools) if tool.ui}
    tools = [_tool(item, errors, pages) for item in code.handlers if isinstance(item.entry, Tool)]
    resources, resource_templates, prompts = (
        tuple(
            Handler(item.entry, **_shared(item))
            for item in code.handlers
            if type(item.entry) is kind
        )
        for kind in (Resource, ResourceTemplate, Prompt)
    )
    server = served(spec, name)
    about = summary(readable(spec.description, spec.title))
    story = examples(spec)
    return Project(
        spec,
        name=name,
        package=package,
        source=traits.source.format(package=package),
        spec=SPEC,
        written=Data(spec.whole),
        title=Text(readable(spec.title, spec.name)),
        summary=Text(about),
        description=Text(readable(spec.description)),
        bearer=(spec.auth and spec.auth.token) or "",
        oauth=View(spec.auth.oauth) if spec.auth and spec.auth.oauth else None,
        replicas=spec.replicas is not None and set(spec.transports) != {"stdio"},
        shared={name: item.env for name, item in spec.replicas or () if item},
        env=tuple(Variable(item, code.variables[item.name]) for item in spec.env),
        errors=tuple(errors.values()),
        tools=tuple(tools),
        resources=resources,
        resource_templates=resource_templates,
        prompts=prompts,
        handlers=(*tools, *resources, *resource_templates, *prompts),
        has_prompts=bool(spec.prompts),
        skills=spec.skills_path or "",
        first_skill=_first_skill(spec, name, skills, about),
        capabilities=spec.capabilities.declared,
        changing=spec.capabilities.changing,
        cache={method: View(hint) for method, hint in spec.cache.hints},
        catalog=catalog(spec, package, attached),
        example_keys=frozenset().union(*story, *(example["params"] for example in story)),
        urls=tuple(server.url(t) for t in spec.transports if t != "stdio"),
        clients=tuple(described(server, clients, traits)),
        publish=publishing(spec, spec.publish, about, name, package, traits)
        if spec.publish
        else None,
        commands=traits.shown(name=name, package=package),
        generator=Text(generator),
        code=code.project,
    )


def _first_skill(spec: Spec, name: str, skills: Collection[RelPath], about: str) -> Text:
    """Return the description of the skill that is written once; empty if there are others."""
    if spec.skills_path is None:
        return Text("")
    path = f"{spec.skills_path}/{name}/{MANUAL}"
    others = [path for path in skills if path.endswith(f"/{MANUAL}")]
    is_wanted = not others or path in others
    words = f"Use the tools of {readable(spec.title, spec.name)}. {about}".rstrip()
    return Text(shortened(words, MAX_DESCRIPTION_LENGTH) if is_wanted else "")


def _tool(handler: Coded, errors: Mapping[str, Error], pages: Mapping[RelPath, str]) -> model.Tool:
    """Return a tool; `pages` has the first tool of each page."""
    tool = handler.entry
    assert isinstance(tool, Tool)
    return model.Tool(
        tool,
        **_shared(handler),
        parameters=tuple(map(View, describe(tool.arguments))),
        reads=bool(tool.annotations and tool.annotations.read_only_hint),
        structured=tool.result is not None,
        output=Text(describe_type(tool.result) if tool.result else ""),
        results=tuple(map(View, describe(tool.result))) if tool.result else (),
        errors=tuple(errors[name] for name in tool.errors),
        examples=tuple(map(_example, tool.examples)),
        timeout=f"{tool.seconds:g}" if tool.seconds else "",
        is_task=tool.task is not None,
        requires_tasks=bool(tool.as_task and tool.as_task.support == "required"),
        page=tool.ui.path if tool.ui and pages[tool.ui.path] == tool.name else "",
    )


def _shared(handler: Coded) -> dict[str, Any]:
    """Return the attributes that tools and other handlers share."""
    entry = handler.entry
    description = readable(entry.description, entry.title, entry.name)
    # The display name, in the order in which clients choose it.
    annotations = entry.annotations if isinstance(entry, Tool) else None
    title = readable(entry.title, annotations.title if annotations else None, entry.name)
    return {
        "about": entry.about,
        "written": Data(entry.whole),
        "title": Text(title),
        "summary": Text(summary(description)),
        "description": Text(description),
        "function": handler.function,
        "arguments_type": handler.arguments_type,
        "result_type": handler.result_type,
        "code": handler.code,
    }


def _example(example: CallExample) -> Example:
    return Example(
        example,
        given=Text(shortened(example.arguments)),
        fails=example.is_error and not example.domain_error,
        outcome=Text(outcome(example)),
        is_for_models=not example.is_error and "${" not in str(example.arguments),
    )


def outcome(example: CallExample) -> str:
    """Return the error or the result that is expected of a call, or nothing."""
    if example.domain_error:
        return example.domain_error[0]
    return "" if example.result in (None, "…") else shortened(example.result)


def shortened(value: object, most: int = 120) -> str:
    """Return a JSON value as text, cut if it is long."""
    text = value if isinstance(value, str) else to_json(value).decode()
    return cut(text, most)
