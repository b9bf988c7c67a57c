"""Templates see what the spec has: titles, annotations, `_meta`, `x-` keys and schemas, as data."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from scaffold.data import Data, seen, unwrapped
from scaffold.diagnostics import Diagnostic, ScaffoldError
from scaffold.files import RelPath
from scaffold.generate import generate
from scaffold.packs.layers import PROJECT
from scaffold.packs.pack import Pack, pack_of
from scaffold.project.model import Project
from scaffold.python.text import FILTERS
from scaffold.render.engine import render
from scaffold.text import Text
from scaffold.yaml.source import parse

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
    table = f'contract = 3\n[[files]]\ntemplate = "a.txt.j2"\nowner = "merged"\n{row}'
    parts = {"pack.toml": table.encode(), "a.txt.j2": text.encode()}
    return [pack_of(parts, Path("templates"), PROJECT)]


@pytest.fixture
def rendered(project: Project) -> Rendered:
    """Renders a text with the project and its two tools, `greet` and `wave`."""

    def render_(text: str) -> str:
        heads = "{% set greet = project.tools[0] %}{% set wave = project.tools[1] %}"
        return render(project, layers(heads + text), FILTERS)[RelPath("a.txt")].text.rstrip()

    return render_


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("{{ greet.title | md }}, {{ wave.title | md }}", "Greet someone, Wave"),
        ("{{ greet.written.title | py }}", '"Greet someone"'),
        ("{{ project.written.instructions | json }}", r'"Say \"hello\" first."'),
        ("{{ greet.written.annotations.readOnlyHint | json }}", "true"),
        ("{{ greet.written.annotations.readOnlyHint | py }}", "True"),
        ("{{ wave.written.annotations.readOnlyHint | default(false) | py }}", "False"),
        ("{{ wave.written._meta.a.b.c | default('none') }}", "none"),
        ('{{ greet.written._meta["example.org/team"] | yaml }}', '"data"'),
        ("{{ project.written['x-contact'].team | sh }}", "'O'\"'\"'Neil & Sons'"),
        ("{{ project.written['x-contact'].tier }}", "1"),
        ("{{ greet.written['x-owner'] | comment }}", "a # b"),
        ("{{ greet.written.inputSchema.properties.items.items.type | json }}", '"string"'),
        ("{{ greet.written.inputSchema.properties | length }}", "2"),
        ("{% for name in greet.written.inputSchema.properties %}{{ name | md_code }} {% endfor %}",
         "`items` `{{ x }}`"),
        ("{% for _, one in greet.written.inputSchema.properties | items %}{{ one.maximum | default(0) }} {% endfor %}",
         "0 1.5"),
        ("{{ greet.written._meta.tags | map('upper') | list | length }}", None),
        ("{% if 'a' in greet.written._meta.tags %}yes{% endif %}", "yes"),
        ("{% if greet.written._meta.tags[0] == 'a' %}yes{% endif %}", "yes"),
        ("{% if wave.written._meta.tags %}yes{% else %}no{% endif %}", "no"),
        ("{% for tag in wave.written._meta.tags %}x{% endfor %}none", "none"),
        ("{% if 'a' in wave.written._meta.tags or wave.written.a == 'a' %}x{% endif %}no", "no"),
        ("{{ greet.written.inputSchema.properties.items | json(2) }}",
         '{\n  "type": "array",\n  "items": {\n    "type": "string"\n  },\n  "default": []\n}'),
        ("{{ greet.written._meta | py }}", '{"example.org/team": "data", "tags": ["a", "b"]}'),
        ("{{ greet.written['x-owner'] | identifier }}", "a_b"),
        ("{{ 'class' | identifier }} {{ '2nd try!' | identifier }}", "class_ value_2nd_try"),
    ],
)  # fmt: skip
def test_a_template_prints(rendered: Rendered, text: str, made: str | None) -> None:
    if made is None:
        with pytest.raises(ScaffoldError):
            rendered(text)
    else:
        assert rendered(text) == made


def test_a_schema_is_the_same_data_in_either_notation(rendered: Rendered) -> None:
    schema = yaml.safe_load(SPEC)["tools"][0]["inputSchema"]
    assert json.loads(rendered("{{ greet.written.inputSchema | json }}")) == schema
    assert ast.literal_eval(rendered("{{ greet.written.inputSchema | py }}")) == schema


def test_a_row_can_depend_on_data_that_may_be_absent(project: Project) -> None:
    row = (
        'each = "tool"\npath = "{{ tool.function }}.txt"\n'
        'when = "tool.written.annotations.readOnlyHint"\n'
    )
    found = render(project, layers("x", row), FILTERS)
    assert [*found] == ["greet.txt"]


def fault(project: Project, text: str) -> Diagnostic:
    with pytest.raises(ScaffoldError) as raised:
        render(project, layers("\n" + text), FILTERS)
    [only] = raised.value.diagnostics
    assert only.place
    assert (only.place.path, only.place.line) == ("templates/a.txt.j2", 2)
    return only


@pytest.mark.parametrize(
    ("text", "id", "message"),
    [
        ("{{ project.tools | md }}", "failed", "filter `md`: takes text, not a value of type tuple"),
        ("{{ 3 | doc }}", "failed", "filter `doc`: takes text, not a value of type int"),
        ("{{ project.title | doc(margin=2) }}", "failed",
         "filter `doc`: got an unexpected keyword argument 'margin'"),
        ("{{ project.title | join(',') }}", "unquoted",
         "filter `join`: free text must pass a quoting filter first: "),
        ("{{ project.transports | sort(by=1) }}", "failed",
         "filter `sort`: got an unexpected keyword argument 'by'"),
        ("{{ 3 | join(',') }}", "failed", "filter `join`: 'int' object is not iterable"),
        ("{{ project.tools | map(attribute='title') | map('upper') | join }}", "unquoted", "filter `upper`: free text"),
        ("{{ project.titel | md }}", "undefined", "`Project` has no `titel`"),
        ("{{ project.written.titel }}", "undefined", "the spec has no `titel` here"),
        ("{{ project.written.titel | md }}", "undefined", "the spec has no `titel` here"),
        ("{{ project.written.name }}", "unquoted", "free text must pass a quoting filter: "),
        ("{{ project.written.tools }}", "failed", "cannot print a value of type tuple"),
        ("{{ project.written }}", "failed", "cannot print a value of type Data"),
        ("{{ project.written._raw }}", "undefined", "the spec has no `_raw` here"),
        ("{{ project.written.keys() }}", "undefined", "the spec has no `keys` here"),
        ("{{ project.capabilities | json }}", "failed",
         "filter `json`: takes text or data of the spec, not a value of type frozenset"),
        ("{{ project.title | jsn }}", "syntax", "No filter named 'jsn'"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_at_its_line_by_the_name_of_the_filter(
    project: Project, text: str, id: str, message: str
) -> None:
    found = fault(project, text)
    assert found.id == f"template-{id}"
    assert message in found.message


def test_a_key_that_the_spec_may_lack_has_a_hint(project: Project) -> None:
    assert fault(project, "{{ project.written.instuctions | md }}").hint == (
        "did you mean `instructions`?"
    )
    assert fault(project, "{{ project.written.zzz | md }}").hint == (
        "add `| default(…)` for values that can be missing"
    )


def test_data_comes_back_as_it_was() -> None:
    raw = {"a": [1, None, True, {"b": "c"}], "d": 0.5}
    assert unwrapped(seen(raw)) == raw
    assert seen(raw)["a"][3] == Data({"b": "c"})
    assert [*seen(raw)] == [Text("a"), Text("d")]
