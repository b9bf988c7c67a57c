"""Nothing outside `scaffold/languages/python/` knows Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import scaffold

PACKAGE = Path(scaffold.__file__).parent
NEUTRAL = ("base", "yaml", "schema", "spec", "packs", "disk", "project", "breaking", "teams", "cli")
OURS = {"sandbox.py"}  # a file of our own, by whose age compiled templates are known


def knows(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from {name.name for name in names} & {"ast", "keyword", "tokenize"}
            case ast.Constant(value=str(text)) if text.endswith(".py"):
                yield from {text} - OURS


@pytest.mark.parametrize("room", NEUTRAL)
def test_a_room_knows_no_python(room: str) -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), what)
        for path in (PACKAGE / room).rglob("*.py")
        for what in knows(ast.parse(path.read_text("utf-8")))
    }
    assert found == set()
