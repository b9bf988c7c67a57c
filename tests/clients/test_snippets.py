"""What a client is told of a server is what that client reads."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scaffold.clients.client import read_clients
from scaffold.clients.snippets import Server, Snippet, Variable, snippets

CLIENTS = {client.id: client for client in read_clients()}
CASES = Path(__file__).parent / "cases"
"""By client, written by hand from the sources that `client.json` names: what it reads."""

TRANSPORTS = ("stdio", "streamable-http", "sse")

TOKEN = Variable("BLOG_SEARCH_TOKEN", "Blog search API token", None, secret=True, required=True)
SERVER = Server("blog-search", "Blog search", TRANSPORTS, "127.0.0.1", 8000, (TOKEN,), TOKEN.name)
OPEN = replace(SERVER, env=(), bearer_env=None)

PLACEHOLDERS = {
    "/abs/path/to/uv": "/ABSOLUTE/PATH/TO/uv",
    "/abs/path/blog-search": "/ABSOLUTE/PATH/TO/blog-search",
    "paste-token-here": "PASTE_BLOG_SEARCH_TOKEN_HERE",
}


def snippet(server: Server, client: str, transport: str) -> Snippet:
    (found,) = (s for s in snippets(server, [CLIENTS[client]]) if s.transport == transport)
    return found


def entry(server: Server, client: str, transport: str) -> dict[str, Any]:
    document = json.loads(snippet(server, client, transport).text)
    found: dict[str, Any] = document[CLIENTS[client].root][server.name]
    return found


def inputs(server: Server, transport: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(snippet(server, "vscode", transport).text)["inputs"]
    return found


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_is_what_the_client_documents(client: str, transport: str) -> None:
    documented = json.loads((CASES / client / f"{transport}.json").read_text("utf-8"))
    assert json.loads(snippet(SERVER, client, transport).text) == documented


@pytest.mark.parametrize("client", CLIENTS)
def test_files_format_and_root_are_what_the_client_documents(client: str) -> None:
    documented = json.loads((CASES / client / "client.json").read_text("utf-8"))
    assert documented.pop("source")
    known = CLIENTS[client]
    assert {"format": known.format, "root": known.root, "files": known.files} == documented


def test_each_client_has_its_cases() -> None:
    assert {folder.name for folder in CASES.iterdir()} == CLIENTS.keys()


@pytest.fixture(scope="module")
def reference(shared: Path) -> dict[str, Any]:
    """The clients of the reference table, by id."""
    table = yaml.safe_load((shared / "reference" / "clients.yaml").read_text("utf-8"))
    return {client["id"]: client for client in table["clients"]}


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_snippet_is_the_checked_example_of_its_client(
    reference: dict[str, Any], client: str, transport: str
) -> None:
    example = reference[client]["examples"][transport.removeprefix("streamable-")]
    for theirs, ours in PLACEHOLDERS.items():
        example = example.replace(theirs, ours)
    assert json.loads(snippet(SERVER, client, transport).text) == json.loads(example)


@pytest.mark.parametrize("client", CLIENTS)
def test_files_format_and_root_are_those_of_the_reference(
    reference: dict[str, Any], client: str
) -> None:
    paths = reference[client]["config_path"]
    known = {place: paths[place] for place in ("macos", "windows", "linux", "project")}
    ours = dict(CLIENTS[client].files)
    ours.pop("windows-msix", None)
    assert ours == {place: path for place, path in known.items() if path}
    assert CLIENTS[client].format == reference[client]["format"].lower()
    assert CLIENTS[client].root == reference[client]["root_key"].split()[0]


def test_the_default_transport_has_the_plain_name_and_others_add_theirs() -> None:
    paths = [s.path for s in snippets(SERVER, [CLIENTS["cursor"], CLIENTS["vscode"]])]
    assert paths == [
        *("cursor.json", "cursor.streamable-http.json", "cursor.sse.json"),
        *("vscode.json", "vscode.streamable-http.json", "vscode.sse.json"),
    ]


def test_stdio_is_asked_for_where_it_is_not_the_default() -> None:
    server = replace(SERVER, transports=("sse", "stdio"))
    assert entry(SERVER, "cursor", "stdio")["args"][-2:] == ["run", "blog-search"]
    assert entry(server, "cursor", "stdio")["args"][-2:] == ["--transport", "stdio"]


def test_required_variables_and_secrets_are_listed_defaults_are_not() -> None:
    env = (
        Variable("DATA", "Folder of the posts", None, secret=False, required=True),
        Variable("API_KEY", "Raises the rate limit", None, secret=True, required=False),
        Variable("OLLAMA_URL", "Server", "http://127.0.0.1", secret=False, required=False),
        Variable("REGION", "May be absent", None, secret=False, required=False),
        Variable("SALT", "Has a default", "none", secret=True, required=False),
    )
    server = replace(OPEN, env=env)
    listed = {client: entry(server, client, "stdio")["env"] for client in CLIENTS}
    assert listed == {
        "claude-code": {"DATA": "${DATA}", "API_KEY": "${API_KEY:-}"},
        "claude-desktop": {"DATA": "PASTE_DATA_HERE", "API_KEY": ""},
        "cursor": {"DATA": "${env:DATA}", "API_KEY": "${env:API_KEY}"},
        "vscode": {
            "DATA": "${input:blog-search.data}",
            "API_KEY": "${input:blog-search.api-key}",
        },
    }
    assert [i.get("password") for i in inputs(server, "stdio")] == [None, True]


def test_a_bearer_token_that_only_http_needs_is_not_given_to_stdio() -> None:
    server = replace(SERVER, env=(replace(TOKEN, required=False),))
    for client in CLIENTS:
        assert "env" not in entry(server, client, "stdio")
        assert "Bearer" in snippet(server, client, "sse").text


def test_a_server_without_variables_or_token_has_the_shortest_entry() -> None:
    for client in CLIENTS:
        for transport in TRANSPORTS:
            text = snippet(OPEN, client, transport).text
            assert not [key for key in ("env", "headers", "--header", "inputs") if key in text]


def test_a_token_that_is_not_declared_is_asked_for_by_the_title_of_the_server() -> None:
    (asked,) = inputs(replace(SERVER, env=()), "streamable-http")
    assert asked["description"] == "Token for Blog search"


def test_inputs_of_one_server_never_share_an_id() -> None:
    env = (TOKEN, replace(TOKEN, name="TOKEN"))
    ids = [asked["id"] for asked in inputs(replace(SERVER, env=env), "stdio")]
    assert ids == ["blog-search-token", "blog-search.token"]


@pytest.mark.parametrize(
    ("host", "reached"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/mcp"),
        ("0.0.0.0", "http://127.0.0.1:8000/mcp"),
        ("::", "http://[::1]:8000/mcp"),
        ("fd00::7", "http://[fd00::7]:8000/mcp"),
        ("posts.example.org", "http://posts.example.org:8000/mcp"),
        ("${env:HOME}/x?", "http://%24%7Benv%3AHOME%7D%2Fx%3F:8000/mcp"),
    ],
)
def test_the_address_is_one_that_a_client_can_connect_to(host: str, reached: str) -> None:
    assert entry(replace(SERVER, host=host), "cursor", "streamable-http")["url"] == reached


@pytest.mark.parametrize(("host", "allowed"), [("localhost", False), ("10.0.0.7", True)])
def test_the_bridge_is_allowed_plain_http_only_beyond_this_machine(
    host: str, allowed: bool
) -> None:
    bridge = snippet(replace(SERVER, host=host), "claude-desktop", "sse")
    assert bridge.bridged
    assert ("--allow-http" in bridge.text) is allowed


@given(st.text())
def test_any_description_comes_back_as_it_was_and_changes_nothing_else(description: str) -> None:
    server = replace(SERVER, env=(replace(TOKEN, description=description),))
    for client in CLIENTS:
        for transport in TRANSPORTS:
            text = snippet(server, client, transport).text.encode().decode()
            hostile, harmless = (
                json.loads(text),
                json.loads(snippet(SERVER, client, transport).text),
            )
            for asked in hostile.get("inputs", []):
                assert asked["description"] == (description or TOKEN.name)
                asked["description"] = TOKEN.description
            assert hostile == harmless


def test_every_client_names_its_file_on_each_system_or_in_the_project() -> None:
    places = {"macos", "windows", "windows-msix", "linux", "project"}
    for client in CLIENTS.values():
        assert client.files
        assert set(client.files) <= places
