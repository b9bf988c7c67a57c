"""The functions that `formats.py` of the pack `python-stdlib` has for all formats."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import DictLoader, Environment

from scaffold.python.validators.vocabulary import FORMATS

ROOT = Path(__file__).parents[2]

TEMPLATE = ROOT / "templates/python-stdlib/src/package/_generated/formats.py.j2"
CONTENTS = ("is_base64", "is_json", "is_base64_json")


def function(format: str) -> str:
    return f"is_{format.replace('-', '_')}"


def source(*functions: str) -> str:
    """Return the module for these functions."""
    loader = DictLoader({"formats.py.j2": TEMPLATE.read_text("utf-8"), "header.j2": ""})
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True)
    checks = SimpleNamespace(formats=frozenset(functions))
    project = SimpleNamespace(plain=SimpleNamespace(checks=checks), spec="mcp.yaml")
    return environment.get_template("formats.py.j2").render(project=project)


@cache
def formats() -> dict[str, Callable[[str], bool]]:
    """Return all functions by their names."""
    names = [function(one) for one in sorted(FORMATS["2020-12"] | FORMATS["draft-07"])]
    names += CONTENTS
    module: dict[str, Any] = {}
    exec(source(*names), module)
    return {name: module[name] for name in names}
