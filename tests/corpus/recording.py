"""A generated project into one whose tools write down each call that reaches them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from scaffold.yaml.source import read
from tests.built import built
from tests.checked import check as checked
from tests.generated import Generated

STUB = "raise NotWritten"
MODULE = '''\
"""Note each call in a file, and answer it."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RESULTS = json.loads((FOLDER / "results.json").read_text("utf-8"))


def recorded(arguments: Any, tool: str) -> Any:
    filled_in = {key: value for key, value in every(arguments).items() if value is not None}
    with (FOLDER / "calls.jsonl").open("a", encoding="utf-8") as calls:
        calls.write(json.dumps([tool, {**filled_in, **sent(arguments)}]) + "\\n")
    return RESULTS.get(tool, "done")
'''
PYDANTIC = """

def every(arguments: Any) -> Any:
    return arguments.model_dump(mode="json", exclude_none=True)


def sent(arguments: Any) -> Any:
    return arguments.model_dump(mode="json", exclude_unset=True)
"""
PLAIN = """

def every(arguments: Any) -> Any:
    from ._generated.runtime.model import plain, plan

    return {key: plain(getattr(arguments, one.name)) for key, one in plan(type(arguments)).items()}


def sent(arguments: Any) -> Any:
    return arguments.model_dump()
"""


def record_calls(project: Generated, results: Mapping[str, Any]) -> None:
    """Put into the stub of each tool, as `new` has made it, a body that records its arguments.

    It returns what `results` holds for the tool's name, by default the text `done`.
    """
    is_plain = (project.source / "_generated/runtime/model.py").exists()
    module = MODULE + (PLAIN if is_plain else PYDANTIC)
    (project.source / "recording.py").write_text(module, "utf-8")
    (project.source / "results.json").write_text(json.dumps(results), "utf-8")
    (project.source / "calls.jsonl").touch()
    names = names_of(project)
    for stub in sorted(project.source.glob("tools/*.py")):
        text = stub.read_text("utf-8")
        if stub.name == "__init__.py":
            continue
        assert text.count(STUB) == 1, f"{stub.name} is no stub"
        name = names[stub.stem]
        body = text.replace(STUB, f"return recorded(arguments, {name!r})")
        stub.write_text(f"{body}\n\nfrom {project.package}.recording import recorded\n", "utf-8")


def names_of(project: Generated) -> dict[str, str]:
    """The name of each tool by that of its function."""
    [path] = project.folder.glob("mcp.*")
    spec = checked(read(path))
    functions = built(spec, {}).tools
    return {tool.function: each.name for tool, each in zip(functions, spec.tools, strict=True)}


def recorded_calls(project: Generated) -> list[Any]:
    """Name and arguments of each call that has reached a tool since this was asked last."""
    calls = project.source / "calls.jsonl"
    lines = calls.read_text("utf-8").splitlines()
    calls.write_text("")
    return [json.loads(line) for line in lines]


def as_text(value: Any) -> str:
    """JSON text that is the same for the same value only: `1` and `true` are equal in Python.

    Whole numbers are integers, as they are to handlers.
    """
    return json.dumps(whole(value), sort_keys=True)


def whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    return [whole(item) for item in value] if isinstance(value, list) else value
