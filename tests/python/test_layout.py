"""What is laid out is Python that means the same and that `ruff format` leaves as it is."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold.python.layout import (
    LINE_LENGTH,
    Brackets,
    Expression,
    Labelled,
    Union,
    call,
    imports,
    lay,
    literal,
    quoted,
    statement,
    subscript,
    width,
)

T = TypeVar("T")


def samples(strategy: st.SearchStrategy[T]) -> list[T]:
    """Many values of a strategy, for one run of ruff over all of them."""
    found: list[T] = []

    @settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(strategy)
    def collect(value: T) -> None:
        found.append(value)

    collect()
    return found


def padded(letter: str, longest: int) -> st.SearchStrategy[str]:
    return st.integers(1, longest).map(lambda length: letter * length)


def unions(members: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    flat = members.filter(lambda member: not isinstance(member, Union))
    return st.lists(flat, min_size=2, max_size=5).map(lambda them: Union(tuple(them)))


names = st.sampled_from(["int", "None", "SearchBlogArgumentsFilter"]) | padded("T", 64)
literals = st.lists(padded("v", 40).map(quoted), min_size=1, max_size=6).map(
    lambda values: subscript("Literal", *values)
)
expressions: st.SearchStrategy[Expression] = st.recursive(
    names | literals,
    lambda inner: (
        inner.map(lambda item: subscript("list", item))
        | inner.map(lambda item: subscript("dict", "str", item))
        | unions(inner)
    ),
    max_leaves=8,
)
json_values: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
    | padded("long ", 20),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.text(max_size=10) | padded("k", 40), inner, max_size=5)
    ),
    max_leaves=12,
)


def same(source: str, flat: str) -> bool:
    """Whether two statements mean the same."""
    return ast.dump(ast.parse(source)) == ast.dump(ast.parse(flat))


def left_alone(statements: Sequence[str], head: str = "") -> bool:
    """Whether ruff's formatter has nothing to change."""
    source = "\n".join([*head.splitlines(), *statements, ""])
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"]
    result = subprocess.run(
        command, input=source.encode(), capture_output=True, timeout=60, check=False
    )
    assert result.returncode in (0, 1), result.stderr.decode()
    print(result.stdout.decode())
    return result.returncode == 0


def test_annotations_in_a_class_are_as_ruff_leaves_them() -> None:
    fields = samples(st.tuples(padded("key_", 15), expressions, st.booleans()))
    lines = [
        "    "
        + statement(f"{key}: ", annotation if bare else subscript("NotRequired", annotation), 4)
        for key, annotation, bare in fields
    ]
    assert left_alone(lines, head="class Arguments(TypedDict):")


def test_aliases_are_as_ruff_leaves_them() -> None:
    aliases = samples(st.tuples(padded("T", 64), expressions))
    statements = [statement(f"{name}: TypeAlias = ", value) for name, value in aliases]
    assert left_alone(statements)
    for source, (name, value) in zip(statements, aliases, strict=True):
        assert same(source, f"{name}: TypeAlias = {value}")


def test_functional_typed_dicts_are_as_ruff_leaves_them() -> None:
    keys_near_the_edge = st.integers(50, 80).map(lambda length: "k" * length)
    key_strategy = padded("key-", 12) | keys_near_the_edge
    fields = st.lists(st.tuples(key_strategy, expressions), min_size=1, max_size=5)
    statements = []
    for items in samples(fields):
        keys = tuple(Labelled(f"{quoted(key)}: ", value) for key, value in items)
        typed_dict = call("TypedDict", quoted("Arguments"), Brackets("", "{", keys))
        statements.append(statement("Arguments = ", typed_dict))
        assert same(statements[-1], f"Arguments = {typed_dict}")
    assert left_alone(statements)


def test_json_values_are_as_ruff_leaves_them_and_mean_the_same() -> None:
    values = samples(json_values)
    statements = [statement("value = ", literal(value)) for value in values]
    assert left_alone(statements)
    for value, source in zip(values, statements, strict=True):
        assert ast.literal_eval(source.removeprefix("value = ")) == value


def test_calls_are_as_ruff_leaves_them() -> None:
    heads = st.sampled_from(["return ", "x = ", "raise ", ""])
    keywords = st.dictionaries(padded("n", 20), json_values, max_size=3)
    lines = []
    for head, arguments, named in samples(
        st.tuples(heads, st.lists(json_values, max_size=3), keywords)
    ):
        values = {name: literal(value) for name, value in named.items()}
        expression = call("function", *map(literal, arguments), **values)
        lines.append("    " + statement(head, expression, 4))
    assert left_alone(lines, head="def function():")


def test_what_stands_before_and_behind_an_expression_counts() -> None:
    calls = []
    for name, value in samples(st.tuples(padded("f", 30), json_values)):
        item = f"{name}={lay(literal(value), 4, before=len(name) + 1, after=1)}"
        calls.append(f"function(\n    sole,\n    {item},\n)")
    assert left_alone(calls)


@given(st.text() | st.text("'\"\\\n\t\x00\u202eé中 "))
def test_a_quoted_text_is_printable_and_means_the_text(text: str) -> None:
    source = quoted(text)
    assert ast.literal_eval(source) == text
    assert source.isprintable()


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ("'\"", '"\'\\""'),
        ("a\nb\tc\\", '"a\\nb\\tc\\\\"'),
        ("naïve ツール 中文 עברית हिन्दी €→✓ 🔧", '"naïve ツール 中文 עברית हिन्दी €→✓ 🔧"'),
        ("\x00\x1b\x7f\x85\xa0\xad", '"\\x00\\x1b\\x7f\\x85\\xa0\\xad"'),
        ("user\u202egnp", '"user\\u202egnp"'),
        ("zero\u200bwidth\u200djoiner\ufeff", '"zero\\u200bwidth\\u200djoiner\\ufeff"'),
        ("line\u2028end\u3000wide", '"line\\u2028end\\u3000wide"'),
        ("\U000e0041tag", '"\\U000e0041tag"'),
        ("cafe\u0301", '"cafe\\u0301"'),
        ("\u212b", '"\\u212b"'),
    ],
)
def test_what_can_be_read_stays_and_what_cannot_is_escaped(text: str, source: str) -> None:
    assert quoted(text) == source


def test_the_width_of_every_character_that_stays_is_the_one_ruff_counts() -> None:
    kept = [c for c in map(chr, range(0x80, 0x30000)) if quoted(c) == f'"{c}"']
    assert len(kept) > 90_000

    def line(character: str, columns: int) -> str:
        fill = "x" * (columns - len('["", ""]') - 4 * width(character))
        return f'["{character * 4}", "{fill}"]'

    fitting = [line(character, LINE_LENGTH) for character in kept]
    assert left_alone(fitting)
    split = [line(character, LINE_LENGTH + 1) for character in kept]
    assert left_alone(["[\n    {},\n    {},\n]".format(*row[1:-1].split(", ")) for row in split])


def test_imports_are_sorted_and_split_where_they_do_not_fit() -> None:
    assert imports("typing", ["TypedDict", "Any", "TYPE_CHECKING", "cast", "Any"]) == (
        "from typing import TYPE_CHECKING, Any, TypedDict, cast"
    )
    assert imports("typing", []) == ""
    long = [f"Exception{number}OfTheBlogSearch" for number in range(4)]
    assert left_alone(imports("blog_search.errors", long).splitlines())
    assert imports("blog_search.errors", long).count("\n") == 5
