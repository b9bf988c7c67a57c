"""Arithmetic expressions into exact fractions, within bounds, by precedence climbing."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from calculator._generated.contract import BadExpression, DivisionByZero, NumberTooLong

MAX_DEPTH = 100
MAX_DIGITS = 1000
LIMIT = 10**MAX_DIGITS

TOKEN = re.compile(
    r"""\s*(?:
        (?P<number> (?: \d+\.?\d* | \.\d+ ) (?: [eE][+-]?\d+ )? )
      | (?P<name> [A-Za-z]\w* )
      | (?P<symbol> \*\* | // | [-+*/%()] )
      | (?P<unknown> . )
      | (?P<end> \Z )
    )""",
    re.ASCII | re.DOTALL | re.VERBOSE,
)

# How tightly each binds, as in Python: -2 ** 2 is -(2 ** 2), but -2 * 2 is (-2) * 2.
BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "**": 4}
SIGN = 3

OPERATIONS: dict[str, Callable[[Fraction, Fraction], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    column: int
    """From 1."""


def evaluate(expression: str) -> Fraction:
    """The exact value; raises an error that names the column at fault."""
    parser = Parser(expression)
    value = parser.expression()
    if parser.token.kind != "end":
        raise expected("an operator", parser.token)
    return value


def in_digits(value: Fraction) -> str:
    """Whole numbers in full; others in at most 15 digits, after ≈ if these round."""
    if value.denominator == 1:
        return str(value.numerator)
    with localcontext(prec=15):
        rounded = Decimal(value.numerator) / Decimal(value.denominator)
    return str(rounded) if rounded == value else f"≈ {rounded}"


class Parser:
    """Goes through the tokens once and calculates on the way."""

    def __init__(self, expression: str) -> None:
        self.tokens = tokenize(expression)
        self.token = next(self.tokens)
        self.depth = 0

    def take(self) -> Token:
        token = self.token
        self.token = next(self.tokens, token)
        return token

    def expect(self, symbol: str) -> None:
        if self.token.text != symbol:
            raise expected(f"`{symbol}`", self.token)
        self.take()

    def expression(self, binding: int = 1) -> Fraction:
        """An operand and the operators after it that bind at least so tightly."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise bad(self.token, f"nested in more than {MAX_DEPTH} levels")
        value = self.operand()
        while BINDING.get(self.token.text, 0) >= binding:
            token = self.take()
            # 2 - 3 - 4 is (2 - 3) - 4, but 2 ** 3 ** 4 is 2 ** (3 ** 4).
            tighter = BINDING[token.text] + (token.text != "**")
            value = calculate(value, token, self.expression(tighter))
        self.depth -= 1
        return value

    def operand(self) -> Fraction:
        token = self.take()
        match token:
            case Token(kind="number"):
                return number(token)
            case Token(text="+"):
                return self.expression(SIGN)
            case Token(text="-"):
                return -self.expression(SIGN)
            case Token(text="("):
                value = self.expression()
                self.expect(")")
                return value
            case Token(text="abs"):
                return abs(self.argument())
            case Token(text="sqrt"):
                return square_root(token, self.argument())
            case Token(kind="name"):
                raise bad(
                    token, f"`{token.text}` is not a function: only abs, sqrt are"
                )
            case _:
                raise expected("a number", token)

    def argument(self) -> Fraction:
        self.expect("(")
        value = self.expression()
        self.expect(")")
        return value


def tokenize(expression: str) -> Iterator[Token]:
    for match in TOKEN.finditer(expression):
        kind = match.lastgroup or "end"
        yield Token(kind, match[kind], match.start(kind) + 1)


def number(token: Token) -> Fraction:
    exponent = token.text.lower().partition("e")[2]
    if abs(int(exponent or 0)) > MAX_DIGITS:
        raise too_long(token)
    return bounded(Fraction(token.text), token)


def calculate(left: Fraction, token: Token, right: Fraction) -> Fraction:
    if token.text == "**":
        check_exponent(left, token, right)
    try:
        return bounded(Fraction(OPERATIONS[token.text](left, right)), token)
    except ZeroDivisionError:
        raise DivisionByZero(column=token.column) from None


def check_exponent(base: Fraction, token: Token, exponent: Fraction) -> None:
    """Whole, and small enough for the power to be worked out at all."""
    if exponent.denominator != 1:
        raise bad(token, "an exponent must be a whole number; for roots there is sqrt")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent) > LIMIT.bit_length():
        raise too_long(token)


def square_root(token: Token, value: Fraction) -> Fraction:
    """Exact where the root is a fraction, else to 30 digits, twice as many as are shown."""
    if value < 0:
        raise bad(token, "a negative number has no square root")
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root**2 != value:
        product = value.numerator * value.denominator
        root = Fraction(math.isqrt(product * 10**60), value.denominator * 10**30)
    return bounded(root, token)


def bounded(value: Fraction, token: Token) -> Fraction:
    if max(abs(value.numerator), value.denominator) >= LIMIT:
        raise too_long(token)
    return value


def too_long(token: Token) -> NumberTooLong:
    return NumberTooLong(column=token.column, limit=MAX_DIGITS)


def expected(what: str, token: Token) -> BadExpression:
    found = f"`{token.text}`" if token.text else "the end"
    return bad(token, f"{what} should be here, not {found}")


def bad(token: Token, problem: str) -> BadExpression:
    return BadExpression(column=token.column, problem=problem)
