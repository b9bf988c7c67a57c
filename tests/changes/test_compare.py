"""What an edit of the spec means for people is said handler by handler."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from scaffold.changes.compare import compare, similar
from scaffold.format.spec import Spec
from scaffold.yaml.source import parse
from tests.checked import check

HEAD = 'name: blog\nversion: "1"\n'
TOOLS = "tools:\n" + "".join(
    f"  - {{name: {name}, description: Does., inputSchema: {{type: object}}}}\n"
    for name in ("search_blog", "read_chunk")
)


def spec(body: str) -> Spec:
    return check(parse(HEAD + body))


def lines_of(old: str, new: str) -> list[str]:
    return [
        " ".join(filter(None, [c.kind, c.how, c.before, c.name, "; ".join(c.details)]))
        for c in compare(spec(old), spec(new))
    ]


def edits() -> Iterator[tuple[str, str, list[str]]]:
    for case in yaml.safe_load(Path(__file__).with_name("edits.yaml").read_text("utf-8")):
        for changes, expected in case["edits"]:
            new = case["spec"]
            for text, instead in changes.items():
                assert text in new
                new = new.replace(text, instead)
            yield case["spec"], new, expected


@pytest.mark.parametrize(("old", "new", "expected"), [*edits()])
def test_an_edit_is_described_in_terms_of_handlers(old: str, new: str, expected: list[str]) -> None:
    assert lines_of(old, new) == expected


def test_a_long_description_is_shortened_to_the_part_that_differs() -> None:
    names = ", ".join(f"name_{number}" for number in range(30))
    schema = f"{{type: object, properties: {{a: {{enum: [{names}]}}}}}}"
    old = f"tools:\n  - {{name: s, description: S., inputSchema: {schema}}}\n"
    (change,) = lines_of(old, old.replace("name_29", "other"))
    assert change == 'tool changed s a: …name_29" → …other"'


def test_definitions_that_use_others_twice_are_compared_at_once() -> None:
    """There are 2^40 paths to the last one."""
    twice = "{type: object, properties: {a: {$ref: '#/$defs/d%d'}, b: {$ref: '#/$defs/d%d'}}}"
    definitions = [f"d{n}: {twice % (n + 1, n + 1)}" for n in range(40)]
    end = "d40: {type: object, properties: {x: {type: string}}}"
    schema = f"{{type: object, $ref: '#/$defs/d0', $defs: {{{', '.join([*definitions, end])}}}}}"
    old = f"tools:\n  - {{name: search, description: S., inputSchema: {schema}}}\n"
    assert lines_of(old, old.replace("S.", "Search.")) == []
    (change,) = lines_of(old, old.replace("x: {type: string}", "x: {type: integer}"))
    assert "a.x: string → integer; " in change


def test_similar_names_are_treated_as_renames_each_only_once() -> None:
    new = TOOLS.replace("search_blog", "search_blogs").replace("read_chunk", "delete_all")
    changes = compare(spec(TOOLS), spec(new))
    assert [(former, now.name) for former, now in similar(changes)] == [
        ("search_blog", "search_blogs")
    ]
