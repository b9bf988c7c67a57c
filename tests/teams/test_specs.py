"""The built-in specs, which packs are checked with, try all that the built-in packs can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any, ClassVar

import pytest
from jinja2 import nodes

from scaffold.base.diagnostics import ScaffoldError
from scaffold.base.files import RenderedFiles
from scaffold.disk.records import PACK
from scaffold.packs import builtin_packs, engine
from scaffold.packs.pack import Pack, read_layers
from scaffold.packs.sandbox import Sandbox
from scaffold.project.generate import generate
from scaffold.project.inputs import Packs
from scaffold.teams.check import builtin_specs
from scaffold.teams.fetching import builtin_pack
from scaffold.yaml.source import read

PLAIN = b"""\
name = "plain"
contract = 4
extends = "server"
language = "plain"
refuses = ["publish"]
[commands]
client = "{folder}/server"
"""
"""A pack for another language: without a step to install, and started by a path."""


class Marking(Sandbox):
    """A sandbox that compiles templates with marks, to see which branches are taken."""

    left: ClassVar[dict[str, set[bool]]] = {}
    """The outcomes of each condition that no file has had so far, by its place."""

    def __init__(self, layers: Collection[Pack], filters: object) -> None:
        super().__init__(layers, filters)  # type: ignore[arg-type]
        self.bytecode_cache = None
        self.filters["mark"] = self.mark

    def mark(self, value: object, place: str) -> object:
        self.left[place].discard(bool(value))
        return value

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        numbers = Counter[int]()

        def marked(node: Any, line: int, *outcomes: bool) -> nodes.Expr:
            numbers[line] += 1
            place = f"{self.origins[filename or '']}:{line}, {numbers[line]}"
            self.left.setdefault(place, {*outcomes})
            arguments: list[nodes.Expr] = [nodes.Const(place)]
            return nodes.Filter(node, "mark", arguments, [], None, None, lineno=line)

        choices: list[Any] = [*tree.find_all((nodes.If, nodes.CondExpr))]
        for choice in choices:
            choice.test = marked(choice.test, choice.lineno, True, False)
        for loop in [*tree.find_all(nodes.For)]:
            entered = marked(nodes.Const(True), loop.lineno, True)
            loop.body.insert(0, nodes.ExprStmt(entered))
            if loop.test:
                loop.test = marked(loop.test, loop.lineno, True, False)
        return tree


def made(spec: Path, packs: Packs, generator: str) -> RenderedFiles:
    """The files of a spec; none if it asks for what such servers cannot do."""
    try:
        return generate(read(spec), spec.parent, Path(), packs, generator).files
    except ScaffoldError as error:
        if any(diagnostic.id != "pack-lacks" for diagnostic in error.diagnostics):
            raise
        return RenderedFiles({})


def test_every_branch_of_the_built_in_templates_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in any block that a team fills is found, and so is one of ours."""
    monkeypatch.setattr(engine, "Sandbox", Marking)
    monkeypatch.setattr(Marking, "left", {})
    plain: Packs = {PACK: {"pack.toml": PLAIN}}
    for packs in (*(builtin_pack(name).packs for name in ("python", "python-stdlib")), plain):
        for generator in ("", "mcp-scaffold==1"):  # as it was installed
            for spec in builtin_specs().values():
                made(spec, packs, generator)
    assert len(Marking.left) > 400
    assert {place: left for place, left in Marking.left.items() if left} == {}


def test_every_row_of_the_built_in_pack_makes_a_file() -> None:
    """So that no `when` of a team's pack is called unused without reason."""
    files = (file for spec in builtin_specs().values() for file in made(spec, {}, "").values())
    layers = read_layers(builtin_packs() / "python")
    rows = {row.template for pack in layers for row in pack.table.rows}
    assert rows == {file.template for file in files} - {"mcp-scaffold"}
