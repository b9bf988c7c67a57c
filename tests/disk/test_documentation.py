"""What a run on the disk can say is explained to those who read it."""

from __future__ import annotations

import ast
from pathlib import Path

from scaffold import disk
from scaffold.base.diagnostics.explain import sections
from scaffold.disk import decision


def test_every_diagnostic_of_the_disk_is_explained() -> None:
    ids = {one.id for one in vars(decision).values() if isinstance(one, decision.Decision)} - {""}
    for module in Path(disk.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            match node:
                case ast.Call(
                    ast.Name("Diagnostic" | "failure") | ast.Attribute(attr="of"),
                    [ast.Constant(str(id)), *_],
                ):
                    ids.add(id)
    assert len(ids) >= 13
    assert ids <= set(sections())
