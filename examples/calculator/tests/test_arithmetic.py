"""The evaluator against Python's own arithmetic, and its bounds."""

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator._generated.contract import (
    BadExpression,
    DivisionByZero,
    NumberTooLong,
    ToolError,
)
from calculator.arithmetic import LIMIT, evaluate, in_digits

NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")

numbers = st.one_of(
    st.integers(0, 10**20).map(str),
    st.sampled_from(["0", "1", "2", "10", "0.1", ".5", "7.", "1e3", "2.50E-4"]),
    st.decimals(0, 1000, places=3).map(str),
)
signs = st.sampled_from(["", "", "-", "+", "- -"])
powers = st.sampled_from(["", "", "**2", " ** 3", " ** -1", "**0"])
operators = st.sampled_from([" + ", "-", "*", " / ", "//", " % "])


def chains(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Operands one after the other, so that precedence and grouping decide the value."""
    grouped = st.one_of(inner.map("({})".format), inner.map("abs( {} )".format))
    operands = st.tuples(signs, st.one_of(numbers, grouped), powers).map("".join)
    more = st.lists(st.tuples(operators, operands).map("".join), max_size=5)
    return st.builds("{}{}".format, operands, more.map("".join))


expressions = st.recursive(numbers, chains, max_leaves=8)
fractions = st.builds(Fraction, st.integers(-(10**50), 10**50), st.integers(1, 10**50))


def by_python(expression: str) -> Fraction:
    """Python's own value, each number of the expression made a Fraction first."""
    source = NUMBER.sub(lambda match: f"Fraction('{match[0]}')", expression)
    return Fraction(eval(source, {"Fraction": Fraction}))


@given(expressions)
def test_an_expression_has_the_value_that_python_gives_it(expression: str) -> None:
    try:
        value = evaluate(expression)
    except DivisionByZero:
        with pytest.raises(ZeroDivisionError):
            by_python(expression)
    except NumberTooLong:
        assert "**" in expression
    else:
        assert value == by_python(expression)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", 14),
        ("2 - 3 - 4", -5),
        ("2 ** 3 ** 2", 512),
        ("-2 ** 2", -4),
        ("2 ** -1", Fraction(1, 2)),
        ("2 * -3", -6),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("-7 // 2", -4),
        ("-7 % 3", 2),
        ("0 ** 0", 1),
        ("(-1) ** (10 ** 500 + 1)", -1),
        ("sqrt(16)", 4),
        ("sqrt(4 / 9) * abs(-3)", 2),
        ("\t( (1)\n)", 1),
    ],
)
def test_a_known_expression_has_its_known_value(
    expression: str, value: Fraction
) -> None:
    assert evaluate(expression) == value


@given(fractions)
def test_the_root_of_a_square_is_exact(value: Fraction) -> None:
    assert evaluate(f"sqrt(({value}) ** 2)") == abs(value)


@given(fractions.map(abs))
def test_any_other_root_is_right_to_28_digits(value: Fraction) -> None:
    root = evaluate(f"sqrt({value})")
    assert abs(root**2 - value) <= value / 10**28


@given(fractions)
def test_a_result_is_shown_exactly_or_rounded_and_marked(value: Fraction) -> None:
    text = in_digits(value)
    if text.startswith("≈ "):
        shown = Decimal(text.removeprefix("≈ "))
        assert len(shown.as_tuple().digits) == 15
        assert abs(Fraction(shown) - value) <= abs(value) / 10**14
    else:
        assert Fraction(text) == value


soup = st.lists(
    st.one_of(
        numbers,
        st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "(", ")", " ", "e9"]),
        st.sampled_from(["abs", "sqrt", "(", "**9", "9e999", "__import__", "^", "1_0"]),
        st.characters(),
    ),
    max_size=200,
)


@given(soup.map("".join))
def test_any_text_has_a_bounded_value_or_an_error_with_its_column(text: str) -> None:
    try:
        value = evaluate(text)
    except ToolError as error:
        column = re.match(r"Column (\d+): ", str(error))
        assert column
        assert 1 <= int(column[1]) <= len(text) + 1
    else:
        assert max(abs(value.numerator), value.denominator) < LIMIT


@pytest.mark.parametrize(
    ("expression", "column", "problem"),
    [
        ("", 1, "a number should be here, not the end"),
        ("2 + * 3", 5, "a number should be here, not `*`"),
        ("2 3", 3, "an operator should be here, not `3`"),
        ("2 ^ 3", 3, "an operator should be here, not `^`"),
        ("(2 + 3", 7, "`)` should be here, not the end"),
        ("2)", 2, "an operator should be here, not `)`"),
        ("sqrt 4", 6, "`(` should be here, not `4`"),
        ("1 + exit(0)", 5, "`exit` is not a function: only abs, sqrt are"),
        ("().__class__", 2, "a number should be here, not `)`"),
        ("1 + sqrt(-4)", 5, "a negative number has no square root"),
        ("4 ** 0.5", 3, "an exponent must be a whole number; for roots there is sqrt"),
        ("(" * 500, 101, "nested in more than 100 levels"),
        ("-" * 500 + "1", 101, "nested in more than 100 levels"),
        ("1**" * 300 + "1", 301, "nested in more than 100 levels"),
    ],
)
def test_a_bad_expression_is_told_where_and_why(
    expression: str, column: int, problem: str
) -> None:
    with pytest.raises(BadExpression) as caught:
        evaluate(expression)
    assert str(caught.value) == f"Column {column}: {problem}"


@pytest.mark.parametrize("expression", ["1 / 0", "1 // 0", "1 % 0", "0 ** -1"])
def test_division_by_zero_is_told_at_its_operator(expression: str) -> None:
    with pytest.raises(DivisionByZero, match="Column 3: division by zero"):
        evaluate(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "9 ** 9 ** 9",
        "9 ** 9 ** 9 ** 9",
        "(1 / 9) ** 9 ** 9",
        "2 ** -(10 ** 900)",
        "(10 ** 600) * (10 ** 600)",
        "1 / 7 ** 2000",
        "1e1000",
        "1e-1000",
        "1e999999999999999999",
        "1" * 1001,
        "*".join(["(9 ** 400)"] * 50),
    ],
)
def test_a_number_of_more_than_a_thousand_digits_is_refused(expression: str) -> None:
    with pytest.raises(NumberTooLong, match="more than 1000 digits"):
        evaluate(expression)


def test_a_thousand_digits_are_not_too_many() -> None:
    assert evaluate("9" * 1000) == LIMIT - 1
