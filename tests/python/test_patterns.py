"""Patterns of ECMA-262 as patterns of Python: they find the same, and never take long."""

from __future__ import annotations

import json
import random
import re
import time
import warnings
from itertools import product
from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from scaffold.format.draft import draft
from scaffold.languages.python.stdlib.limits import searches
from scaffold.languages.python.stdlib.patterns import translated
from scaffold.schema.check import pattern_problem
from scaffold.schema.regular.reading import PatternError
from scaffold.yaml.source import parse

SECOND = 1.5
"""The seconds that a search may take on a machine that does other things as well."""

KNOWN = yaml.safe_load(Path(__file__).with_name("patterns.yaml").read_text("utf-8"))
TEXTS = st.text("abA1_ -&|~[]\\{éß\n\r\u2028\xa0\x1c\x85٣Ω\u017f😀\ufeff\t./^$", max_size=8)
ONES = [*"abA1 -_&~/,é😀", *KNOWN["ones"].split()]
ATOMS = st.sampled_from([*ONES, "^", "$", r"\b", r"\B"])


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    quantifiers = st.sampled_from(["*", "+", "?", "*?", "+?", "{2}", "{1,2}", "{2,}", "{0}"])
    openings = st.sampled_from(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>"])
    groups = st.builds("{}{})".format, openings, inner)
    repeated = st.builds("{}{}".format, st.sampled_from(ONES) | groups, quantifiers)
    referred = st.builds(r"({}){}\1".format, inner, inner)
    choices = st.lists(inner, min_size=2, max_size=3).map("|".join)
    return st.lists(inner | groups | repeated, max_size=4).map("".join) | choices | referred


PATTERNS = st.recursive(ATOMS, _larger, max_leaves=8)


def matches(pattern: str, text: str) -> bool:
    return re.search(translated(pattern).source, text) is not None


def is_refused(pattern: str) -> bool:
    try:
        translated(pattern)
    except PatternError:
        return True
    return False


@given(PATTERNS, st.lists(TEXTS, min_size=1, max_size=8))
@example("[a&&b]", ["&"])
@example(r"^(a)?\1$", ["", "aa"])
@example(r"(a)\10", ["aa0"])
@example("^a$", ["a\n"])
@example(r"^\s$", ["\x1c", "\ufeff"])
def test_translated_patterns_match_what_the_engine_matches(pattern: str, texts: list[str]) -> None:
    assume(pattern_problem(pattern) is None and not is_refused(pattern))
    engine = jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
    if re.search(r"\(\?<?[=!]|\\1", pattern) and re.search(r"\\[wWdDsS]", pattern):
        # Beside these, the engine reads classes as Unicode has them, which ECMA-262 does not.
        texts = [text for text in texts if text.isascii() and "\x1c" not in text]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [matches(pattern, text) for text in texts] == [*map(engine.is_valid, texts)]


@pytest.mark.parametrize("pattern", KNOWN["refused"])
def test_patterns_that_can_take_exponential_time_are_refused(pattern: str) -> None:
    assert pattern_problem(pattern) is None
    assert is_refused(pattern)


@pytest.mark.parametrize("pattern", ["(?<=a+)b", "(?<=a|bc)d"])
def test_patterns_that_python_cannot_express_are_refused_with_a_hint(pattern: str) -> None:
    with pytest.raises(PatternError) as raised:
        translated(pattern)
    assert "lookbehind of variable length" in raised.value.message
    assert raised.value.hint


@pytest.mark.parametrize("pattern", KNOWN["slow"])
def test_quadratic_patterns_are_limited_to_short_texts(pattern: str) -> None:
    assert translated(pattern).limit
    assert time_of(pattern, 1_000_000) < SECOND


@pytest.mark.parametrize("pattern", KNOWN["fast"])
def test_linear_patterns_have_no_limit(pattern: str) -> None:
    assert translated(pattern).limit is None
    assert time_of(pattern, 1_000_000) < SECOND


def time_of(pattern: str, length: int) -> float:
    """Return the longest time of a search in hostile texts of up to this length."""
    source = re.compile(translated(pattern).source)
    most = 0.0
    for part, end in product(
        ["a", "x", "1", "<", "A", "ab", "a-", "1.", "a,", " "], ["", "!", "\n"]
    ):
        for size in (250, 4450, min(length, translated(pattern).limit or length)):
            if size > (translated(pattern).limit or size):
                continue
            text = (part * size)[: size - 1] + end
            start = time.process_time()
            source.search(text)
            most = max(most, time.process_time() - start)
    return most


def test_random_patterns_with_many_loops_are_refused_or_fast() -> None:
    chance = random.Random(1)
    tokens = ["a", "b", "[ab]", ".", "(", "(?:", ")", "*", "+", "?", "|", "{2,5}", "(?=", "(?!"]
    tried = 0
    while tried < 300:
        pattern = "^" * chance.randint(0, 1) + "".join(
            chance.choices(tokens, k=chance.randint(3, 9))
        )
        if pattern_problem(pattern) is None and not is_refused(pattern):
            tried += 1
            source = re.compile(translated(pattern).source)
            for whole in ("a" * 300 + "!", "ab" * 1000 + "!", "b" * 4000 + "!"):
                text = whole[-(translated(pattern).limit or len(whole)) :]
                start = time.process_time()
                source.search(text)
                assert time.process_time() - start < SECOND, (pattern, text[:2], len(text))


SLOW, ENDLESS = KNOWN["slow"][1], KNOWN["refused"][0]


@pytest.mark.parametrize(
    ("schema", "is_refused"),
    [
        ({"pattern": SLOW}, False),
        ({"pattern": ENDLESS}, True),
        ({"not": {"pattern": SLOW}}, True),
        ({"not": {"pattern": SLOW, "maxLength": 4000}}, False),
        ({"not": {"pattern": SLOW, "maxLength": 5000}}, True),
        ({"patternProperties": {SLOW: True}}, True),
        ({"patternProperties": {"^[a-z]+$": True}}, False),
    ],
)
def test_a_pattern_with_a_limit_rejects_long_texts(
    schema: dict[str, object], is_refused: bool
) -> None:
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": schema}}}
    spec = {"name": "server", "version": "1", "tools": [tool]}
    drafted, _ = draft(parse(json.dumps(spec)))
    assert drafted
    assert [finding.id for finding in searches(drafted, "plain", "")] == ["pack-lacks"] * is_refused
