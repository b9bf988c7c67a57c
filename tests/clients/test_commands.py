"""A client's own command gets all of an entry, or is not used."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from scaffold.clients.client import read_client, read_clients
from scaffold.clients.commands import add_command, remove_command
from scaffold.clients.entry import entry
from scaffold.clients.server import Server, project_program
from tests.clients.test_snippets import OPEN, SERVER

PROGRAM = project_program("blog-search", "/abs/path/blog-search")
STARTED = ["uv", "--directory", "/abs/path/blog-search", "run", "blog-search"]
ADDRESS = "http://127.0.0.1:8000/mcp"


def added(server: Server, client: str, transport: str, scope: str = "user") -> list[str] | None:
    known = read_client(client)
    return add_command(known, transport, entry(server, known, transport, PROGRAM), scope)


def test_claude_code_takes_the_whole_entry_as_json() -> None:
    command = added(SERVER, "claude-code", "stdio", "project")
    assert command is not None
    *start, written = command
    assert start == ["claude", "mcp", "add-json", "--scope", "project", "blog-search"]
    assert json.loads(written)["env"] == {"BLOG_SEARCH_TOKEN": "${BLOG_SEARCH_TOKEN}"}
    assert remove_command(read_client("claude-code"), "blog-search", "user") == [
        *("claude", "mcp", "remove", "--scope", "user", "blog-search")
    ]


def test_vs_code_takes_the_entry_with_its_name_and_inputs() -> None:
    command = added(SERVER, "vscode", "streamable-http")
    assert command is not None
    assert command[:2] == ["code", "--add-mcp"]
    given = json.loads(command[2])
    assert given["name"] == "blog-search"
    assert given["url"] == ADDRESS
    assert [asked["id"] for asked in given["inputs"]] == ["blog-search-token"]


@pytest.mark.parametrize(
    ("client", "transport", "arguments"),
    [
        (
            "gemini-cli",
            "stdio",
            [
                *(
                    "gemini",
                    "mcp",
                    "add",
                    "-s",
                    "user",
                    "-e",
                    "BLOG_SEARCH_TOKEN=$BLOG_SEARCH_TOKEN",
                ),
                *("blog-search", "uv", "--", *STARTED[1:]),
            ],
        ),
        (
            "gemini-cli",
            "streamable-http",
            [
                *("gemini", "mcp", "add", "-s", "user", "-t", "http", "-H"),
                *("Authorization: Bearer $BLOG_SEARCH_TOKEN", "blog-search", ADDRESS),
            ],
        ),
        (
            "codex",
            "streamable-http",
            [
                *("codex", "mcp", "add", "blog-search", "--url", ADDRESS),
                *("--bearer-token-env-var", "BLOG_SEARCH_TOKEN"),
            ],
        ),
        (
            "opencode",
            "stdio",
            [
                *("opencode", "mcp", "add", "blog-search", "--env"),
                *("BLOG_SEARCH_TOKEN={env:BLOG_SEARCH_TOKEN}", "--", *STARTED),
            ],
        ),
        (
            "copilot-cli",
            "streamable-http",
            [
                *("copilot", "mcp", "add", "--transport", "http", "blog-search", "--header"),
                *("Authorization: Bearer ${BLOG_SEARCH_TOKEN}", ADDRESS),
            ],
        ),
        (
            "amp",
            "streamable-http",
            [
                *("amp", "mcp", "add", "blog-search", "--header"),
                *("Authorization=Bearer ${BLOG_SEARCH_TOKEN}", ADDRESS),
            ],
        ),
        (
            "droid",
            "streamable-http",
            [
                *("droid", "mcp", "add", "blog-search", ADDRESS, "--type", "http", "--header"),
                "Authorization: Bearer ${BLOG_SEARCH_TOKEN}",
            ],
        ),
    ],
)
def test_a_command_is_the_documented_one(client: str, transport: str, arguments: list[str]) -> None:
    assert added(SERVER, client, transport) == arguments


def test_without_variables_the_shortest_command_is_enough() -> None:
    for client in ("cline", "amp", "opencode"):
        command = added(OPEN, client, "stdio")
        assert command is not None
        assert command[-6:] == ["--", *STARTED]


@pytest.mark.parametrize(
    ("client", "transport"),
    [("cline", "stdio"), ("devin", "stdio"), ("devin", "streamable-http")],
)
def test_a_command_that_would_lose_a_variable_or_a_header_is_not_used(
    client: str, transport: str
) -> None:
    assert added(OPEN, client, transport)
    assert added(SERVER, client, transport) is None


def test_a_command_that_has_no_such_scope_is_not_used() -> None:
    assert added(OPEN, "codex", "streamable-http", "project") is None
    assert remove_command(read_client("codex"), "blog-search", "project") is None
    assert added(OPEN, "amp", "stdio", "project") == [
        *("amp", "mcp", "add", "blog-search", "--workspace", "--", *STARTED)
    ]


def test_the_command_of_codex_cannot_say_that_it_must_wait_for_the_server() -> None:
    assert added(OPEN, "codex", "stdio") is None


def test_a_value_that_looks_like_a_slot_is_only_a_value() -> None:
    limit = replace(SERVER.env[0], name="LIMIT", required=False, secret=False, default="<name>")
    command = added(replace(OPEN, env=(limit,)), "claude-code", "stdio")
    assert command is not None
    assert json.loads(command[-1])["env"] == {"LIMIT": "${LIMIT:-<name>}"}
    amp = read_client("amp")
    optional = replace(SERVER.env[0], name="KEY", required=False)
    server = replace(OPEN, env=(optional,))
    found = entry(server, amp, "stdio", PROGRAM, {"KEY": "<scope> <name>"})
    command = add_command(amp, "stdio", found, "user")
    assert command is not None
    assert "KEY=<scope> <name>" in command


def test_every_command_has_its_transports_from_the_entries() -> None:
    for client in read_clients():
        if client.command:
            assert client.command.add.keys() <= client.entry.keys()
