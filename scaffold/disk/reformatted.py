"""Two texts of a Python file → whether a formatter may have made one of the other."""

from __future__ import annotations

import ast
import io
import tokenize


def is_reformatted(text: str, of: str) -> bool:
    """Whether both are the same program with the same comments, laid out in two ways."""
    try:
        return ast.dump(ast.parse(text)) == ast.dump(ast.parse(of)) and (
            _comments(text) == _comments(of)
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT]
