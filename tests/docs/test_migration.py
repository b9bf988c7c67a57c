"""The page on migration, word by word: servers from npm and in Python become projects, tool by tool."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    GetPromptRequest,
    GetPromptRequestParams,
    ReadResourceRequest,
    ReadResourceRequestParams,
)
from pydantic import TypeAdapter
from uv import find_uv_bin

from tests import npm
from tests.docs.pages import environment
from tests.generated import REPOSITORY
from tests.shell import bash

pytestmark = pytest.mark.usefixtures("starts_programs")

PAGE = (REPOSITORY / "docs/migrate.md").read_text("utf-8")
NPM, PYTHON = PAGE.split("## A FastMCP or MCPServer file")
CACHE = REPOSITORY / ".cache"
NOTES = Path(__file__).with_name("served_notes.txt").read_text("utf-8")


def blocks(part: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", part, re.DOTALL)


@dataclass
class Person:
    """A person at a terminal, who has `uv`, and `npx` as far as the page needs it."""

    folder: Path
    environment: Mapping[str, str]

    @classmethod
    def with_python(cls, folder: Path, python: Path) -> Person:
        """Return a person whose `python` and `uv run` are those of an environment."""
        person = cls(folder, environment(folder / "bin", python))
        person.program("python", f'exec {python} "$@"')
        return person

    def program(self, name: str, script: str) -> None:
        (self.folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / "bin" / name).chmod(0o755)

    def run(self, block: str) -> str:
        """Run the commands of a block; all must succeed. Return what they print."""
        done = bash(f"{block}\npwd", self.folder, self.environment)
        assert done.returncode == 0, done.stdout + done.stderr
        self.folder = Path(done.stdout.splitlines()[-1])
        return done.stdout + done.stderr

    def read(self, path: str) -> str:
        return (self.folder / path).read_text("utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text
        (self.folder / path).write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_a_server_from_npm_is_moved_as_the_page_says(tmp_path: Path) -> None:
    take, call, _, regenerate, tests = blocks(NPM, "sh")
    (passed_on,) = blocks(NPM, "python")
    person = Person.with_python(tmp_path, Path(sys.executable))
    package, version = re.findall(r"npx -y (\S+)@(\S+)", take)[0]
    try:
        program = npm.installed(package, version, "dist/index.js", CACHE)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"npm cannot install the server: {error}")
    person.program("npx", f'shift 2; exec "{npm.NODE}" "{program}" "$@"')

    assert "verified against the source" in person.run(take)
    path = "src/memory_server/tools/read_graph.py"
    assert passed_on in person.read(path)
    person.run(call)
    person.edit("mcp.yaml", *_without_handler(person.read("mcp.yaml"), "read_graph"))
    assert path in person.run(regenerate)
    given = 'return ReadGraphResult.model_validate({"entities": [], "relations": []})'
    person.edit(path, "raise NotWritten", given)
    assert "up to date" in person.run(regenerate)
    person.run(call)

    spec = person.read("mcp.yaml")
    spec = re.sub(r"\n +handler: \{proxy: \{\}\}", "", spec)
    (person.folder / "mcp.yaml").write_text(re.sub(r"\nupstream:\n( .*\n)+", "\n", spec))
    person.run(regenerate)
    assert not (person.folder / "src/memory_server/_generated/upstream.py").exists()
    assert "upstream" not in person.read("src/memory_server/lifespan.py")
    assert given in person.read(path)
    person.run(tests)


def _without_handler(spec: str, tool: str) -> tuple[str, str]:
    """The lines of a tool, and the same without its handler."""
    (entry,) = re.findall(rf"\n  - name: {tool}\n(?:.*\n)*?    handler: .*\n", spec)
    return entry, re.sub(r"    handler: .*\n", "", entry)


FRAMEWORKS = {
    "MCPServer": ("mcp.server.mcpserver", "mcp.server.mcpserver.exceptions"),
    "FastMCP": ("fastmcp", "fastmcp.exceptions"),
}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("add", {"note": {"title": "b", "day": "2026-03-04", "kind": "task"}}),
    ("add", {"note": {"title": "c", "day": "2026-03-04"}}),
    ("count", {}),
    ("count", {"kind": "task"}),
    ("count", {"kind": None, "since": "2026-02-01"}),
    ("total", {}),
    ("read-note", {"title": "b"}),
    ("read-note", {"title": "none"}),
    ("titles", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_python_file_is_moved_as_the_page_says(framework: str, tmp_path: Path) -> None:
    python = Path(sys.executable) if framework == "MCPServer" else with_fastmcp()
    module, errors = FRAMEWORKS[framework]
    text = NOTES.replace("FRAMEWORK", module).replace("ERRORS", errors)
    (tmp_path / "notes.py").write_text(text.replace("SERVER", framework))
    (take,) = blocks(PYTHON, "sh")
    (existing,) = blocks(PYTHON, "python")
    person = Person.with_python(tmp_path, python)

    output = person.run(take)
    assert "cp notes.py notes/src/notes/" in output
    assert "`slow` takes `ctx`, which clients do not send: write its handler" in output
    assert existing.strip() in re.sub(
        r"\nfrom notes\._gen.*", "", person.read("src/notes/tools/add.py")
    )
    assert "raise NotWritten" in person.read("src/notes/tools/slow.py")
    old = StdioServerParameters(command=str(python), args=[str(tmp_path / "notes.py")])
    env = {"PYTHONPATH": str(person.folder / "src")}
    new = StdioServerParameters(command=str(python), args=["-m", "notes"], env=env)
    expected = anyio.run(answers, old)
    assert anyio.run(answers, new) == expected

    person.edit("mcp.yaml", *_without_handler(person.read("mcp.yaml"), "total"))
    person.run("mcp-scaffold regenerate")
    person.edit(
        "src/notes/tools/total.py",
        "raise NotWritten",
        "from notes.notes import NOTES\n\n    return TotalResult(notes=len(NOTES))",
    )
    assert anyio.run(answers, new) == expected
    person.run("uv run pytest -q")


def with_fastmcp() -> Path:
    """A Python that has FastMCP and what a server needs, or skip."""
    folder = CACHE / "fastmcp-4.1.2"
    python = folder / "bin/python"
    if not python.exists():
        needs = ["fastmcp==4.1.2", "jsonschema-rs>=0.60,<0.61", "pytest>=9,<10"]
        for command in (
            ["venv", "-q", "--python", sys.executable, str(folder)],
            ["pip", "install", "-q", "--python", str(python), *needs],
        ):
            done = subprocess.run([find_uv_bin(), *command], capture_output=True, check=False)
            if done.returncode != 0:
                pytest.skip(f"FastMCP cannot be installed: {done.stderr.decode()[:200]}")
    return python


async def answers(server: StdioServerParameters) -> list[Any]:
    """The structured results or texts of all calls, and what resources and prompts say."""
    raw: TypeAdapter[Any] = TypeAdapter(dict[str, Any])
    results: list[Any] = []
    async with Client(server, mode="legacy", cache=None) as client:
        for tool, arguments in CALLS:
            params = CallToolRequestParams(name=tool, arguments=arguments)
            result = await client.session.send_request(CallToolRequest(params=params), raw)
            is_refused = "There is no note none" in json.dumps(result)
            results.append((result.get("structuredContent"), result.get("isError"), is_refused))
        for uri in ("notes://all", "notes://b"):
            read = ReadResourceRequest(params=ReadResourceRequestParams(uri=uri))
            (content,) = (await client.session.send_request(read, raw))["contents"]
            results.append(json.loads(content["text"]) if uri == "notes://all" else content)
        for name in ("summarise", "talk"):
            asked = GetPromptRequestParams(name=name, arguments={"title": "b"})
            prompt = await client.session.send_request(GetPromptRequest(params=asked), raw)
            results.append(prompt["messages"])
    return results
