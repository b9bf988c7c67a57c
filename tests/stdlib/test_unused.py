"""A server of the pack python-stdlib has only what its own spec needs: nothing in it is unused."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.generated import generate

EXAMPLES = Path(__file__).parents[2] / "examples"
TOOLS = [
    {
        "name": name,
        "description": name,
        "inputSchema": {"type": "object", "properties": {"a": {"type": kind}}},
    }
    for name, kind in {"add": "number", "shout": "string"}.items()
]
TEXT = {"uri": "text://one", "name": "one", "text": "Hello."}
SPECS: dict[str, dict[str, Any]] = {
    "stdio": {"tools": TOOLS},
    "text": {"tools": TOOLS[1:]},
    "web": {"tools": TOOLS, "transports": ["streamable-http"]},
    "sse": {"tools": TOOLS, "transports": ["sse", "stdio"]},
    "static": {"resources": [TEXT]},
    "changing": {"resources": [TEXT], "capabilities": {"resources": {"subscribe": True}}},
    "asking": {"tools": TOOLS, "clientCapabilities": {"sampling": {}}},
    "logging": {"tools": TOOLS, "capabilities": {"logging": {}}},
    **{
        name: yaml.load((EXAMPLES / name / "mcp.yaml").read_text(), yaml.CSafeLoader)
        for name in ("blog-search", "library", "conformance")
    },
}
# What handlers import, and what is the same in every server.
OFFERED = {"changes", "client", "content", "contract", "errors", "models", "settings"}


@pytest.mark.parametrize("name", SPECS)
def test_nothing_is_unused(name: str, tmp_path: Path) -> None:
    spec = {"name": name, "version": "1", **SPECS[name]}
    project = generate(spec, tmp_path / name, pack="python-stdlib")
    modules = {
        path.stem: ast.parse(path.read_text()) for path in (project.folder / "src").rglob("*.py")
    }
    uses = Counter(one for tree in modules.values() for one in used(tree))
    assert {
        f"{module}.{one}"
        for module, tree in modules.items()
        if module not in OFFERED
        for one, node in defined(tree)
        if uses[one] == Counter(used(node))[one]
    } == set()


def used(tree: ast.AST) -> Iterator[str]:
    docstrings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        match node:
            case ast.Constant() if node in docstrings:
                pass
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
                yield name
            case ast.Constant(value=str(text)):  # Of a type, perhaps.
                yield from re.findall(r"\w+", text)


def defined(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Functions, classes, constants and attributes, but not what a base class from elsewhere has."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        inherits = (
            isinstance(node, ast.ClassDef) and not {ast.unparse(b) for b in node.bases} <= own
        )
        for child in [] if inherits else ast.iter_child_nodes(node):
            match child:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if not name.startswith("__"):
                        yield name, child
                case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                    yield name, child
                case ast.Assign(targets=[ast.Name(id=name)]) if not name.startswith("__"):
                    yield name, ast.Pass()
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
                    yield name, ast.Pass()
                case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                    yield name, ast.Pass()
                case _:
                    pass
