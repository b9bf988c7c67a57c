"""A generated server with toolsets, started as operators start it; `tests/runtime` has the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.generated import PACK, Generated, generate, listening, of_the_sdk
from tests.raw_client import LEGACY, MODERN, RawClient, StdioClient, WireCheck
from tests.raw_web_client import HttpClient, SseClient
from tests.server.test_story import edit

READS = {"annotations": {"readOnlyHint": True}}
WRITES = {"annotations": {"readOnlyHint": False}}
TOOLS: dict[str, dict[str, Any]] = {
    "search": READS,
    "lend": WRITES | {"examples": [{"name": "one", "result": "done"}]},
    "give_back": WRITES | {"examples": [{"name": "it", "after": "one", "result": "done"}]},
    "about": READS,
}
WEB = ["streamable-http", "sse"] if PACK == "python" else []
# `tests/runtime` tries the pack python in both eras.
VERSIONS = [MODERN] if PACK == "python" else [LEGACY[0], MODERN]
SPEC = {
    "name": "small-library",
    "version": "1",
    "transports": ["stdio", *WEB],
    "toolsets": {
        "catalog": {"tools": ["search"], "default": True},
        "loans": {"description": "Lend books", "tools": ["lend", "give_back"]},
    },
    "capabilities": {"tools": {"listChanged": True}},
    "tools": [
        {"name": name, "description": f"Tool {name}.", "inputSchema": {"type": "object"}, **more}
        for name, more in TOOLS.items()
    ],
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    """A project with its handlers written; `search` hides the tool `about`."""
    project = generate(SPEC, tmp_path_factory.mktemp("toolsets") / "library")
    for tool in TOOLS:
        edit(project, f"tools/{tool}.py", "raise NotWritten", 'return "done"')
    edit(project, "tools/search.py", "return", 'await hide("tools", "about")\n    return')
    edit(project, "tools/search.py", "import (", "import (\n    hide,")
    return project


def offered(client: RawClient) -> str:
    """Return the tools that a server lists, after a call of each of the others."""
    listed = [tool["name"] for tool in client.request("tools/list")["result"]["tools"]]
    for name in TOOLS.keys() - listed:
        refusal = {"code": -32602, "message": f"Unknown tool: {name}"}
        assert client.call(name)["error"] == refusal
    assert client.faults == []
    return " ".join(listed)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("arguments", "env", "expected"),
    [
        ([], {}, "search about"),
        (["--toolsets", "all"], {}, "search lend give_back about"),
        (["--toolsets=loans"], {"TOOLSETS": "catalog"}, "lend give_back about"),
        ([], {"TOOLS": "lend"}, "lend"),
        (["--read-only"], {"TOOLSETS": "all"}, "search about"),
        ([], {"READ_ONLY": "1", "TOOLSETS": "loans"}, "about"),
    ],
    ids=str,
)
def test_the_operator_chooses_what_is_offered(
    arguments: list[str],
    env: dict[str, str],
    expected: str,
    version: str,
    library: Generated,
    check: WireCheck,
) -> None:
    variables = {f"SMALL_LIBRARY_{name}": text for name, text in env.items()}
    with StdioClient(library, version, check, *arguments, **variables) as client:
        assert offered(client) == expected
        if "search" in expected:
            assert client.call("search")["result"]["content"][0]["text"] == "done"
            assert offered(client) == expected.removesuffix(" about")


@pytest.mark.parametrize("transport", ["stdio", *WEB[:1]])
@pytest.mark.parametrize(
    ("arguments", "env", "message"),
    [
        (["--toolsets", "lones"], {}, "toolset: lones, not one of catalog, loans, all, default"),
        ([], {"SMALL_LIBRARY_TOOLS": "search,lent"}, "tool: lent"),
    ],
    ids=str,
)
def test_an_unknown_name_is_a_one_line_error_at_the_start(
    arguments: list[str], env: dict[str, str], message: str, transport: str, library: Generated
) -> None:
    started = Generated(library.folder, library.package, env)
    ran = started.run("--transport", transport, *arguments)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr.decode() == f"small-library: Unknown {message}\n"


def test_the_script_of_the_project_tries_all_tools(library: Generated) -> None:
    ran = library.script()
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "lists the tools: search, lend, give_back, about" in ran.stdout
    assert "ok   lend, one: done\nok   give_back, it: done" in ran.stdout


@of_the_sdk
def test_the_script_skips_what_a_running_server_does_not_offer(
    library: Generated, tmp_path: Path
) -> None:
    with listening(library, "streamable-http", tmp_path / "log.txt") as server:
        ran = library.script("--real", "--url", server.url("/mcp"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "lists the tools: search, about\n" in ran.stdout
    assert "skip lend, one - the server does not offer the tool\n" in ran.stdout
    assert "skip give_back, it - " in ran.stdout


@of_the_sdk
@pytest.mark.parametrize(
    ("transport", "version"), [("streamable-http", MODERN), ("sse", LEGACY[-1])]
)
def test_each_request_over_http_selects_tools_by_its_headers(
    transport: str, version: str, library: Generated, check: WireCheck, tmp_path: Path
) -> None:
    kind = SseClient if transport == "sse" else HttpClient
    with (
        listening(library, transport, tmp_path / "log.txt", "--toolsets", "all") as server,
        kind(server, version, check) as client,
    ):
        for headers, expected in (
            ({}, "search lend give_back about"),
            ({"X-MCP-Toolsets": "loans"}, "lend give_back about"),
            ({"X-MCP-Toolsets": "loans", "X-MCP-Readonly": "true"}, "about"),
            ({"X-MCP-Tools": "search"}, "search"),
        ):
            sent = {k: v for k, v in client.headers.items() if not k.startswith("X-MCP")}
            client.headers = sent | headers
            assert offered(client) == expected
        client.headers |= {"X-MCP-Tools": "serch"}
        assert client.request("tools/list")["error"]["code"] == -32602
