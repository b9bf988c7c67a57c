"""Faults that are planted in the entry of a client, in its environment or in the server."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scaffold.clients.client import read_client
from scaffold.clients.places import Machine
from scaffold.clients.server import Server, Variable
from scaffold.clients.trial.findings import Entry, Trial
from scaffold.clients.trial.trial import tried
from scaffold.diagnostics.explain import explain

KNOB_SERVER = str(Path(__file__).with_name("knob_server.py"))

SHELL = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "TOKEN": "s3cret-value"}

TOKEN = Variable("TOKEN", "A token", default=None, secret=True, required=True)
REGION = Variable("REGION", "A region", default=None, secret=False, required=False)
SERVER = Server("blog", None, ("stdio",), "127.0.0.1", 8000, (TOKEN, REGION), None)


def knobs(**given: Any) -> dict[str, Any]:
    """The command of the server that is wrong in a given way, for most clients."""
    return {"command": sys.executable, "args": [KNOB_SERVER, json.dumps(given)]}


TOKEN_OF_SHELL = {"env": {"TOKEN": "${TOKEN}"}}


@dataclass(frozen=True)
class Case:
    """A fault: the id of its finding, and words of its message or of the hint."""

    id: str
    said: str
    client: str
    entry: Any
    shell: Mapping[str, str] = field(default_factory=lambda: SHELL)
    name: str = "blog"
    limits: Mapping[str, Any] = field(default_factory=dict)


def path(folder: str) -> dict[str, str]:
    return {**SHELL, "PATH": f"{folder}:{SHELL['PATH']}"}


UV = str(Path(sys.executable).with_name("uv"))

CASES = {
    "a variable that is not set stays as it is written": Case(
        "client-variable", "`TOKEM` is not set", "claude-code",
        knobs() | {"env": {"TOKEN": "${TOKEM}"}},
    ),
    "a variable that is not set becomes empty": Case(
        "client-variable", "`TOKEM` is not set", "gemini-cli",
        knobs() | {"env": {"TOKEN": "$TOKEM"}},
    ),
    "a variable is set in the shell only": Case(
        "client-variable", "set in this shell only, and Cursor runs without it", "cursor",
        knobs() | {"env": {"TOKEN": "${env:TOKEN}"}},
    ),
    "a reference has the form of another client": Case(
        "client-variable", "Gemini CLI does not replace `${env:TOKEN}`", "gemini-cli",
        knobs() | {"env": {"TOKEN": "${env:TOKEN}"}},
    ),
    "a client that replaces nothing has a reference": Case(
        "client-variable", "Claude Desktop does not replace `${TOKEN}`", "claude-desktop",
        knobs() | {"env": {"TOKEN": "${TOKEN}"}},
    ),
    "a variable that the client passes on by name is not set": Case(
        "client-variable", "`TOKEM` is not set", "codex", knobs() | {"env_vars": ["TOKEM"]},
    ),
    "the client asks for a value": Case(
        "client-variable", "VS Code asks for `blog.token`", "vscode",
        knobs() | {"env": {"TOKEN": "${input:blog.token}"}}, shell={"PATH": "/usr/bin:/bin"},
    ),
    "the client keeps a secret to itself": Case(
        "client-stopped", "its log ends with: error: TOKEN is not set", "gemini-cli",
        knobs(needs=["TOKEN"]),
    ),
    "the client keeps most variables to itself": Case(
        "client-stopped", "error: TOKEN is not set", "codex", knobs(needs=["TOKEN"]),
    ),
    "a placeholder was not replaced": Case(
        "client-placeholder", "`PASTE_TOKEN_HERE`", "claude-desktop",
        knobs() | {"env": {"TOKEN": "PASTE_TOKEN_HERE"}},
    ),
    "uv is only on the PATH of the shell": Case(
        "client-program", "`uv` is not found: Claude Desktop looks in", "claude-desktop",
        {"command": "uv", "args": ["run", "blog"]}, shell=path(str(Path(UV).parent)),
    ),
    "uv is nowhere": Case(
        "client-program", "install uv", "claude-code", {"command": "uv", "args": ["run", "blog"]},
    ),
    "the program is not there": Case(
        "client-program", "the program `/no/uv` does not exist", "claude-code",
        {"command": "/no/uv", "args": ["run"]},
    ),
    "the program is in ~": Case(
        "client-program", "clients do not replace `~`", "claude-code", {"command": "~/bin/uv"},
    ),
    "the program is a file that cannot be run": Case(
        "client-program", "is not executable", "claude-code", {"command": KNOB_SERVER},
    ),
    "the command is a line": Case(
        "client-entry", "holds arguments too", "claude-code", {"command": "uv run blog"},
    ),
    "the project has moved": Case(
        "client-program", "the directory `/no/blog` does not exist", "claude-code",
        {"command": sys.executable, "args": ["--directory", "/no/blog", "run", "blog"]},
    ),
    "the server ends at its start": Case(
        "client-stopped", "ended with exit code 1 before it answered", "claude-code",
        {"command": sys.executable, "args": ["-c", "raise SystemExit('no module')"]},
    ),
    "the server ends at a question": Case(
        "client-stopped", "no tools/list with ${TOKEN}", "claude-code",
        knobs(ends="tools/list") | TOKEN_OF_SHELL,
    ),
    "the server ends after its answers": Case(
        "client-stopped", "ended with exit code 1 after its first answer", "claude-code",
        knobs(leaves=True),
    ),
    "the server prints something after its answers": Case(
        "client-output", "is no message: `Traceback`", "claude-code", knobs(after="Traceback"),
    ),
    "the server begins with a byte order mark": Case(
        "client-output", "line 1 of its standard output is no message", "claude-code",
        knobs(mark=True), limits={"start": 0.3},
    ),
    "the server does not say that it has tools": Case(
        "client-answer", "`capabilities` needs `tools`", "claude-code", knobs(capabilities={}),
    ),
    "a tool has no schema": Case(
        "client-answer", "violates the protocol: tools/0/inputSchema", "cursor", knobs(schema=None),
    ),
    "the schema of a tool is for texts": Case(
        "client-answer", "violates the protocol: tools/0/inputSchema/type", "cursor", knobs(schema={"type": "string"}),
    ),
    "the schema of a tool is none": Case(
        "client-answer", "the `inputSchema` of `search`", "cursor",
        knobs(schema={"type": "object", "properties": {"query": {"type": "banana"}}}),
    ),
    "the name of a tool is none": Case(
        "client-names", "which the protocol does not allow as a name", "claude-code",
        knobs(tools=["search", "he llo!\x1b[31m"]),
    ),
    "the entry gives the server less time": Case(
        "client-slow", "within 0.1 seconds, and Codex does not wait longer", "codex",
        knobs(silent="initialize") | {"startup_timeout_sec": 0.1},
    ),
    "the entry gives the server less time, in milliseconds": Case(
        "client-slow", "within 0.1 seconds", "gemini-cli",
        knobs(silent="initialize") | {"timeout": 100},
    ),
    "the entry allows no tool": Case(
        "client-entry", "its `enabled_tools` keep all tools from the model", "codex",
        knobs() | {"enabled_tools": []},
    ),
    "the entry excludes the tools": Case(
        "client-entry", "its `excludeTools` keep all tools", "gemini-cli",
        knobs() | {"excludeTools": ["search"]},
    ),
    "the server says hello": Case(
        "client-output", "line 1 of its standard output is no message: `Loading 12 posts…`",
        "claude-code", knobs(before="Loading 12 posts…") | TOKEN_OF_SHELL,
    ),
    "the server talks between answers": Case(
        "client-output", "line 1 of its standard output is no message: `asked` (and 3 more)",
        "claude-code", knobs(between="asked") | TOKEN_OF_SHELL,
    ),
    "the server's answers are no messages": Case(
        "client-output", "is no message", "claude-code", knobs(broken=True) | TOKEN_OF_SHELL,
        limits={"start": 2},
    ),
    "the server starts later than the client waits": Case(
        "client-slow", "did not answer within 1 seconds, and Codex does not wait longer", "codex",
        knobs(delay=20) | {"env_vars": ["TOKEN"]}, limits={"start": 1},
    ),
    "the server never answers": Case(
        "client-slow", "did not answer within 1 seconds", "opencode",
        {"type": "local", "command": [sys.executable, KNOB_SERVER, '{"silent": "initialize"}']},
        limits={"start": 1},
    ),
    "the server speaks a version of its own": Case(
        "client-answer", "with version `1999-01-01`, and was asked for `2025-06-18`", "codex",
        knobs(version="1999-01-01"),
    ),
    "the server refuses the handshake": Case(
        "client-answer", "answers to `initialize` with an error: no initialize here", "qwen-code",
        knobs(errors=["initialize"]),
    ),
    "the server lists no tools": Case(
        "client-answer", "answers to `tools/list` with an error", "claude-code",
        knobs(errors=["tools/list"]),
    ),
    "the list of tools has no end": Case(
        "client-answer", "its list of tools has no end", "claude-code", knobs(endless=True),
    ),
    "the name of a tool is too long with its prefix": Case(
        "client-names", "`mcp__blog__search", "claude-code",
        knobs(tools=["search", "search_" + "x" * 60]),
    ),
    "the name of the server is refused": Case(
        "client-names", "Claude Code does not accept the server name `blog.search`", "claude-code",
        knobs(name="blog.search"), name="blog.search",
    ),
    "the name of the server is reserved": Case(
        "client-names", "Claude Code keeps the name `workspace` for itself", "claude-code",
        knobs(name="workspace"), name="workspace",
    ),
    "two tools have one name": Case(
        "client-names", "lists `search` more than once", "claude-code",
        knobs(tools=["search", "search"]),
    ),
    "there are too many tools": Case(
        "client-names", "takes at most 2", "claude-code", knobs(tools=["search", "a", "b"]),
        limits={"tools": 2},
    ),
    "another server answers": Case(
        "client-server", "calls itself `shop`, not `blog`", "claude-code", knobs(name="shop"),
    ),
    "an old server answers": Case(
        "client-server", "does not list `search`, which the spec has", "claude-code",
        knobs(tools=["find"]),
    ),
    "an address has no type": Case(
        "client-entry", "has no `type`, which is `http` or `sse`", "claude-code",
        {"url": "http://127.0.0.1:9/mcp"},
    ),
    "a type is that of another client": Case(
        "client-entry", "its `type` is `remote`; Claude Code knows", "claude-code",
        {"type": "remote", "url": "http://127.0.0.1:9/mcp"},
    ),
    "the entry is switched off": Case(
        "client-entry", "it is switched off", "opencode",
        {"type": "local", "command": [sys.executable, KNOB_SERVER], "enabled": False},
    ),
    "the entry has no command": Case(
        "client-entry", "it has no `command` and no `url`", "claude-code", {"args": ["run"]},
    ),
    "the arguments are a text": Case(
        "client-entry", "its command and arguments are not texts", "claude-code",
        {"command": "uv", "args": "run blog"},
    ),
    "a variable is a number": Case(
        "client-entry", "its variables are not a table of texts", "claude-code",
        knobs() | {"env": {"PORT": 8000}},
    ),
    "another client's word for stdio": Case(
        "client-entry", "`type` is `local`; Claude Code knows `stdio`", "claude-code",
        knobs() | {"type": "local"},
    ),
    "the address is none": Case(
        "client-entry", "not a URL that begins with http://", "claude-code",
        {"type": "http", "url": "127.0.0.1:8000/mcp"},
    ),
    "nobody listens": Case(
        "client-address", "nobody answers at http://127.0.0.1:9/mcp", "claude-code",
        {"type": "http", "url": "http://127.0.0.1:9/mcp"},
    ),
}  # fmt: skip


def trial(case: Case) -> Trial:
    client = read_client(case.client)
    client = replace(client, limits=client.limits._replace(**case.limits))
    entry = Entry(client, Path("config.json"), case.name, case.entry, Path("/tmp"))
    server = replace(SERVER, name=case.name)
    return tried(entry, server, ["search"], Machine("linux", "/tmp", case.shell))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_planted_fault_is_found(case: Case) -> None:
    found = trial(case)
    said = [f"{one.id}: {one.message} | {one.hint}" for one in found.findings]
    assert not found.works
    assert {one.id for one in found.findings} == {case.id}, said
    assert any(case.said in one for one in said), said
    assert "s3cret" not in str(said)


HINTS = {
    "the project has moved": "remove the entry, and run `mcp-scaffold clients install --client",
    "the program is not there": "install uv",
    "a placeholder was not replaced": "write the value in its place",
    "a variable is set in the shell only": "set it for the whole session",
    "the entry has no command": "remove the entry, and run `mcp-scaffold clients install",
    "nobody listens": "the spec has no transport over HTTP",
}
"""How to mend a fault, where the message does not say it."""


@pytest.mark.parametrize("fault", HINTS)
def test_a_finding_says_how_to_mend_it(fault: str) -> None:
    assert HINTS[fault] in str(trial(CASES[fault]).findings[0].hint)


def test_a_program_at_another_path_is_named() -> None:
    case = dataclasses.replace(CASES["the program is not there"], shell=path(str(Path(UV).parent)))
    (finding,) = trial(case).findings
    assert finding.hint == f"write `{UV}`"


@pytest.mark.parametrize("id", sorted({case.id for case in CASES.values()}))
def test_each_finding_is_explained(id: str) -> None:
    assert explain(id)
