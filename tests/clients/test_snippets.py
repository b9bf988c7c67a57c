"""What a client is told of a server is what that client reads."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scaffold.clients.client import read_clients
from scaffold.clients.server import Server, Variable
from scaffold.clients.snippets import Snippet, placeholder, snippets
from scaffold.packs.traits import Traits
from tests.built import PLAIN, TRAITS

CLIENTS = {client.id: client for client in read_clients()}
CASES = Path(__file__).parent / "cases"
"""By client: what it reads. Most are examples of the reference table, with our placeholders; those of
Visual Studio for stdio and SSE have the token as in VS Code, since its own examples have none."""

TRANSPORTS = ("stdio", "streamable-http", "sse")
REACHED = [(id, t) for id, client in CLIENTS.items() for t in TRANSPORTS if t not in client.without]
"""Each client with the transports that it can use, directly or through a bridge."""

DOCUMENTED = [
    (path.parent.name, path.stem) for path in sorted(CASES.glob("*/*")) if path.stem in TRANSPORTS
]

TOKEN = Variable("BLOG_SEARCH_TOKEN", "Blog search API token", None, secret=True, required=True)
SERVER = Server(
    "blog-search",
    "Blog search",
    TRANSPORTS,
    "127.0.0.1",
    8000,
    (TOKEN,),
    TOKEN.name,
    "Search posts of a blog",
)
OPEN = replace(SERVER, env=(), bearer_env=None)


def parsed(text: str, format: str) -> Any:
    """Read a configuration as a client reads it."""
    match format:
        case "toml":
            return tomllib.loads(text)
        case "yaml":
            return yaml.safe_load(text)
        case "form":
            return dict(line.split(": ", 1) for line in text.splitlines())
        case _:
            return json.loads(text)


def command(server: Server, traits: Traits = TRAITS) -> tuple[str, ...]:
    return traits.ways("client", name=server.name, folder=placeholder(server))[0]


def snippet(server: Server, client: str, transport: str, traits: Traits = TRAITS) -> Snippet:
    offered = snippets(server, [CLIENTS[client]], command(server, traits))
    (chosen,) = (s for s in offered if s.transport == transport)
    return chosen


def configuration(server: Server, client: str, transport: str) -> Any:
    return parsed(snippet(server, client, transport).text, CLIENTS[client].format)


def entry(server: Server, client: str, transport: str) -> dict[str, Any]:
    root = CLIENTS[client].root
    whole = configuration(server, client, transport)
    fields: dict[str, Any] = whole[root][server.name] if root else whole
    return fields


@pytest.mark.parametrize(("client", "transport"), DOCUMENTED)
def test_a_snippet_matches_the_documentation_of_the_client(client: str, transport: str) -> None:
    (case,) = CASES.glob(f"{client}/{transport}.*")
    documented = parsed(case.read_text("utf-8"), CLIENTS[client].format)
    assert configuration(SERVER, client, transport) == documented


@pytest.mark.parametrize("client", CLIENTS)
def test_files_format_and_root_match_the_documentation_of_the_client(client: str) -> None:
    documented = json.loads((CASES / client / "client.json").read_text("utf-8"))
    assert documented.pop("source")
    known = CLIENTS[client]
    assert {"format": known.format, "root": known.root, "files": known.files} == documented


def test_each_client_has_a_case_for_each_transport_that_it_supports_or_says_why_not() -> None:
    supported = {(id, t) for id, client in CLIENTS.items() for t in client.entry}
    assert supported <= set(DOCUMENTED)
    starting = {id for id, client in CLIENTS.items() if "stdio" in client.entry}
    assert {path.parent.name for path in CASES.glob("*/variables.*")} == starting
    assert {folder.name for folder in CASES.iterdir()} == CLIENTS.keys()
    for client in CLIENTS.values():
        assert all(client.without.values())
        assert not client.without.keys() & {
            s.transport for s in snippets(SERVER, [client], command(SERVER))
        }
        assert "stdio" in client.entry or "stdio" in client.without


def test_the_default_transport_has_the_plain_name_and_others_add_theirs() -> None:
    paths = [
        s.path for s in snippets(SERVER, [CLIENTS["cursor"], CLIENTS["vscode"]], command(SERVER))
    ]
    assert paths == [
        *("cursor.json", "cursor.streamable-http.json", "cursor.sse.json"),
        *("vscode.json", "vscode.streamable-http.json", "vscode.sse.json"),
    ]


def test_snippets_name_stdio_where_it_is_not_the_default() -> None:
    server = replace(SERVER, transports=("sse", "stdio"))
    assert entry(SERVER, "cursor", "stdio")["args"][-2:] == ["run", "blog-search"]
    assert entry(server, "cursor", "stdio")["args"][-2:] == ["--transport", "stdio"]


OF_EACH_KIND = (
    Variable("DATA", "Folder of the posts", None, secret=False, required=True),
    Variable("API_KEY", "Raises the rate limit", None, secret=True, required=False),
    Variable("REGION", "May be absent", None, secret=False, required=False),
    Variable("OLLAMA_URL", "Server", "http://127.0.0.1", secret=False, required=False),
)


@pytest.mark.parametrize("case", sorted(CASES.glob("*/variables.*")), ids=lambda c: c.parent.name)
def test_variables_of_every_kind_use_the_syntax_of_the_client(case: Path) -> None:
    client = case.parent.name
    wanted = parsed(case.read_text("utf-8"), CLIENTS[client].format)
    assert configuration(replace(OPEN, env=OF_EACH_KIND), client, "stdio") == wanted


def test_the_default_of_a_secret_is_not_written() -> None:
    salt = Variable("SALT", "Has a default", "pepper", secret=True, required=False)
    for client, transport in REACHED:
        assert "pepper" not in snippet(replace(OPEN, env=(salt,)), client, transport).text


@pytest.mark.parametrize(
    "default", ["$HOME", "${env:TOKEN}", "{env:TOKEN}", "`id`", "$(id)", "%PATH%"]
)
def test_a_default_that_the_client_would_replace_is_left_to_the_server(default: str) -> None:
    server = replace(OPEN, env=(Variable("PATTERN", "", default, secret=False, required=False),))
    for id, client in CLIENTS.items():
        if "stdio" in client.entry and id not in ("codex", "raycast"):
            whole = json.dumps(configuration(server, id, "stdio"))
            assert (json.dumps(default)[1:-1] in whole) is (client.expands is None), id


def test_a_bearer_token_for_http_is_not_passed_over_stdio() -> None:
    server = replace(SERVER, env=(replace(TOKEN, required=False),))
    for client, transport in REACHED:
        named = TOKEN.name in snippet(server, client, transport).text
        mentions = transport != "stdio" and client != "n8n" and CLIENTS[client].inputs is None
        assert named is mentions


def test_a_server_without_variables_or_token_has_the_shortest_entry() -> None:
    for client, transport in REACHED:
        text = snippet(OPEN, client, transport).text
        words = ("env:", '"env', "headers", "--header", "inputs", "Environment", "token", "Auth")
        assert not [word for word in words if word in text], text


@pytest.mark.parametrize(
    "client", [id for id, client in CLIENTS.items() if "stdio" in client.entry]
)
def test_a_server_in_one_file_is_started_without_uv(client: str) -> None:
    text = snippet(SERVER, client, "stdio", PLAIN).text
    assert "/ABSOLUTE/PATH/TO/blog-search/blog-search.pyz" in text
    assert "python3" in text
    assert "uv" not in text


def test_inputs_of_one_server_never_share_an_id() -> None:
    env = (TOKEN, replace(TOKEN, name="TOKEN"))
    asked = configuration(replace(SERVER, env=env), "vscode", "stdio")["inputs"]
    assert [item["id"] for item in asked] == ["blog-search-token", "blog-search.token"]


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
def test_any_description_is_read_back_unchanged_and_changes_no_other_value(
    description: str,
) -> None:
    server = replace(
        SERVER, env=(replace(TOKEN, description=description),), description=description
    )
    for client, transport in REACHED:
        hostile = parsed(
            snippet(server, client, transport).text.encode().decode(), CLIENTS[client].format
        )
        harmless = configuration(SERVER, client, transport)
        for asked in hostile.get("inputs", []):
            assert asked["description"] == (description or TOKEN.name)
            asked["description"] = TOKEN.description
        if client == "goose":
            fields = hostile["extensions"]["blog-search"]
            assert fields["description"] == (description or SERVER.title)
            fields["description"] = SERVER.description
        assert hostile == harmless
