"""What templates know about clients."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from scaffold.clients.client import Client, read_clients
from scaffold.project.clients import described
from tests.clients.test_snippets import OPEN, SERVER

TOLD = [client for client in read_clients() if client.variables]


@pytest.mark.parametrize("client", TOLD, ids=lambda client: client.id)
def test_what_a_client_does_with_variables_is_said_where_it_gives_some(client: Client) -> None:
    given, none = (next(iter(described(server, [client]))) for server in (SERVER, OPEN))
    assert set(client.variables) <= set(given.notes)
    assert not set(client.variables) & set(none.notes)


def test_a_token_that_no_transport_of_a_client_needs_is_not_talked_about() -> None:
    local = replace(SERVER, transports=("stdio",), env=())
    for client in described(local, TOLD):
        assert not {note for one in TOLD for note in one.variables} & set(client.notes)
