"""The engine for JSON Schema judges every value as jsonschema-rs does, and says where it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.languages.python.stdlib.limits import UNKNOWN_FORMATS
from scaffold.languages.python.stdlib.models import CHOICES, CONDITIONS, RARE_KEYWORDS
from scaffold.schema.engine import validator
from scaffold.schema.index import Index
from scaffold.schema.keywords import FORMATS, SEVERAL
from scaffold.schema.references import reference_faults
from tests.captured import Captured
from tests.corpus.suite import DIALECTS, Case, cases
from tests.generated import generate
from tests.python.test_patterns import is_refused
from tests.schema.made import Made
from tests.stdlib.runtime import faults_of, runtime


def keywords_in(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keywords at any depth, with their values."""
    if isinstance(schema, dict):
        yield from schema.items()
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from keywords_in(part)


def is_refused_case(case: Case) -> bool:
    """Return whether `new` refuses the schema, or one that it needs lies elsewhere."""
    rules = [*keywords_in(case.tool["inputSchema"])]
    return case.fetches is not None or any(
        (key == "format" and rule in UNKNOWN_FORMATS)
        or (key == "pattern" and isinstance(rule, str) and is_refused(rule))
        or key == "$dynamicRef"
        or (key == "$ref" and isinstance(rule, str) and "json-schema.org/draft" in rule)
        for key, rule in rules
    )


def is_encoded(case: Case, value: Any) -> bool:
    """Return whether a host name holds an A-label, whose letters of Unicode are not looked at."""
    return case.name.startswith("hostname") and "xn--" in str(value).lower()


@pytest.mark.parametrize("draft", DIALECTS)
def test_every_verdict_of_the_suite_is_right(draft: str, corpus: Path) -> None:
    count = 0
    for case in cases(corpus / "json-schema-test-suite", draft):
        if is_refused_case(case):
            continue
        faults = faults_of(case.tool["inputSchema"])
        for value, is_valid in case.tests:
            if not is_encoded(case, value):
                assert (faults({"value": value}) == []) == is_valid, (case.name, value)
                count += 1
    assert count > 1300


@pytest.mark.slow
@settings(max_examples=4000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_random_values_get_the_verdict_of_the_other_pack(seed: int) -> None:
    random_schema = Made(Random(seed))
    if list(reference_faults(Index(random_schema.schema), "")):  # It never ends.
        return
    engine, faults = validator(random_schema.schema), faults_of(random_schema.schema)
    for _ in range(5):
        value = random_schema.near(random_schema.schema)
        assert (faults(value) == []) == engine.is_valid(value), (random_schema.schema, value)


def test_values_of_real_tools_get_the_same_verdict(captured: Captured) -> None:
    random = Random(1)
    for tool in captured.tools:
        for schema in (tool["inputSchema"], tool.get("outputSchema", True)):
            random_schema = Made(random)
            definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
            random_schema.schema = {"$defs": {**dict.fromkeys("pqr", True), **definitions}}
            engine, faults = validator(schema), faults_of(schema)
            for _ in range(12):
                try:
                    value = random_schema.near(schema)
                except KeyError:  # It refers to something by a longer name.
                    value = random_schema.value()
                assert (faults(value) == []) == engine.is_valid(value)


NUMBERS = (
    st.integers(-(10**30), 10**30)
    | st.floats(-1e20, 1e20, allow_nan=False)
    | st.decimals(-1000, 1000, places=3).map(float)
)
STEPS = st.sampled_from([1, 2, 3, 7, 0.5, 0.1, 0.01, 1e-8, 0.125, 2.5, 1e20, 10**20])


@given(NUMBERS, STEPS)
def test_multiples_are_those_of_the_decimal_numbers(number: float, step: float) -> None:
    schema = {"multipleOf": step}
    assert (faults_of(schema)(number) == []) == validator(schema).is_valid(number)


KNOWN = yaml.safe_load(Path(__file__).with_name("faults.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("schema", "value", "faults"), KNOWN["told"])
def test_errors_have_a_place_and_a_message(schema: Any, value: Any, faults: list[str]) -> None:
    assert faults_of(schema)(value) == faults


def test_at_most_twenty_errors_are_reported() -> None:
    assert len(faults_of({"items": {"type": "string"}})([1] * 100)) == 20


def test_a_text_that_is_too_long_for_its_pattern_is_reported() -> None:
    (fault,) = faults_of({"pattern": "^[a-z][a-z0-9-]*[a-z0-9]+$"})("a" * 100_000)
    assert "is too long to be matched: " in fault
    assert fault.endswith(" characters")


def test_all_formats_are_checked() -> None:
    assert runtime("formats").FORMATS.keys() == FORMATS - UNKNOWN_FORMATS


def test_keywords_of_modules_of_their_own_are_known_to_the_generator() -> None:
    rare = runtime("rare_keywords").RARE.keys() | {"prefixItems"}  # By dialect.
    choices, conditions = runtime("choices").CHOICES, runtime("any_schema").CONDITIONS
    assert (rare, choices.keys()) == (RARE_KEYWORDS, CHOICES)
    assert conditions.keys() | {"then", "else"} == CONDITIONS
    assert not SEVERAL - {"$dynamicRef"} - RARE_KEYWORDS - CHOICES - CONDITIONS


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"minLength": 1, "format": "date", "items": {"enum": [1]}}, "Schema"),
        ({"uniqueItems": True}, "RareSchema"),
        ({"items": [True]}, "Schema"),
        ({"anyOf": [{"type": "null"}]}, "ChoiceSchema"),
        ({"anyOf": [{"not": {}}]}, "AnySchema"),
        ({"if": {}}, "AnySchema"),
        ({"allOf": [True], "$schema": "http://json-schema.org/draft-07/schema#"}, "AnySchema"),
    ],
)
def test_a_server_has_the_keywords_of_its_schemas(more: Any, name: str, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"a": more}}
    if "$schema" in more or isinstance(more.get("items"), list):
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    tool = {"name": "look", "description": "Look.", "inputSchema": schema}
    spec = {"name": "keys", "version": "1", "tools": [tool]}
    project = generate(spec, tmp_path / "keys", pack="python-stdlib")
    written = (project.folder / "src/keys/_generated/server.py").read_text("utf-8")
    assert f"schema={name}," in written.replace(f"partial({name}, formats=FORMATS)", name)
    generated = {path.stem for path in (project.folder / "src/keys/_generated/runtime").iterdir()}
    modules = {"RareSchema": {"rare_keywords"}, "ChoiceSchema": {"choices", "nearest", "places"}}
    modules |= {"Schema": set(), "AnySchema": {"any_schema"}.union(*modules.values())}
    assert generated & modules["AnySchema"] == modules[name]
