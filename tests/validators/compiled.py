"""Validators as a server has them: the generated functions with the module that they call."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from functools import cache
from json import loads
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from jinja2 import DictLoader, Environment

from scaffold.jsonschema.faults import validator
from scaffold.jsonschema.index import Index
from scaffold.python.validators.module import Module
from scaffold.python.validators.vocabulary import FORMATS, HELPERS
from scaffold.python.validators.writer import write

TEMPLATE = Path(__file__).parents[2] / "templates/python-stdlib/src/package/_generated/faults.py.j2"
Explain = Callable[[Any], list[str]]


@cache
def runtime() -> dict[str, Any]:
    """The module of faults, with all that any schema needs."""
    loader = DictLoader({"header.j2": "", "faults.py.j2": TEMPLATE.read_text("utf-8")})
    environment = Environment(loader=loader, trim_blocks=True, lstrip_blocks=True)
    checks = SimpleNamespace(uses=HELPERS)
    project = SimpleNamespace(spec="mcp.yaml", plain=SimpleNamespace(checks=checks))
    source = environment.get_template("faults.py.j2").render(project=project)
    names: dict[str, Any] = {"__name__": "faults"}
    exec(compile(source, "faults.py", "exec"), names)
    return names


def sources(index: Index, name: str = "tool") -> tuple[str, str]:
    """The generated functions of a schema, and the name of the one for all of it."""
    module = Module()
    made = write(module, name, index)
    assert module.uses <= HELPERS
    return "\n\n\n".join(module.functions), made


def compiled(schema: Any) -> Explain:
    """The function that explains what is wrong with a value."""
    source, name = sources(Index.of(schema))
    names = {**runtime(), "re": re, **FORMAT_FUNCTIONS}
    header = "from __future__ import annotations\n"
    exec(compile(header + source, "checks.py", "exec"), names)
    check, explain = names[name], names["explain"]
    return lambda value: explain(check, value)


def _format(name: str) -> Callable[[str], bool]:
    engine = validator({"format": name})
    return lambda text: bool(engine.is_valid(text))


def _does(read: Callable[[str], Any]) -> Callable[[str], bool]:
    def is_read(text: str) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    return is_read


FORMAT_FUNCTIONS = {
    **{f"is_{name.replace('-', '_')}": _format(name) for name in FORMATS["2020-12"]},
    "is_base64": _does(lambda text: b64decode(text, validate=True)),
    "is_json": _does(loads),
    "is_base64_json": _does(lambda text: loads(b64decode(text))),
}
