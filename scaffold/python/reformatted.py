"""Detect whether two versions of a Python file differ only in formatting."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator

_LAYOUT = {
    *(tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
_OPTIONAL = frozenset("(),;")
_FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
_FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


def is_reformatted(text: str, of: str) -> bool:
    """Return whether two texts are the same program with the same comments in the same places.

    The indentation of docstrings may differ. Other strings and the words of comments may not.
    Return False if either text does not parse.
    """
    try:
        return _program(text) == _program(of) and [*_tokens(text)] == [*_tokens(of)]
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return False


def _program(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.kind = None  # the `u` of `u"text"`
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                _normalize_docstring(node)
    return ast.dump(tree)


def _normalize_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> None:
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str(text)) as docstring), *_]:
            lines = inspect.cleandoc(text).splitlines()
            docstring.value = "\n".join(line.rstrip() for line in lines).strip()


def _tokens(text: str) -> Iterator[str]:
    """Yield comments and the tokens that formatters never add, remove or move."""
    depth, was_string = 0, False
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        depth += (token.type == _FSTRING_START) - (token.type == _FSTRING_END)
        is_string = token.type in (tokenize.STRING, _FSTRING_END)
        if depth or token.type in _LAYOUT or token.string in _OPTIONAL:
            continue
        if is_string and was_string:  # formatters may join `"a" "b"`
            continue
        was_string = is_string
        if token.type == tokenize.COMMENT:
            yield f"#{token.string.lstrip('#').strip()}"
        else:
            yield token.string if token.type in (tokenize.NAME, tokenize.OP) else "…"
