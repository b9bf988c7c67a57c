"""Whatever is read: a Document and a Spec, or a ScaffoldError with a place; never anything else."""

from __future__ import annotations

import copy
import json
import unicodedata
from pathlib import Path
from typing import Any

import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scaffold.base.diagnostics import ScaffoldError
from scaffold.cli.console import rendered
from scaffold.cli.report import Report
from scaffold.format.lint import lint
from scaffold.project.generate import generate
from scaffold.yaml.source import parse
from tests.checked import check

ROOT = Path(__file__).parent
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
BOUNDED = settings(max_examples=75, deadline=2000, suppress_health_check=[HealthCheck.too_slow])

WHOLE: dict[str, Any] = yaml.safe_load((ROOT / "whole.yaml").read_text("utf-8"))

WORDS = st.sampled_from(
    ["$ref", "$id", "$schema", "type", "properties", "items", "pattern", "allOf", "default", "name"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([1e300, 10**30, 9000.0, -0.0])
    | st.text(max_size=8)
    | WORDS
    | st.sampled_from(["#", "#/$defs/node", "#here", "urn:x", "string", "object", "{", "(", "a++"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS | st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def outcome(text: str, name: str = "spec.yaml") -> tuple[Any, ...]:
    """Read, check, lint and draw; the places must lie within the text."""
    try:
        document = parse(text, name)
        findings = lint(check(document), document)
    except ScaffoldError as error:
        findings = error.diagnostics
        assert findings
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for diagnostic in findings:
        place = diagnostic.place
        assert place is not None
        if diagnostic.id == "many-faults":
            continue
        assert place.line is not None
        assert place.column is not None
        assert 1 <= place.line <= len(lines)
        assert 1 <= place.column <= len(lines[place.line - 1]) + 2
        assert diagnostic.hint
    for format in ("human", "json", "github"):
        drawn = "".join(rendered(Report(tuple(findings)), format))
        assert not {unicodedata.category(c) for c in drawn if c not in "\n\u200d"} & UNSEEN
    return findings


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    return [here, *(path for key in keys for path in paths(value[key], (*here, key)))]


PATHS = paths(WHOLE)


@BOUNDED
@given(
    st.lists(
        st.tuples(st.sampled_from(PATHS[1:]), st.none() | VALUES | WORDS), min_size=1, max_size=3
    )
)
@example([(("resources", 0, "size"), 1e300)])
@example([(("http", "port"), 9000.0)])
def test_a_spec_with_parts_replaced_or_removed_is_refused_or_generated(
    changes: list[tuple[Any, Any]],
) -> None:
    value = copy.deepcopy(WHOLE)
    for path, new in changes:
        holder: Any = value
        try:
            for key in path[:-1]:
                holder = holder[key]
            if new is None:
                del holder[path[-1]]
            else:
                holder[path[-1]] = new
        except (KeyError, IndexError, TypeError):
            continue
    text = json.dumps(value)
    if not any(finding.severity == "error" for finding in outcome(text)):
        generated = generate(parse(text), ROOT, ROOT, {})
        for file in generated.files.values():
            if file.path.endswith(".py"):
                compile(file.text, file.path, "exec")


@BOUNDED
@given(VALUES)
def test_any_value_as_a_schema_is_refused_or_generated(schema: Any) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": schema}}}
    outcome(json.dumps({"name": "a", "version": "1.0", "tools": [tool]}))


YAML = st.text(alphabet=st.sampled_from("ab:-?[]{},&*!|>'\"%@`#~<\\ud8\n\t 01.eE+_\r"), max_size=60)


@BOUNDED
@given(YAML | st.text(max_size=60))
@example('"\\ud83d\\ude00')
@example("a: \"\\ud83d\\ude00\" b\nc: '\\ud83d\\ude00'")
@example("&a [*a]")
@example("? ")
@example("<<: {a: 1}\n<<: {a: 2}")
@example("\ufeff\ufeff")
@example("%YAML 9.9\n---\n")
@example("a: !!int\nb: !!float .nan\nc: !!null x")
def test_any_text_as_a_spec_is_refused_or_generated(text: str) -> None:
    outcome(text)
    outcome(text, "spec.json")
    outcome('name: a\nversion: "1.0"\ntools:\n' + text)
