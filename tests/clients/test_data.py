"""The files about clients say what the rest of the program understands."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from scaffold.clients.client import Client, client_ids, read_client, read_clients

CLIENTS = read_clients()
MEANS = {"command", "project", "file", "bundle", "link"}
DATA = Path(str(read_client.__wrapped__.__code__.co_filename)).parent / "data"


@pytest.mark.parametrize("client", CLIENTS, ids=client_ids())
def test_the_means_are_there(client: Client) -> None:
    assert set(client.means) <= MEANS
    assert ("command" in client.means) == (client.command is not None)
    assert ("link" in client.means) == bool(client.links)
    assert "project" not in client.means or "project" in client.files
    assert "file" not in client.means or set(client.files) - {"project"}


@pytest.mark.parametrize("client", CLIENTS, ids=client_ids())
def test_every_word_in_the_data_is_one_that_is_documented(client: Client) -> None:
    assert client.format in {"json", "jsonc", "toml", "yaml", "form"}
    assert bool(client.root) == (client.format != "form")
    assert client.inherits in {"all", "no-secrets", "few", "unknown"}
    assert set(client.variable) <= {"required", "secret", "optional", "default"}
    transports = {"stdio", "streamable-http", "sse"}
    for part in (client.entry, client.without, client.handshake):
        assert set(part) <= transports
    if client.expands:
        assert client.expands.unset in {"literal", "empty", "error"}
        assert set(client.expands.fields) <= {"command", "args", "env", "url", "headers"}
    assert client.approval.keys() <= {"user", "project"}
    assert "project" not in client.approval or "project" in client.files
    assert not client.command or client.program
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", client.checked)
    assert all(
        re.match(r"~|%|\$\{|<value>|[.\w]", path)
        for path in (*client.files.values(), *client.moved.values())
    )


def test_every_field_is_explained() -> None:
    told = re.findall(r"^    `(\w+)`: ", Client.__doc__ or "", re.MULTILINE)
    assert sorted([*told, "id"]) == sorted(Client.__struct_fields__)


def row(client: Client) -> str:
    def reach(transport: str) -> str:
        if transport in client.without:
            return "no"
        return "yes" if transport in client.entry else "bridge"

    reference = client.variable.get("required", "")
    by_reference = f"`{reference.replace('<name>', 'NAME').replace('<id>', 'ID')}`"
    value = {"": "by name", "<value>": "value"}.get(reference, by_reference)
    cells = [
        f"{client.name} (`{client.id}`)",
        *map(reach, ("stdio", "streamable-http", "sse")),
        value if "stdio" in client.entry else "no",
        "yes" if client.links else "no",
        ", ".join(filter(None, [client.version, client.checked])),
    ]
    return f"| {' | '.join(cells)} |"


def test_the_documentation_lists_every_client() -> None:
    page = (Path(__file__).parents[2] / "docs" / "clients.md").read_text("utf-8")
    listed = [line for line in page.splitlines() if line.startswith("| ") and "(`" in line]
    assert listed == [row(client) for client in CLIENTS]


FILES = Counter((place, file) for client in CLIENTS for place, file in client.files.items())


@pytest.mark.parametrize("place", [place for place, count in FILES.items() if count > 1], ids=str)
def test_clients_that_share_a_file_write_the_same_entries(place: tuple[str, str]) -> None:
    scope = "project" if place[0] == "project" else "user"
    sharing = [client for client in CLIENTS if place in client.files.items()]
    first, *others = (client.within(scope).entry for client in sharing)
    assert all(other == first for other in others)
