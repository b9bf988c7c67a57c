"""Patterns: what every engine reads alike is accepted, the rest is refused with what to write."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from scaffold.schema.check import pattern_problem

KNOWN = yaml.safe_load(Path(__file__).with_name("patterns.yaml").read_text("utf-8"))
TOKENS = [
    *"abA1 .^$|-_&~#/\"'<>,",
    *["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "\\.", "\\-", "\\/", "\\_", "\\\\"],
    *["\\t", "\\n", "\\x41", "\\u0041", "\\u{1F600}", "\\cJ", "\\p{L}", "\\P{Lu}", "\\0", "\\k<n>"],
    *["\\p{Script=Greek}", "\\p{Greek}", "\\pL", "\\A", "\\Z", "\\z", "\\h", "\\G", "\\ud83d"],
    *["[ab]", "[^a]", "[a-c]", "[\\d-]", "[a&&b]", "[[]", "[a\\]]", "[]", "[^]", "[\\b]", "[é-ü]"],
    *["(", ")", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?P<n>", "(?i)", "(?>", "(?#"],
    *["*", "+", "?", "*?", "{2}", "{1,2}", "{,2}", "{", "}", "]", "++", "é", "😀"],
]
TEXTS = ["", "a", "ab", "aab", "A", "1", " ", "_", "-", "é", "😀", "Ω", "{", "]", "[", "&", "b a"]


@pytest.mark.parametrize("pattern", KNOWN["accepted"])
def test_patterns_that_all_engines_read_alike_are_accepted(pattern: str) -> None:
    assert pattern_problem(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "part"),
    [(pattern, part) for part, patterns in KNOWN["refused"].items() for pattern in patterns],
)
def test_the_refused_part_of_a_pattern_is_named(pattern: str, part: str) -> None:
    problem = pattern_problem(pattern)
    assert problem is not None
    assert part in problem[0]


@pytest.mark.usefixtures("starts_programs")
@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js to compare with")
def test_accepted_patterns_match_the_same_texts_in_javascript() -> None:
    chance = random.Random(0)
    patterns = ["".join(chance.choices(TOKENS, k=chance.randint(1, 6))) for _ in range(8_000)]
    accepted = [pattern for pattern in patterns if pattern_problem(pattern) is None]
    assert len(accepted) > 400
    script = (
        "const [patterns, texts] = JSON.parse(require('fs').readFileSync(0));"
        "const read = p => { try { return new RegExp(p, 'u') } catch { return new RegExp(p) } };"
        "console.log(JSON.stringify(patterns.map(p => texts.map(t => read(p).test(t)))))"
    )
    run = subprocess.run(
        ["node", "-e", script],
        input=json.dumps([accepted, TEXTS]),
        capture_output=True,
        check=True,
        text=True,
    )
    for pattern, expected in zip(accepted, json.loads(run.stdout), strict=True):
        if {"\\b", "\\B"} & {pattern[i : i + 2] for i in range(len(pattern))}:
            continue  # whether é is part of a word differs, as the documentation says
        engine = jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True)
        verdicts = [engine.is_valid(text) for text in TEXTS]
        assert verdicts == expected, pattern
