"""Links have the form that clients document, and hold no secret."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scaffold.clients.client import read_client, read_clients
from scaffold.clients.links import links
from scaffold.clients.server import Program, Server, Variable
from tests.clients.test_snippets import CASES, OPEN, SERVER, TOKEN

PROGRAM = Program(
    ("uv", "--directory", "/abs/path/blog-search", "run", "blog-search"), "/abs/path/blog-search"
)
ADDRESS = "http://127.0.0.1:8000/mcp"


def urls(server: Server, client: str, transport: str) -> list[str]:
    return [url for _, url in links(server, read_client(client), transport, PROGRAM)]


def held(url: str) -> dict[str, Any]:
    """Return what a link holds: its parameters, with JSON and base64 decoded."""
    _, _, query = url.partition("?")
    if query.startswith("%7B"):
        whole: dict[str, Any] = json.loads(unquote(query))
        return whole
    fields: dict[str, Any] = dict(parse_qsl(query, strict_parsing=True))
    for name in ("config", "inputs"):
        if name in fields and not fields[name].startswith(("{", "[")):
            fields[name] = b64decode(fields[name], validate=True).decode()
        if name in fields:
            fields[name] = json.loads(fields[name])
    return fields


@pytest.mark.parametrize(
    "case", sorted(CASES.glob("*/links.json")), ids=lambda path: path.parent.name
)
@pytest.mark.parametrize("transport", ["stdio", "streamable-http"])
def test_links_match_the_documentation_of_the_client(case: Path, transport: str) -> None:
    """A link that carries no variables is not there for a server with a token."""
    documented = json.loads(case.read_text("utf-8"))
    client = case.parent.name
    assert urls(OPEN, client, transport) == documented[f"open, {transport}"]
    assert urls(SERVER, client, transport) == documented[f"with a token, {transport}"]


def test_a_goose_link_names_the_transport_if_it_is_not_the_default() -> None:
    (url,) = urls(replace(OPEN, transports=("sse", "stdio")), "goose", "stdio")
    assert "&arg=blog-search&arg=--transport&arg=stdio&" in url


def test_goose_has_no_link_to_a_single_file_server_because_it_cannot_start_python() -> None:
    program = Program(("python3", "/abs/blog-search.pyz"), "/abs")
    assert links(OPEN, read_client("goose"), "stdio", program) == ()


PARAMETERS = {"name", "config", "inputs", "quality", "type", "command", "args", "env", "url"}
PARAMETERS |= {"headers", "cmd", "arg", "timeout", "id", "description", "disabled", "autoApprove"}


@given(st.text(min_size=1), st.text())
def test_links_encode_any_text_and_contain_no_secret(title: str, text: str) -> None:
    text = text.strip() or "x"
    secret = replace(TOKEN, name="SALT", default="s3cr3t", required=False)
    env = (replace(TOKEN, description=text), secret, Variable("DATA", text, text, False, False))
    server = replace(SERVER, title=title, description=text, env=env)
    for client in read_clients():
        for transport in client.entry:
            for _, url in links(server, client, transport, PROGRAM):
                assert url.isascii()
                assert not set(url) & set("()<>[]`\"' \\|")
                assert held(url).keys() <= PARAMETERS
                assert "s3cr3t" not in str(held(url))
