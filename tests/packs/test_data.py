"""Templates see what the spec has: titles, annotations, `_meta`, `x-` keys and schemas, as data."""

from __future__ import annotations

import ast
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RelPath
from scaffold.languages.python.text import FILTERS
from scaffold.packs.engine import render
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import Pack, pack_of
from scaffold.project.generate import generate
from scaffold.project.model import Project
from scaffold.yaml.source import parse

CASES = tomllib.loads(Path(__file__).with_name("templates.toml").read_text("utf-8"))

SPEC = r"""
name: hello
version: "1.0.0"
instructions: 'Say "hello" first.'
x-contact: {team: "O'Neil & Sons", tier: 1}
tools:
  - name: greet
    title: Greet someone
    description: Greets.
    annotations: {readOnlyHint: true}
    _meta: {example.org/team: data, tags: [a, b]}
    x-owner: "a\n# b"
    inputSchema:
      type: object
      properties:
        items: {type: array, items: {type: string}, default: []}
        "{{ x }}": {type: [string, "null"], maximum: 1.5}
  - name: wave
    description: Waves.
    annotations: {title: Wave}
    inputSchema: {type: object}
"""

Rendered = Callable[[str], str]


@pytest.fixture(scope="module")
def project() -> Project:
    return generate(parse(SPEC), Path(), Path(), {}).project


def layers(text: str, row: str = "") -> list[Pack]:
    table = f'contract = 4\n[[files]]\ntemplate = "a.txt.j2"\nowner = "merged"\n{row}'
    parts = {"pack.toml": table.encode(), "a.txt.j2": text.encode()}
    return [pack_of(parts, Path("templates"), PROJECT)]


@pytest.fixture
def rendered(project: Project) -> Rendered:
    """Renders a text with the project and its two tools, `greet` and `wave`."""

    def render_(text: str) -> str:
        heads = "{% set greet = project.tools[0] %}{% set wave = project.tools[1] %}"
        return render(project, layers(heads + text), FILTERS)[RelPath("a.txt")].text.rstrip()

    return render_


@pytest.mark.parametrize("text", CASES["prints"])
def test_a_template_prints_the_text_of_its_case(rendered: Rendered, text: str) -> None:
    assert rendered(text) == CASES["prints"][text]


def test_a_schema_is_the_same_data_in_either_notation(rendered: Rendered) -> None:
    schema = yaml.safe_load(SPEC)["tools"][0]["inputSchema"]
    assert json.loads(rendered("{{ greet.written.inputSchema | json }}")) == schema
    assert ast.literal_eval(rendered("{{ greet.written.inputSchema | py }}")) == schema


def test_a_row_can_depend_on_optional_data(project: Project) -> None:
    row = (
        'each = "tool"\npath = "{{ tool.function }}.txt"\n'
        'when = "tool.written.annotations.readOnlyHint"\n'
    )
    files = render(project, layers("x", row), FILTERS)
    assert [*files] == ["greet.txt"]


@pytest.mark.parametrize("case", CASES["mistakes"], ids=lambda case: case["text"])
def test_a_mistake_is_reported_with_its_line(project: Project, case: dict[str, str]) -> None:
    with pytest.raises(ScaffoldError) as raised:
        render(project, layers("\n" + case["text"]), FILTERS)
    [diagnostic] = raised.value.diagnostics
    assert diagnostic.place
    assert (diagnostic.place.path, diagnostic.place.line) == ("templates/a.txt.j2", 2)
    assert diagnostic.id.startswith(case["id"])
    assert case["message"] in diagnostic.message
    assert case.get("hint", "") in (diagnostic.hint or "")
