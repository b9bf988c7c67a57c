"""Links have the form that clients document, and hold no secret."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scaffold.clients.client import read_client, read_clients
from scaffold.clients.links import links
from scaffold.clients.server import Server, Variable, file_program, project_program
from tests.clients.test_snippets import OPEN, SERVER, TOKEN

PROGRAM = project_program("blog-search", "/abs/path/blog-search")
STARTED = ["--directory", "/abs/path/blog-search", "run", "blog-search"]
ADDRESS = "http://127.0.0.1:8000/mcp"


def urls(server: Server, client: str, transport: str) -> list[str]:
    return [url for _, url in links(server, read_client(client), transport, PROGRAM)]


def held(url: str) -> dict[str, Any]:
    """Return what a link holds: its parameters, with JSON and base64 decoded."""
    _, _, query = url.partition("?")
    if query.startswith("%7B"):
        whole: dict[str, Any] = json.loads(unquote(query))
        return whole
    found: dict[str, Any] = dict(parse_qsl(query, strict_parsing=True))
    for name in ("config", "inputs"):
        if name in found and not found[name].startswith(("{", "[")):
            found[name] = b64decode(found[name], validate=True).decode()
        if name in found:
            found[name] = json.loads(found[name])
    return found


def test_cursor_gets_the_entry_in_base64_by_the_web_or_by_its_own_scheme() -> None:
    web, own = urls(SERVER, "cursor", "streamable-http")
    assert web.startswith("https://cursor.com/en/install-mcp?name=blog-search&config=")
    assert own.startswith("cursor://anysphere.cursor-deeplink/mcp/install?name=blog-search&config=")
    headers = {"Authorization": "Bearer ${env:BLOG_SEARCH_TOKEN}"}
    assert (
        held(web)
        == held(own)
        == {"name": "blog-search", "config": {"url": ADDRESS, "headers": headers}}
    )


def test_vs_code_gets_inputs_beside_the_entry() -> None:
    web, insiders, own = urls(SERVER, "vscode", "streamable-http")
    asked = {
        "type": "promptString",
        "id": "blog-search-token",
        "description": "Blog search API token",
        "password": True,
    }
    headers = {"Authorization": "Bearer ${input:blog-search-token}"}
    config = {"type": "http", "url": ADDRESS, "headers": headers}
    assert web.startswith("https://vscode.dev/redirect/mcp/install?name=blog-search&inputs=")
    assert held(web) == {"name": "blog-search", "inputs": [asked], "config": config}
    assert insiders.startswith("https://insiders.vscode.dev/redirect/mcp/install?")
    assert held(insiders) == held(web) | {"quality": "insiders"}
    assert own.startswith("vscode:mcp/install?%7B%22name%22%3A%22blog-search%22%2C")
    assert held(own) == {"name": "blog-search", **config, "inputs": [asked]}


def test_without_variables_there_are_no_inputs() -> None:
    for url in urls(OPEN, "vscode", "stdio"):
        assert "inputs" not in url


def test_visual_studio_gets_the_entry_with_its_name() -> None:
    (url,) = urls(OPEN, "visual-studio", "stdio")
    assert url.startswith("vsweb+mcp:/install?")
    assert held(url) == {"name": "blog-search", "type": "stdio", "command": "uv", "args": STARTED}


def test_lm_studio_gets_the_entry_in_base64() -> None:
    web, own = urls(OPEN, "lm-studio", "streamable-http")
    assert (
        web
        == "https://lmstudio.ai/install-mcp?name=blog-search&config=eyJ1cmwiOiJodHRwOi8vMTI3LjAuMC4xOjgwMDAvbWNwIn0%3D"
    )
    assert own.startswith("lmstudio://add_mcp?name=blog-search&config=")


def test_kiro_gets_the_entry_as_json() -> None:
    web, own = urls(SERVER, "kiro", "streamable-http")
    assert web.startswith("https://kiro.dev/launch/mcp/add?name=blog-search&config=%7B")
    assert own.startswith("kiro://kiro.mcp/add?name=blog-search&config=%7B")
    headers = {"Authorization": "Bearer ${BLOG_SEARCH_TOKEN}"}
    assert held(web)["config"] == {"url": ADDRESS, "headers": headers}


def test_goose_starts_the_project_with_uvx() -> None:
    (url,) = urls(OPEN, "goose", "stdio")
    assert url == (
        "goose://extension?cmd=uvx&arg=--from&arg=%2Fabs%2Fpath%2Fblog-search&arg=blog-search"
        "&timeout=300&id=blog-search&name=Blog%20search&description=Search%20posts%20of%20a%20blog"
    )
    (url,) = urls(OPEN, "goose", "streamable-http")
    assert dict(parse_qsl(urlsplit(url).query)) == {
        "url": ADDRESS,
        "type": "streamable_http",
        "timeout": "300",
        "id": "blog-search",
        "name": "Blog search",
        "description": "Search posts of a blog",
    }


def test_goose_is_told_the_transport_if_it_is_not_the_default() -> None:
    (url,) = urls(replace(OPEN, transports=("sse", "stdio")), "goose", "stdio")
    assert "&arg=blog-search&arg=--transport&arg=stdio&" in url


def test_goose_has_no_link_to_a_server_in_one_file_because_it_starts_no_python() -> None:
    program = file_program("/abs", "/abs/blog-search.pyz")
    assert links(OPEN, read_client("goose"), "stdio", program) == ()


def test_raycast_gets_the_command() -> None:
    (url,) = urls(OPEN, "raycast", "stdio")
    assert url.startswith("raycast://mcp/install?")
    assert held(url) == {"name": "blog-search", "type": "stdio", "command": "uv", "args": STARTED}


@pytest.mark.parametrize("client", ["goose", "raycast", "visual-studio"])
def test_a_link_that_carries_no_variables_is_not_offered_to_a_server_that_needs_one(
    client: str,
) -> None:
    assert urls(OPEN, client, "stdio")
    assert not urls(SERVER, client, "stdio")


def test_a_bridge_has_no_link() -> None:
    assert urls(SERVER, "goose", "sse") == []


def test_a_page_on_the_web_has_only_links_that_it_keeps() -> None:
    for client in read_clients():
        for transport in client.entry:
            every = links(OPEN, client, transport, PROGRAM)
            web = [link for link in every if link[1].startswith("https://")]
            assert [*links(OPEN, client, transport, PROGRAM, web=True)] == (web or [*every])


@given(st.text(min_size=1), st.text())
def test_any_text_is_only_text_in_a_link_and_in_markdown(title: str, description: str) -> None:
    text = description.strip() or "x"
    env = (replace(TOKEN, description=text), Variable("DATA", text, text, False, False))
    server = replace(SERVER, title=title, description=text, env=env)
    for client in read_clients():
        for transport in client.entry:
            for _, url in links(server, client, transport, PROGRAM):
                assert url.isascii()
                assert not set(url) & set("()<>[]`\"' \\|")
                known = {"name", "config", "inputs", "quality", "type", "command", "args", "env"}
                known |= {"url", "headers", "cmd", "arg", "timeout", "id", "description"}
                known |= {"disabled", "autoApprove"}
                assert held(url).keys() <= known


def test_a_link_holds_no_value_of_a_secret() -> None:
    secret = replace(TOKEN, default="s3cr3t", required=False)
    server = replace(SERVER, env=(secret,))
    for client in read_clients():
        for transport in client.entry:
            for _, url in links(server, client, transport, PROGRAM):
                assert "s3cr3t" not in str(held(url))
