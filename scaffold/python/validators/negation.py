"""The opposite of a condition in Python, written as one would."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from scaffold.python.validators.statements import grouped


def negated(test: str) -> str:
    """Return the opposite of a condition, as a boolean."""
    return _opposite(test.encode(), ast.parse(test, mode="eval").body)


_OPPOSITES: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.LtE: ">",
    ast.Gt: "<=",
    ast.GtE: "<",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


def _opposite(text: bytes, node: ast.expr) -> str:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _boolean(text, operand)
        case ast.BoolOp(op=ast.Or(), values=values):
            return " and ".join(grouped(_opposite(text, one)) for one in values)
        case ast.BoolOp(values=values):
            return " or ".join(_opposite(text, one) for one in values)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"{_source(text, left)} {_OPPOSITES[type(op)]} {_source(text, right)}"
        case ast.Call() | ast.Name():
            return f"not {_source(text, node)}"
        case _:
            return f"not ({_source(text, node)})"


def _boolean(text: bytes, node: ast.expr) -> str:
    match node:
        case ast.BoolOp(op=ast.Or(), values=values):
            return " or ".join(_boolean(text, one) for one in values)
        case ast.BoolOp(values=values):
            return " and ".join(grouped(_boolean(text, one)) for one in values)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name()):
            return _source(text, node)
        case _:
            return f"bool({_source(text, node)})"


def _source(text: bytes, node: ast.expr) -> str:
    return text[node.col_offset : node.end_col_offset].decode()
