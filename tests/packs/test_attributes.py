"""Every attribute that a built-in template reads exists: no type checker sees into a template."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes
from jinja2.runtime import Undefined

from scaffold.clients.client import read_clients
from scaffold.languages.registry import language
from scaffold.packs import builtin_packs
from scaffold.packs.engine import render
from scaffold.packs.pack import read_layers
from scaffold.packs.sandbox import Sandbox
from scaffold.packs.traits import traits
from scaffold.project.attachments import attachments, with_first_pages
from scaffold.project.build import build
from scaffold.yaml.source import parse, read
from tests.checked import check
from tests.generated import REPOSITORY

SPECS = REPOSITORY / "specs"

REST = parse("""\
name: the-rest
version: "0.1.0"
transports: [streamable-http]
http: {allowedOrigins: ["*"]}
replicas: {redis: {env: BUS}}
publish: {namespace: com.example}
upstream: {url: "https://example.org/mcp", headers: {X-Team: palette}}
api:
  url: {env: API}
  credentials:
    - {type: forward, header: X-Key}
    - {type: oauth2, tokenUrl: {env: API}, clientId: {env: ID}, clientSecret: {env: ID}, scope: read}
env:
  - {name: API, type: url}
  - {name: ID}
  - {name: BUS, required: false}
  - {name: CACHE, type: path}
capabilities: {resources: {subscribe: true}}
resources:
  - {uri: "palette://names", name: names, handler: {python: "palette:names"}}
prompts:
  - {name: compare, handler: {python: "palette:compare"}}
""")
"""What no spec in `specs/` has, and a template asks for."""

Read = tuple[str, str]
"""The path of a template, and an attribute that it reads."""


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> set[Read]:
    """What templates read while they are rendered, if it exists."""
    reads: set[Read] = set()
    original = Sandbox.getattr

    def getattr(self: Sandbox, obj: object, attribute: str) -> object:
        value = original(self, obj, attribute)
        if not isinstance(value, Undefined):
            reads.add((sys._getframe(1).f_code.co_filename, attribute))
        return value

    monkeypatch.setattr(Sandbox, "getattr", getattr)
    return reads


def read_anywhere(template: Path, sandbox: Sandbox) -> Iterator[Read]:
    """Yield what a template reads under any condition."""
    tree = sandbox.parse(template.read_text("utf-8"))
    yield from ((str(template), node.attr) for node in tree.find_all(nodes.Getattr))


def test_each_attribute_in_a_template_exists_in_some_project(resolved: set[Read]) -> None:
    python, every = language("python"), set[Read]()
    documents = [*map(read, sorted(SPECS.glob("*.yaml"))), REST]
    for layers in (read_layers(builtin_packs() / pack) for pack in ("python", "python-stdlib")):
        sandbox = Sandbox(layers, python.filters)
        for document in documents:
            spec = check(document)
            attached = with_first_pages(attachments(spec, document, SPECS), spec, layers)
            pin = "" if document is REST else "mcp-scaffold==1.0"
            of_layers, clients = traits(layers), read_clients()
            project = build(spec, python, of_layers, attached, clients, generator=pin)
            render(project, layers, python.filters)
            sandbox.get_template(".gitlab-ci.yml.j2").render(project=project)  # it has no row
        for layer in layers:
            for path in layer.folder.rglob("*.j2"):
                every.update(read_anywhere(path, sandbox))
    assert sorted(every - resolved) == []
