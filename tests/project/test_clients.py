"""What templates know about clients."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from scaffold.clients.client import Client, read_clients
from scaffold.project.clients import described, served
from scaffold.yaml.source import parse
from tests.built import TRAITS
from tests.checked import check
from tests.clients.test_snippets import OPEN, SERVER

TOLD = [client for client in read_clients() if client.variables]


@pytest.mark.parametrize("client", TOLD, ids=lambda client: client.id)
def test_how_a_client_handles_variables_is_described_where_it_passes_some(client: Client) -> None:
    given, none = (next(iter(described(server, [client], TRAITS))) for server in (SERVER, OPEN))
    assert set(client.variables) <= set(given.notes)
    assert not set(client.variables) & set(none.notes)


def test_an_unneeded_token_is_not_mentioned() -> None:
    local = replace(SERVER, transports=("stdio",), env=())
    for client in described(local, TOLD, TRAITS):
        assert not {note for known in TOLD for note in known.variables} & set(client.notes)


def test_clients_do_not_set_the_address_variables_of_the_server() -> None:
    spec = """
        {name: blog, version: "1", tools: [{name: find, inputSchema: {type: object}}],
         transports: [stdio, streamable-http],
         auth: {oauth: {issuer: "https://login.example", resource: {env: BLOG_URL}}},
         env: [{name: BLOG_URL, type: url, required: false}, {name: BLOG_SIZE, required: false}]}
    """
    assert [variable.name for variable in served(check(parse(spec)), "blog").env] == ["BLOG_SIZE"]
